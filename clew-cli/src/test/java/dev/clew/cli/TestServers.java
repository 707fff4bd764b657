package dev.clew.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers of the module's tests, started when first needed and ended with the JVM. Thread-safe. */
final class TestServers {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private TestServers() {}

  private static final class Postgres {
    static final int PORT = start();

    private static int start() {
      try {
        return EmbeddedPostgres.builder().setServerConfig("fsync", "off").start().getPort();
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(
            "the embedded PostgreSQL server could not be started; as root it needs 'unshare' with"
                + " user namespaces, else run the build as another user: "
                + e,
            e);
      }
    }
  }

  /** The URL of an empty PostgreSQL store. */
  static String postgres() {
    return "postgres://postgres:postgres@localhost:"
        + Postgres.PORT
        + "/postgres?schema=move_"
        + SCHEMAS.incrementAndGet();
  }
}
