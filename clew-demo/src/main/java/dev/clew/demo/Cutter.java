package dev.clew.demo;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text from which understood pieces are taken out, until only the rest is left. Not thread-safe.
 */
final class Cutter {
  private String text;

  Cutter(String text) {
    this.text = text;
  }

  /** Takes out the first match. */
  Optional<MatchResult> take(Pattern pattern) {
    return take(pattern, match -> true);
  }

  /** Takes out the first match that is accepted. */
  Optional<MatchResult> take(Pattern pattern, Predicate<MatchResult> accepted) {
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      MatchResult match = matcher.toMatchResult();
      if (accepted.test(match)) {
        text = text.substring(0, match.start()) + " " + text.substring(match.end());
        return Optional.of(match);
      }
    }
    return Optional.empty();
  }

  /** What was not understood, with single spaces. */
  String rest() {
    return text.strip().replaceAll("\\s+", " ");
  }
}
