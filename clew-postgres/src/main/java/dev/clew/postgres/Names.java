package dev.clew.postgres;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The schema the tables are in, and the SQL with it filled in. Immutable.
 *
 * <p>SQL is written with {@code {s}} for the schema, {@code {ttl}} for the store's default time to
 * live in milliseconds or NULL, {@code {entry}} for the columns of an entry of the table {@code i},
 * {@code {live}} for whether the session {@code s} exists at the bound time, and {@code {notify}}
 * for what notifies others of a change of {@code s}.
 */
record Names(String schema, String ttl) {
  /** The schema unless another is asked for. */
  static final String DEFAULT_SCHEMA = "clew";

  private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,47}");

  static Names of(String schema, Optional<Long> timeToLive) {
    if (!IDENTIFIER.matcher(schema).matches() || schema.startsWith("pg_")) {
      throw new IllegalArgumentException(
          "schema '"
              + schema
              + "' is not a usable name: use up to 48 lower-case letters, digits and underscores,"
              + " starting with a letter, and not pg_ in front");
    }
    return new Names(schema, timeToLive.map(String::valueOf).orElse("NULL::bigint"));
  }

  boolean hasTimeToLive() {
    return !ttl.startsWith("NULL");
  }

  /** The channel for changes of this schema. */
  String channel() {
    return "clew_" + schema;
  }

  /*
   * A commit that notifies holds a lock which all such commits of the server wait for, so nothing
   * is sent unless somebody listens. A new listener compares versions anyway.
   */
  String sql(String template) {
    return template
        .replace("{entry}", Rows.COLUMNS)
        .replace("{live}", SessionRow.LIVE)
        .replace(
            "{notify}",
            "CASE WHEN EXISTS (SELECT 1 FROM {s}.listeners)"
                + " THEN pg_notify('"
                + channel()
                + "', s.session::text)::text END")
        .replace("{s}", '"' + schema + '"')
        .replace("{ttl}", ttl);
  }
}
