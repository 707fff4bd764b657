package dev.clew.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What repeated measurements of one thing gave. Immutable. */
final class Samples {
  private final double[] sorted;

  private Samples(double[] sorted) {
    this.sorted = sorted;
  }

  static Samples of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Samples(sorted);
  }

  /** All of them together. */
  static Samples all(List<Samples> some) {
    return of(some.stream().flatMapToDouble(each -> Arrays.stream(each.sorted)).toArray());
  }

  double median() {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  double percentile(double percent) {
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * percent / 100))];
  }

  double min() {
    return sorted[0];
  }

  double max() {
    return sorted[sorted.length - 1];
  }

  Samples times(double factor) {
    return of(Arrays.stream(sorted).map(value -> value * factor).toArray());
  }

  /** The median, and between which values the others are. */
  @Override
  public String toString() {
    return sorted.length == 1
        ? number(sorted[0])
        : number(median()) + " (" + number(min()) + "–" + number(max()) + ")";
  }

  /** A number with about three digits that mean something. */
  static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
