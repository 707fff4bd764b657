package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionInfo;
import dev.clew.tck.History;
import dev.clew.tck.HistoryChecker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight processes on one file, two threads each. */
class ManyProcessesTest {
  private static final int PROCESSES = 8;
  private static final int THREADS = 2;
  private static final int TURNS = Soak.times(60, 500);
  private static final int FRAME = 4096 + 24;

  @TempDir Path folder;

  private final History history = new History();
  private final Map<String, Long> invoked = new ConcurrentHashMap<>();
  private final AtomicLong longestWait = new AtomicLong();
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();

  @Test
  void eachTurnOfEachProcessIsThereOnceAndNobodyIsToldThatTheFileIsLocked() throws IOException {
    Path file = folder.resolve("many.db"); // not there yet: they also make it together
    AtomicLong largestLog = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    Thread watch = Wait.daemon(() -> watchLog(file, done, largestLog));
    watch.start();
    List<ChildJvm> children = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        children.add(
            ChildJvm.start(
                folder,
                WriterProgram.class,
                this::take,
                file.toString(),
                "p" + i,
                String.valueOf(THREADS),
                String.valueOf(TURNS)));
      }
      for (ChildJvm child : children) {
        assertThat(child.await()).as("exit code; errors %s", errors).isZero();
      }
    } finally {
      children.forEach(ChildJvm::close);
      done.set(true);
    }
    assertThat(errors).isEmpty();
    try (SqliteStore store = SqliteStore.open(file)) {
      List<String> log = History.ids(store.session(WriterProgram.SESSION).getItems());
      assertThat(log).hasSize(PROCESSES * THREADS * TURNS * WriterProgram.BATCH);
      assertThat(HistoryChecker.check(history, log)).as(history.toString()).isEmpty();
      SessionInfo info = store.session(WriterProgram.SESSION).info().orElseThrow();
      assertThat(info.itemCount()).isEqualTo(log.size());
      List<Object> findings = new ArrayList<>();
      store.check(findings::add);
      assertThat(findings).isEmpty();
    }
    Soak.figure("turns of 8 processes", PROCESSES * THREADS * TURNS);
    Soak.figure("longest wait of a caller, ms", longestWait.get() / 1_000_000);
    Soak.figure("largest log, frames", largestLog.get() / FRAME);
  }

  private void take(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "invoke" -> invoked.put(words[2], Long.parseLong(words[4]));
      case "ok" -> {
        long waited = Long.parseLong(words[2]) - invoked.get(words[1]);
        longestWait.accumulateAndGet(waited, Math::max);
      }
      case "error" -> {
        errors.add(line);
        return;
      }
      default -> {}
    }
    history.accept(line);
  }

  private static void watchLog(Path file, AtomicBoolean done, AtomicLong largest) {
    Path log = Path.of(file + "-wal");
    Wait.until(
        "the children are done",
        () -> {
          try {
            largest.accumulateAndGet(Files.size(log), Math::max);
          } catch (IOException e) {
            // Not there now.
          }
          return done.get();
        });
  }
}
