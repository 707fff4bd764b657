package dev.clew.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.ClewProcess;
import dev.clew.tck.SampleSessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed while they back up and restore. */
class KilledBackupTest {
  @TempDir Path folder;

  private ClewProcess clew(String... args) throws Exception {
    return ClewProcess.start(folder, Map.of(), args);
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
    clew("backup", "--store", from, "--to", file.toString())
        .killWhen("KILL", () -> Files.exists(part) && part.toFile().length() > 0);
    assertThat(file).doesNotExist();
    assertThat(clew("backup", "--store", from, "--to", file.toString()).end()).isZero();
    assertThat(part).doesNotExist();
    try (SessionStore target = Stores.open(to)) {
      clew("restore", "--from", file.toString(), "--store", to)
          .killWhen("KILL", () -> items(target) > 0);
      assertThat(items(target)).isPositive();
    }
    assertThat(clew("restore", "--from", file.toString(), "--store", to, "--yes").end()).isZero();
    try (SessionStore source = Stores.open(from);
        SessionStore target = Stores.open(to)) {
      assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(source)).hasSize(2);
    }
  }

  private static long items(SessionStore store) {
    return store.session(SessionKey.of("large")).info().map(SessionInfo::itemCount).orElse(0L);
  }
}
