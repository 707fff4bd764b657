package dev.clew.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes the figures into a document, between two marks. Stateless. */
final class Report {
  private static final String BEGIN = "<!-- figures: begin (written by make bench) -->";
  private static final String END = "<!-- figures: end -->";

  private Report() {}

  static String markdown(Map<String, String> machine, List<Figure> figures) {
    StringBuilder text = new StringBuilder("| machine | |\n|---|---|\n");
    machine.forEach((name, value) -> text.append("| " + name + " | " + value + " |\n"));
    text.append("\n| figure | measured | wanted | reached | beside it |\n|---|---|---|---|---|\n");
    for (Figure figure : figures) {
      text.append("| " + figure.what())
          .append(" | " + figure.measured())
          .append(" | " + figure.wanted())
          .append(" | " + figure.verdict())
          .append(" | " + figure.details())
          .append(" |\n");
    }
    return text.toString();
  }

  /** Replaces what stands between the marks. */
  static void write(Path document, String markdown) throws IOException {
    String text = Files.readString(document);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(document + " lacks the marks " + BEGIN + " and " + END);
    }
    Files.writeString(
        document,
        text.substring(0, begin + BEGIN.length()) + "\n\n" + markdown + "\n" + text.substring(end));
  }
}
