/**
 * The SQLite store: the default one, in a file that the OpenAI Agents SDK for Python can read and
 * write at the same time. Start at {@link dev.clew.sqlite.SqliteStore}; the tables are documented
 * in {@code Schema}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.sqlite;
