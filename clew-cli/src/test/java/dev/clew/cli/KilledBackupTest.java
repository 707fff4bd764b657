package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.tck.SampleSessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed while they back up and restore. */
class KilledBackupTest {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path folder;

  private Process clew(String... args) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("out").toFile())
        .start();
  }

  @Test
  void killedInTheMiddle_backupAndRestoreCompleteWhenTheyAreRunAgain() throws Exception {
    String from = "sqlite:" + folder.resolve("from.db");
    String to = "sqlite:" + folder.resolve("to.db");
    Path file = folder.resolve("x.backup");
    Path part = folder.resolve("x.backup.part");
    int large = 8_000;
    try (SessionStore source = Stores.open(from)) {
      source.session("large").addItems(SampleSessions.items("large", large));
      source.session("small").addItems(SampleSessions.items("small", 5));
    }
    killWhen(
        () -> Files.exists(part) && part.toFile().length() > 0,
        clew("backup", "--store", from, "--to", file.toString()));
    assertThat(file).doesNotExist();
    assertThat(clew("backup", "--store", from, "--to", file.toString()).waitFor()).isZero();
    assertThat(part).doesNotExist();
    try (SessionStore target = Stores.open(to)) {
      killWhen(() -> items(target) > 0, clew("restore", "--from", file.toString(), "--store", to));
      assertThat(items(target)).isPositive();
    }
    assertThat(clew("restore", "--from", file.toString(), "--store", to, "--yes").waitFor())
        .isZero();
    try (SessionStore source = Stores.open(from);
        SessionStore target = Stores.open(to)) {
      assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(source)).hasSize(2);
    }
  }

  private static long items(SessionStore store) {
    return store.info(SessionKey.of("large")).map(SessionInfo::itemCount).orElse(0L);
  }

  private static void killWhen(BooleanSupplier condition, Process process)
      throws InterruptedException {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
    process.destroyForcibly().waitFor();
  }
}
