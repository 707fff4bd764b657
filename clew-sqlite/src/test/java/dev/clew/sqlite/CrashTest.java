package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.tck.History;
import dev.clew.tck.History.Outcome;
import dev.clew.tck.HistoryChecker;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with eight writers is killed again and again, with appends under way. */
class CrashTest {
  private static final int KILLS = Soak.times(20, 1_000);
  private static final int KILLS_A_FILE = 20;
  private static final int LEAST_ACKNOWLEDGED = 1_000;
  private static final int WRITERS = 8;
  private static final long SEED = Long.getLong("clew.seed", System.nanoTime());

  @TempDir Path folder;

  @Test
  void killedUnderLoadNothingAcknowledgedIsLostOrTwiceOrHalfOrOutOfOrder() throws Exception {
    Random random = new Random(SEED);
    System.out.println("crash test: clew.seed=" + SEED);
    long slowest = 0;
    long acknowledged = 0;
    for (int kill = 0; kill < KILLS; ) {
      Victim victim = new Victim(folder.resolve("crash-" + kill + ".db"));
      for (int i = 0; i < KILLS_A_FILE && kill < KILLS; i++, kill++) {
        victim.runAndKill("p" + kill, LEAST_ACKNOWLEDGED + random.nextInt(500));
        slowest = Math.max(slowest, victim.reopenAndCheck());
      }
      acknowledged += victim.acknowledged;
      assertThat(victim.underWay).as("appends under way at the kills").isPositive();
    }
    Soak.figure("kills", KILLS);
    Soak.figure("acknowledged batches over all kills", acknowledged);
    Soak.figure("slowest reopening after a kill, ms", slowest / 1_000_000);
  }

  /** One file and what is known of it. */
  private final class Victim {
    private final Path file;
    private final History history = new History();
    private final Set<String> inFlight = new LinkedHashSet<>();
    private int acknowledged;
    private int underWay;

    Victim(Path file) {
      this.file = file;
    }

    void runAndKill(String name, int afterAcknowledging) throws IOException {
      AtomicInteger seen = new AtomicInteger();
      CountDownLatch enough = new CountDownLatch(1);
      try (ChildJvm child =
          ChildJvm.start(
              folder,
              WriterProgram.class,
              line -> {
                take(line);
                if (line.startsWith("ok ") && seen.incrementAndGet() == afterAcknowledging) {
                  enough.countDown();
                }
              },
              file.toString(),
              name,
              String.valueOf(WRITERS),
              String.valueOf(Integer.MAX_VALUE))) {
        Wait.open("appends are acknowledged", enough);
        child.kill();
        child.await();
      }
      underWay += inFlight.size();
      acknowledged += seen.get();
    }

    private void take(String line) {
      history.accept(line);
      String[] words = line.split(" ", -1);
      if (words[0].equals("invoke")) {
        inFlight.add(words[2]);
      } else if (words[0].equals("ok")) {
        inFlight.remove(words[1]);
      }
    }

    /** How many nanoseconds opening and a first read took. */
    long reopenAndCheck() throws SQLException {
      long start = System.nanoTime();
      try (SqliteStore store = SqliteStore.open(file)) {
        store.session(WriterProgram.SESSION).getItems(20);
        long took = System.nanoTime() - start;
        assertFits(store);
        assertThat(integrity()).containsExactly("ok");
        repeatWhatWasInFlight(store);
        assertFits(store);
        return took;
      }
    }

    private void assertFits(SqliteStore store) {
      assertThat(
              HistoryChecker.check(
                  history, History.ids(store.session(WriterProgram.SESSION).getItems())))
          .as("clew.seed=%d, %s", SEED, history)
          .isEmpty();
    }

    private List<String> integrity() throws SQLException {
      try (PythonProgram other = PythonProgram.start(file)) {
        return other.texts("PRAGMA integrity_check");
      }
    }

    /** With the operation id of the first try, so it must be there once whatever came of that. */
    private void repeatWhatWasInFlight(SqliteStore store) {
      for (String batch : inFlight) {
        store
            .session(WriterProgram.SESSION)
            .commit(Commit.append(History.batch(batch, WriterProgram.BATCH)).operationId(batch));
        history.end(batch, Outcome.OK, System.nanoTime());
      }
      inFlight.clear();
    }
  }
}
