package dev.clew.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.ClewProcess;
import dev.clew.migrate.Migration;
import dev.clew.tck.SampleSessions;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it migrates. */
class KilledMigrationTest {
  @TempDir Path folder;

  private ClewProcess migrate(String from, String to) throws Exception {
    return ClewProcess.start(folder, Map.of(), "migrate", "--from", from, "--to", to);
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
      migrate(from, to).killWhen("KILL", () -> items(target) > 0 && items(target) < large);
      long there = items(target);
      assertThat(there).isBetween(1L, large - 1L);
      assertNothingHalf(target, large);
      migrate(from, to).killWhen("INT", () -> items(target) > there);
      assertThat(items(target)).isGreaterThan(there);
      assertNothingHalf(target, large);
    }
    assertThat(migrate(from, to).end()).isZero();
    try (SessionStore source = Stores.open(from);
        SessionStore target = Stores.open(to)) {
      assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(source)).hasSize(21);
    }
  }

  private static long items(SessionStore store) {
    return store.session(SessionKey.of("large")).info().map(SessionInfo::itemCount).orElse(0L);
  }

  private static void assertNothingHalf(SessionStore target, int large) {
    for (SessionInfo info : target.list(SessionQuery.of("").limit(100)).sessions()) {
      if (!Migration.isUnfinished(info)) {
        assertThat(info.itemCount()).isEqualTo(info.key().id().equals("large") ? large : 5);
      }
    }
  }
}
