package dev.clew.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures several ways to do the same work in turn, in small blocks, so that whatever else the
 * machine does meets all of them alike. Not thread-safe.
 *
 * <p>A round is a number of cycles; in a cycle each contestant does one block, in an order drawn
 * for each cycle, because what a disk has just done for one tells on the next. What is compared are
 * the sums of a round, so every round gives one ratio.
 */
final class Race {
  /** One block of work; how many nanoseconds it took, without what it had to get ready. */
  interface Block {
    long run() throws Exception;
  }

  private final Map<String, Block> contestants = new LinkedHashMap<>();
  // One for all cycles: the first draws of generators with seeds in a row are all the same.
  private final Random draws = new Random(1);

  Race add(String name, Block block) {
    contestants.put(name, block);
    return this;
  }

  /** Runs the rounds after a warm-up of at least two cycles. */
  Times run(int rounds, int cycles, int warmUpMillis) throws Exception {
    List<String> names = new ArrayList<>(contestants.keySet());
    long warmUntil = System.nanoTime() + warmUpMillis * 1_000_000L;
    for (int i = 0; i < 2 || System.nanoTime() < warmUntil; i++) {
      cycle(names, new long[names.size()]);
    }
    return rounds(names, rounds, cycles);
  }

  /** Runs one round, for work that cannot be repeated. */
  Times runOnce(int cycles) throws Exception {
    return rounds(new ArrayList<>(contestants.keySet()), 1, cycles);
  }

  private Times rounds(List<String> names, int rounds, int cycles) throws Exception {
    Map<String, double[]> nanos = new LinkedHashMap<>();
    names.forEach(name -> nanos.put(name, new double[rounds]));
    for (int round = 0; round < rounds; round++) {
      long[] sums = new long[names.size()];
      for (int i = 0; i < cycles; i++) {
        cycle(names, sums);
      }
      for (int k = 0; k < names.size(); k++) {
        times(nanos, names.get(k))[round] = (double) sums[k] / cycles;
      }
    }
    return new Times(nanos);
  }

  private void cycle(List<String> names, long[] sums) throws Exception {
    List<Integer> order = new ArrayList<>();
    for (int k = 0; k < names.size(); k++) {
      order.add(k);
    }
    Collections.shuffle(order, draws);
    for (int k : order) {
      Block block = contestants.get(names.get(k));
      if (block != null) {
        sums[k] += block.run();
      }
    }
  }

  private static double[] times(Map<String, double[]> nanos, String name) {
    double[] found = nanos.get(name);
    if (found == null) {
      throw new IllegalArgumentException("nobody is called " + name);
    }
    return found;
  }

  /** Nanoseconds of a block, by contestant and round. Immutable. */
  static final class Times {
    private final Map<String, double[]> nanos;

    private Times(Map<String, double[]> nanos) {
      this.nanos = nanos;
    }

    /** How many times as long the first took as the second, round by round. */
    Samples ratio(String first, String second) {
      double[] a = times(nanos, first);
      double[] b = times(nanos, second);
      double[] ratios = new double[a.length];
      for (int i = 0; i < a.length; i++) {
        ratios[i] = a[i] / b[i];
      }
      return Samples.of(ratios);
    }

    /** How many operations a second, if a block has so many. */
    Samples perSecond(String name, int operations) {
      double[] rates = times(nanos, name).clone();
      for (int i = 0; i < rates.length; i++) {
        rates[i] = operations * 1e9 / rates[i];
      }
      return Samples.of(rates);
    }

    /** How many microseconds an operation, if a block has so many. */
    Samples micros(String name, int operations) {
      double[] micros = times(nanos, name).clone();
      for (int i = 0; i < micros.length; i++) {
        micros[i] /= operations * 1e3;
      }
      return Samples.of(micros);
    }

    /** The largest median of several contestants over the smallest: 1 if all are the same. */
    Samples spread(List<String> names) {
      double[] medians = names.stream().mapToDouble(name -> micros(name, 1).median()).toArray();
      Samples sorted = Samples.of(medians);
      return Samples.of(sorted.max() / sorted.min());
    }
  }
}
