package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.postgres.PostgresStore;
import dev.clew.tck.StoreOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class EncryptedPostgresContractTest extends EncryptedContract {
  private static @Nullable EmbeddedPostgres server;

  @BeforeAll
  static void start() throws IOException {
    server = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
  }

  @AfterAll
  static void stop() throws IOException {
    Objects.requireNonNull(server).close();
  }

  @Override
  SessionStore openPlain(StoreOptions options, int number) {
    PostgresStore.Builder builder =
        PostgresStore.builder(
                "postgres://postgres:postgres@localhost:"
                    + Objects.requireNonNull(server).getPort()
                    + "/postgres?schema=safe_"
                    + number)
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }
}
