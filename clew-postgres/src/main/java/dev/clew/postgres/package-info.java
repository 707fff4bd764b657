/**
 * The PostgreSQL store: sessions in a database that many hosts share. Start at {@link
 * dev.clew.postgres.PostgresStore}; the tables are documented in {@link
 * dev.clew.postgres.PostgresSchema}. Uses {@code dev.clew} and {@code dev.clew.internal} only.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.postgres;
