package dev.clew.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the command line asks for. Immutable.
 *
 * @param only the rows to run; all if it is empty
 * @param rounds how often each comparison is made
 * @param attackSeconds how long each attack of the row {@code hostile} lasts
 * @param quick small sizes, to see that everything works
 * @param folder where the files are made
 * @param document what the figures are written into
 */
record Options(
    List<String> only,
    Optional<Integer> rounds,
    Optional<Integer> attackSeconds,
    boolean quick,
    Path folder,
    Path document) {
  static final String USAGE =
      """
      usage: make bench BENCH_ARGS="[--only ROW,ROW] [--rounds N] [--attacks SECONDS] [--quick]
                              [--dir FOLDER]"
        --only    the rows to run: %s
        --rounds  how often each comparison is made (default 7; 5 or more for figures to keep)
        --attacks how long each attack of the row hostile lasts (default 10; 60 for figures to keep)
        --quick   small sizes and short runs, to see that everything works
        --dir     a folder on the disk to measure (default: the one for temporary files)
      A whole run takes about fourteen minutes and writes docs/benchmarks.md; one with --only or --quick
      only prints.
      """;

  static Options parse(String[] args, Set<String> rows) {
    List<String> only = List.of();
    Optional<Integer> rounds = Optional.empty();
    Optional<Integer> attackSeconds = Optional.empty();
    boolean quick = false;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--quick" -> quick = true;
        case "--only" -> only = List.of(value(args, ++i).split(",", -1));
        case "--rounds" -> rounds = Optional.of(positive(value(args, ++i)));
        case "--attacks" -> attackSeconds = Optional.of(positive(value(args, ++i)));
        case "--dir" -> folder = Path.of(value(args, ++i));
        default -> throw new IllegalArgumentException("unknown argument " + args[i]);
      }
    }
    for (String name : only) {
      if (!rows.contains(name)) {
        throw new IllegalArgumentException("there is no row " + name + "; there are " + rows);
      }
    }
    return new Options(
        only, rounds, attackSeconds, quick, folder, Path.of("docs", "benchmarks.md"));
  }

  private static String value(String[] args, int i) {
    if (i >= args.length) {
      throw new IllegalArgumentException(args[i - 1] + " needs a value");
    }
    return args[i];
  }

  private static int positive(String text) {
    int number = Integer.parseInt(text);
    if (number < 1) {
      throw new IllegalArgumentException("a number of at least 1 is needed, not " + text);
    }
    return number;
  }

  boolean wants(String row) {
    return only.isEmpty() || only.contains(row);
  }

  /** Whether this is a run whose figures are kept. */
  boolean whole() {
    return only.isEmpty() && !quick;
  }

  int roundsOrDefault() {
    return rounds.orElse(quick ? 2 : 7);
  }
}
