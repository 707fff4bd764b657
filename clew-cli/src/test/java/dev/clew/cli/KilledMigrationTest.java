package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.migrate.Migration;
import dev.clew.tck.SampleSessions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it migrates. */
class KilledMigrationTest {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path folder;

  private Process migrate(String from, String to) throws Exception {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "migrate",
                "--from",
                from,
                "--to",
                to))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("out").toFile())
        .start();
  }

  @Test
  void killedInTheMiddleTwice_itCompletesWithNothingTwiceAndNothingHalf() throws Exception {
    String from = "sqlite:" + folder.resolve("from.db");
    String to = "sqlite:" + folder.resolve("to.db");
    int large = 60_000;
    try (SessionStore source = Stores.open(from)) {
      for (int i = 0; i < 6; i++) {
        source.session("large").addItems(SampleSessions.items("batch " + i, large / 6));
      }
      for (int i = 0; i < 20; i++) {
        source.session("small " + i).addItems(SampleSessions.items("small", 5));
      }
    }
    try (SessionStore target = Stores.open(to)) {
      killWhen(() -> items(target) > 0 && items(target) < large, migrate(from, to));
      long there = items(target);
      assertThat(there).isBetween(1L, large - 1L);
      assertNothingHalf(target, large);
      killWhen(() -> items(target) > there, migrate(from, to));
      assertThat(items(target)).isGreaterThan(there);
      assertNothingHalf(target, large);
    }
    assertThat(migrate(from, to).waitFor()).isZero();
    try (SessionStore source = Stores.open(from);
        SessionStore target = Stores.open(to)) {
      assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(source)).hasSize(21);
    }
  }

  private static long items(SessionStore store) {
    return store.info(SessionKey.of("large")).map(SessionInfo::itemCount).orElse(0L);
  }

  private static void assertNothingHalf(SessionStore target, int large) {
    for (SessionInfo info : target.list(SessionQuery.of("").limit(100)).sessions()) {
      if (!Migration.isUnfinished(info)) {
        assertThat(info.itemCount()).isEqualTo(info.key().id().equals("large") ? large : 5);
      }
    }
  }

  private static void killWhen(BooleanSupplier condition, Process process)
      throws InterruptedException {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(200_000);
    }
    process.destroyForcibly().waitFor();
  }
}
