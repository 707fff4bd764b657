package dev.clew.cli.terminal;

import org.jspecify.annotations.Nullable;

/** Shows how far something is that is done in phases: a bar for each. Thread-safe. */
public final class PhasedProgress implements AutoCloseable {
  private final Surroundings surroundings;
  private String phase = "";
  private @Nullable Progress progress;

  public PhasedProgress(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** So much of a phase is done, of so much; 0 if nobody knows. */
  public synchronized void at(String name, String units, long done, long total) {
    Progress bar = progress;
    if (bar == null || !name.equals(phase)) {
      clear();
      phase = name;
      bar = Progress.of(surroundings, units);
      bar.detail(name);
      progress = bar;
    }
    bar.planned(total);
    bar.at(done);
  }

  /** Takes the bar away, before something else is printed. */
  public synchronized void clear() {
    if (progress != null) {
      progress.clear();
    }
  }

  /** Takes the bar away. */
  @Override
  public void close() {
    clear();
  }
}
