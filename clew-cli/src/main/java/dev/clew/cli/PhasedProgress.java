package dev.clew.cli;

import org.jspecify.annotations.Nullable;

/** Shows how far something is that is done in phases: a bar for each. Thread-safe. */
final class PhasedProgress {
  private final Clew clew;
  private String phase = "";
  private @Nullable Progress progress;

  PhasedProgress(Clew clew) {
    this.clew = clew;
  }

  /** So much of a phase is done, of so much; 0 if nobody knows. */
  synchronized void at(String name, String units, long done, long total) {
    Progress bar = progress;
    if (bar == null || !name.equals(phase)) {
      clear();
      phase = name;
      bar = Progress.of(clew, units);
      bar.detail(name);
      progress = bar;
    }
    bar.planned(total);
    bar.at(done);
  }

  /** Takes the bar away, before something else is printed. */
  synchronized void clear() {
    if (progress != null) {
      progress.clear();
    }
  }
}
