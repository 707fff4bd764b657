package dev.clew.bench;

import java.util.Locale;

/**
 * One measured value and what it should be. Immutable.
 *
 * @param what what was measured
 * @param value the median and the range
 * @param unit behind the value
 * @param target what it should be
 * @param details absolute values beside it
 */
record Figure(String what, Samples value, String unit, Target target, String details) {
  /** A bound on the median. */
  record Target(boolean atLeast, double bound) {
    static final Target NONE = new Target(true, Double.NEGATIVE_INFINITY);

    static Target atLeast(double bound) {
      return new Target(true, bound);
    }

    static Target atMost(double bound) {
      return new Target(false, bound);
    }

    boolean reached(double value) {
      return atLeast ? value >= bound : value <= bound;
    }
  }

  boolean reached() {
    return target.reached(value.median());
  }

  String measured() {
    return value + unit;
  }

  String wanted() {
    if (target.equals(Target.NONE)) {
      return "";
    }
    String bound =
        target.bound() == Math.rint(target.bound())
            ? String.format(Locale.ROOT, "%,.0f", target.bound())
            : Double.toString(target.bound());
    return (target.atLeast() ? "≥ " : "≤ ") + bound + unit;
  }

  String verdict() {
    return target.equals(Target.NONE) ? "" : reached() ? "yes" : "no";
  }
}
