package dev.clew.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A way to say something. Immutable.
 *
 * @param pattern what it looks like
 * @param groups the names of its groups
 */
record Phrase(Pattern pattern, List<String> groups) {
  private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-z]+)>");

  /**
   * A phrase in a text.
   *
   * @param text the piece that is the phrase
   * @param start where it begins
   * @param end where it ends
   * @param said what its groups say, without those that say nothing
   */
  record Found(String text, int start, int end, Map<String, String> said) {
    @Nullable String get(String group) {
      return said.get(group);
    }

    boolean has(String group) {
      return said.containsKey(group);
    }

    /** What a group says that always says something. */
    String need(String group) {
      return Objects.requireNonNull(said.get(group), group);
    }
  }

  static Phrase of(String regex) {
    List<String> groups = new ArrayList<>();
    Matcher group = GROUP.matcher(regex);
    while (group.find()) {
      groups.add(group.group(1));
    }
    return new Phrase(
        Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE),
        List.copyOf(groups));
  }

  static String withoutGroups(String regex) {
    return GROUP.matcher(regex).replaceAll("(?:");
  }

  /** Trimmed, with single spaces, and none between Chinese characters. */
  static String tidy(String text) {
    return text.strip().replaceAll("\\s+", " ").replaceAll("(?<=\\p{IsHan}) (?=\\p{IsHan})", "");
  }

  /** The phrase, if it is the whole text. */
  Optional<Found> match(String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.matches() ? Optional.of(found(matcher)) : Optional.empty();
  }

  /** The first place at or after an index where it is in a text. */
  Optional<Found> find(String text, int from) {
    Matcher matcher = pattern.matcher(text);
    return from <= text.length() && matcher.find(from)
        ? Optional.of(found(matcher))
        : Optional.empty();
  }

  private Found found(Matcher matcher) {
    Map<String, String> said = new HashMap<>();
    for (String group : groups) {
      String words = matcher.group(group);
      if (words != null) {
        said.put(group, words);
      }
    }
    return new Found(matcher.group(), matcher.start(), matcher.end(), said);
  }
}
