package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a row works, how long, and what it found. Used by one thread. */
final class Lab {
  final int rounds;
  final boolean quick;
  private final Optional<Integer> attackSeconds;
  private final Path folder;
  private final PrintStream out;
  private final List<Figure> figures = new ArrayList<>();

  Lab(Path folder, Options options, PrintStream out) {
    this.folder = folder;
    this.rounds = options.roundsOrDefault();
    this.quick = options.quick();
    this.attackSeconds = options.attackSeconds();
    this.out = out;
  }

  /** The larger number, or the smaller one for a quick look. */
  int size(int whole, int ifQuick) {
    return quick ? ifQuick : whole;
  }

  /** How long each attack lasts. */
  int attackSeconds() {
    return attackSeconds.orElse(size(10, 3));
  }

  /** Each contestant has a part of it, and the longest path is compiled last. */
  int warmUpMillis() {
    return size(8000, 300);
  }

  /** A path in the folder of this run. */
  Path file(String name) {
    return folder.resolve(name);
  }

  void report(String what, Samples value, String unit, Target target, String details) {
    Figure figure = new Figure(what, value, unit, target, details);
    figures.add(figure);
    out.printf(
        "  %-58s %-24s %-10s %-4s %s%n",
        what, figure.measured(), figure.wanted(), figure.verdict(), details);
  }

  void note(String text) {
    out.println("  " + text);
  }

  List<Figure> figures() {
    return Collections.unmodifiableList(figures);
  }

  /** Removes what the last row left. */
  void clean() throws IOException {
    clean(folder);
  }

  static void clean(Path folder) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(folder)) {
      paths = walk.sorted(Comparator.reverseOrder()).filter(path -> !path.equals(folder)).toList();
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }
}
