package dev.clew.sqlite;

import dev.clew.ClewException;
import java.sql.SQLException;

/** Refuses a driver whose SQLite is too old. Stateless. */
final class SqliteVersion {
  private static final String OLDEST_SAFE = "3.51.3";

  private SqliteVersion() {}

  static void check(Db db, String where) throws SQLException {
    String version = db.first("SELECT sqlite_version()", row -> row.getString(1)).orElse("");
    check(version, where, SqliteVersion.class.getClassLoader());
  }

  /** Spring Boot decides which driver an application has, whichever we depend on. */
  static void check(String version, String where, ClassLoader loader) {
    if (compare(version, OLDEST_SAFE) >= 0) {
      return;
    }
    boolean springBoot =
        loader.getResource("org/springframework/boot/SpringApplication.class") != null;
    throw new ClewException.StoreUnavailable(
        where
            + ": the driver brings SQLite "
            + version
            + ", which can damage a file with several writers; use sqlite-jdbc with SQLite "
            + OLDEST_SAFE
            + " or newer"
            + (springBoot
                ? " (Spring Boot chooses the driver: set the property sqlite-jdbc.version of your"
                    + " build to "
                    + OLDEST_SAFE
                    + ".0 or newer)"
                : ""),
        null,
        false);
  }

  private static int compare(String a, String b) {
    String[] left = a.split("\\.", -1);
    String[] right = b.split("\\.", -1);
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      int order = Integer.compare(Integer.parseInt(left[i]), Integer.parseInt(right[i]));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.length, right.length);
  }
}
