package dev.clew.cli.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What code that was compiled against one set of signatures loses with another. Stateless. */
final class Compatibility {
  private Compatibility() {}

  /** One line for each break; none if there is none. */
  static List<String> breaks(Map<String, List<String>> before, Map<String, List<String>> now) {
    List<String> breaks = new ArrayList<>();
    before.forEach(
        (type, lines) -> {
          List<String> present = now.get(type);
          if (present == null) {
            breaks.add(type + ": the type is gone");
            return;
          }
          for (String line : lines) {
            if (successors(line).stream().noneMatch(present::contains)) {
              breaks.add(type + ": gone or changed: " + line);
            }
          }
          for (String line : present) {
            if (line.contains("abstract ") && line.contains("(") && !lines.contains(line)) {
              breaks.add(type + ": new, and those who implement the type lack it: " + line);
            }
          }
        });
    return breaks;
  }

  /** The line, and what it may become without harm. */
  private static Set<String> successors(String line) {
    Set<String> all = new TreeSet<>(Set.of(line));
    for (List<String> change :
        List.of(
            List.of("abstract ", "default "),
            List.of("abstract ", ""),
            List.of("final ", ""),
            List.of("protected ", "public "))) {
      for (String each : List.copyOf(all)) {
        all.add(each.replaceFirst("\\b" + change.get(0), change.get(1)));
      }
    }
    return all;
  }

  /** Each type in a line, each of its parts in an indented one. */
  static String write(Map<String, List<String>> signatures) {
    StringBuilder text = new StringBuilder();
    signatures
        .values()
        .forEach(
            lines -> {
              text.append(lines.get(0)).append('\n');
              lines
                  .subList(1, lines.size())
                  .forEach(line -> text.append("  ").append(line).append('\n'));
            });
    return text.toString();
  }

  static Map<String, List<String>> read(String text) {
    Map<String, List<String>> signatures = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("  ")) {
        lines.add(line.strip());
      } else if (!line.isBlank()) {
        lines = new ArrayList<>(List.of(line));
        signatures.put(typeOf(line), lines);
      }
    }
    return signatures;
  }

  private static String typeOf(String declaration) {
    return declaration.replaceFirst("^.*?(?:class|interface|enum|record) ([\\w.]+).*", "$1");
  }
}
