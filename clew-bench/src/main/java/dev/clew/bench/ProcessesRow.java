package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Processes that write to one file at once: eight JVMs, then JVMs and Python programs. Stateless.
 *
 * <p>What counts is the worst that happened to anybody in any run, so there is no median of it.
 * Python programs keep each other waiting too, so beside several of them stands what they do
 * without us.
 */
final class ProcessesRow implements Row {
  private static final int PROCESSES = 8;
  private static final int WAL_HEADER = 32;
  private static final int FRAME = 4096 + 24;

  private record Outcome(long worstNanos, long frames, long turns, long refused) {
    Outcome and(Outcome other) {
      return new Outcome(
          Math.max(worstNanos, other.worstNanos),
          Math.max(frames, other.frames),
          turns + other.turns,
          refused + other.refused);
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    measure(lab, "8 JVMs on one file", PROCESSES, 0);
    try (Child python = Child.python(lab.file("."), "-", "-", "0").orElse(null)) {
      if (python == null) {
        lab.note("Java and Python together: not measured, there is no python3 here");
        return;
      }
    }
    measure(lab, "8 JVMs and a Python program on one file", PROCESSES, 1);
    measure(lab, "4 JVMs and 4 Python programs on one file", PROCESSES / 2, PROCESSES / 2);
    measure(lab, "4 Python programs without us", 0, PROCESSES / 2);
  }

  private static void measure(Lab lab, String what, int jvms, int pythons) throws Exception {
    int runs = lab.size(3, 1);
    double seconds = lab.quick ? 2 : 6;
    Outcome all = new Outcome(0, 0, 0, 0);
    for (int i = 0; i < runs; i++) {
      all =
          all.and(
              run(
                  lab,
                  lab.file("shared" + jvms + "-" + pythons + "-" + i + ".db"),
                  jvms,
                  pythons,
                  seconds));
    }
    String details = Samples.number(all.turns() / (runs * seconds)) + " turns/s of all together";
    if (all.refused() > 0) {
      details += ", " + all.refused() + " refused after 5 s: the database is locked";
    }
    lab.report(
        what + ": worst wait of any",
        Samples.of(all.worstNanos() / 1e9),
        " s",
        jvms == 0 ? Target.NONE : Target.atMost(0.5),
        details + ", nothing lost");
    lab.report(
        what + ": longest WAL",
        Samples.of((double) all.frames()),
        " frames",
        jvms == 0 ? Target.NONE : Target.atMost(3000),
        "looked at every 2 ms");
  }

  private static Outcome run(Lab lab, Path file, int jvms, int pythons, double seconds)
      throws Exception {
    ClewStore.create(file);
    List<Child> children = new ArrayList<>();
    AtomicBoolean over = new AtomicBoolean();
    try {
      for (int i = 0; i < jvms + pythons; i++) {
        String time = Double.toString(seconds);
        if (i < pythons) {
          Optional<Child> child = Child.python(lab.file("."), file.toString(), session(i), time);
          children.add(child.orElseThrow());
        } else {
          children.add(Child.jvm(List.of("-Xmx64m"), "write", file.toString(), session(i), time));
        }
      }
      for (Child child : children) {
        child.awaitReady();
      }
      for (Child child : children) {
        child.go();
      }
      CompletableFuture<Long> frames =
          CompletableFuture.supplyAsync(() -> longestLog(Path.of(file + "-wal"), over));
      long worst = 0;
      long refused = 0;
      List<Long> turns = new ArrayList<>();
      for (Child child : children) {
        Map<String, Long> found = child.result();
        worst = Math.max(worst, found.getOrDefault("worst", Long.MAX_VALUE));
        refused += found.getOrDefault("refused", 0L);
        turns.add(found.getOrDefault("turns", 0L));
      }
      over.set(true);
      verify(file, turns);
      long sum = turns.stream().mapToLong(Long::longValue).sum();
      return new Outcome(worst, frames.get(), sum, refused);
    } finally {
      over.set(true);
      children.forEach(Child::close);
    }
  }

  private static String session(int i) {
    return "p" + i;
  }

  private static void verify(Path file, List<Long> turns) {
    try (ClewStore clew = new ClewStore(file)) {
      for (int i = 0; i < turns.size(); i++) {
        if (clew.all(session(i)) != turns.get(i) * Turn.ITEMS) {
          throw new IllegalStateException("process " + i + " lost something");
        }
      }
    }
  }

  private static long longestLog(Path log, AtomicBoolean over) {
    long longest = 0;
    while (!over.get()) {
      try {
        longest = Math.max(longest, (Files.size(log) - WAL_HEADER) / FRAME);
      } catch (NoSuchFileException e) {
        // Gone or not there yet; what matters is how long it gets.
      } catch (IOException e) {
        throw new IllegalStateException("cannot look at " + log, e);
      }
      LockSupport.parkNanos(2_000_000);
    }
    return longest;
  }
}
