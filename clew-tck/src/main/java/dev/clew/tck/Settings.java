package dev.clew.tck;

import java.util.OptionalLong;

/** The system properties that make the contract run longer or again. Stateless. */
final class Settings {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");

  private Settings() {}

  /** How many operations the concurrent history has: {@code clew.tck.operations}. */
  static int operations() {
    return Integer.getInteger("clew.tck.operations", SOAK ? 100_000 : 6_000);
  }

  /** How many random operation sequences are run: {@code clew.tck.seeds}. */
  static int seeds() {
    return Integer.getInteger("clew.tck.seeds", SOAK ? 20_000 : 2_000);
  }

  /** The one sequence to run again, if only one shall be: {@code clew.tck.seed}. */
  static OptionalLong seed() {
    Long seed = Long.getLong("clew.tck.seed");
    return seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
  }
}
