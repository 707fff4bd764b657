package dev.clew.demo;

import dev.clew.Item;
import dev.clew.View;
import dev.clew.agent.ModelRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What the offline model has for a summary, since it understands no more than its grammar: the
 * beginnings of the newest lines of the transcript. Stateless.
 */
final class Excerpt {
  private static final String BEGIN = "<transcript>\n";
  private static final String END = "</transcript>";
  private static final int LONGEST_LINE = 200;
  private static final int LONGEST = 4_000;

  private Excerpt() {}

  /** The excerpt, if it is a transcript that the request is about. */
  static Optional<String> of(ModelRequest request) {
    if (request.input().size() != 1 || !request.tools().isEmpty()) {
      return Optional.empty();
    }
    Item only = request.input().get(0);
    return only.view() instanceof View.Message message
            && message.text().startsWith(BEGIN)
            && message.text().endsWith(END)
        ? Optional.of(excerpt(message.text()))
        : Optional.empty();
  }

  private static String excerpt(String asked) {
    String transcript = asked.substring(BEGIN.length(), asked.length() - END.length());
    Deque<String> newest = new ArrayDeque<>();
    int length = 0;
    for (String line : transcript.lines().filter(said -> !said.isBlank()).toList()) {
      String beginning = beginning(line.strip());
      newest.add(beginning);
      length += beginning.length() + 1;
      while (length > LONGEST) {
        length -= newest.remove().length() + 1;
      }
    }
    return String.join("\n", newest);
  }

  private static String beginning(String line) {
    return line.codePointCount(0, line.length()) <= LONGEST_LINE
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST_LINE)) + "…";
  }
}
