/**
 * The PostgreSQL store: sessions in a database that many hosts share. Start at {@link
 * dev.clew.postgres.PostgresStore}; the tables are documented in {@link
 * dev.clew.postgres.PostgresSchema}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.postgres;
