package dev.clew.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The words, phrases and sentences of one language, from a resource. Immutable.
 *
 * <pre>
 * [words near]                              a value and the words that have it
 * 1 tomorrow
 * [phrases from-now]                        patterns; their named groups are what is said
 * \bin (?&lt;amount&gt;${amount})
 * [sentences]                               what is answered
 * thanks = You are welcome.
 * </pre>
 *
 * <p>{@code ${name}} stands for any of those words or phrases, or for that sentence.
 */
final class Table {
  private static final Pattern HEADING =
      Pattern.compile("\\[(?:(words|phrases) ([a-z-]+)|sentences)]");
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([a-z-]+)}");

  private final Map<String, Map<String, String>> words = new LinkedHashMap<>();
  private final Map<String, List<String>> patterns = new LinkedHashMap<>();
  private final Map<String, String> sentences = new LinkedHashMap<>();
  private final Map<String, List<Phrase>> phrases = new LinkedHashMap<>();

  Table(String resource) {
    String name = "";
    for (String line : lines(resource)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        name = Objects.requireNonNullElse(heading.group(2), "");
        if ("words".equals(heading.group(1))) {
          words.put(name, new LinkedHashMap<>());
        } else if (!name.isEmpty()) {
          patterns.put(name, new ArrayList<>());
        }
      } else if (name.isEmpty()) {
        String[] sentence = line.split(" = ", 2);
        sentences.put(sentence[0], sentence[1].replace("\\n", "\n"));
      } else if (patterns.containsKey(name)) {
        get(patterns, name).add(line);
      } else {
        String[] value = line.split(" ", 2);
        for (String word : value[1].split("\\|", -1)) {
          get(words, name).put(word, value[0]);
        }
      }
    }
    sentences.replaceAll((key, text) -> expand(text, other -> get(sentences, other)));
    patterns.forEach(
        (key, regexes) -> phrases.put(key, regexes.stream().map(this::phrase).toList()));
  }

  private static List<String> lines(String resource) {
    try (InputStream in = Objects.requireNonNull(Table.class.getResourceAsStream(resource));
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T get(Map<String, T> map, String name) {
    return Objects.requireNonNull(map.get(name), name);
  }

  private Phrase phrase(String regex) {
    return Phrase.of(expand(regex, this::anyOf));
  }

  /** A pattern without groups for the words or phrases of a name. */
  private String anyOf(String name) {
    Stream<String> ways =
        words.containsKey(name)
            ? get(words, name).keySet().stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .map(Pattern::quote)
            : get(patterns, name).stream().map(regex -> expand(regex, this::anyOf));
    return "(?:" + Phrase.withoutGroups(ways.collect(Collectors.joining("|"))) + ")";
  }

  private static String expand(String text, UnaryOperator<String> value) {
    String expanded = text;
    while (REFERENCE.matcher(expanded).find()) {
      expanded =
          REFERENCE
              .matcher(expanded)
              .replaceAll(reference -> Matcher.quoteReplacement(value.apply(reference.group(1))));
    }
    return expanded;
  }

  /** A sentence, as a format. */
  String sentence(String name) {
    return get(sentences, name);
  }

  /** What a word stands for; null if it is none of these. */
  @Nullable String value(String name, String word) {
    return get(words, name).get(word.toLowerCase(Locale.ROOT));
  }

  /** The number that a word of these or any numeral stands for; -1 if it is neither. */
  int number(String name, String word) {
    String value = value(name, word);
    return value == null ? (int) Numbers.parse(word) : Integer.parseInt(value);
  }

  List<Phrase> phrases(String name) {
    return get(phrases, name);
  }

  /** The first of these phrases that is the whole text. */
  Optional<Phrase.Found> match(String name, String text) {
    return phrases(name).stream().flatMap(phrase -> phrase.match(text).stream()).findFirst();
  }

  /** The first of these phrases that is in a text. */
  Optional<Phrase.Found> find(String name, String text) {
    return phrases(name).stream().flatMap(phrase -> phrase.find(text, 0).stream()).findFirst();
  }

  boolean matches(String name, String text) {
    return match(name, text).isPresent();
  }

  /** A text without these phrases, wherever they still are when others are gone. */
  String without(String name, String text) {
    String rest = text;
    String before;
    do {
      before = rest;
      for (Phrase phrase : phrases(name)) {
        rest = Phrase.tidy(phrase.pattern().matcher(rest).replaceAll(" "));
      }
    } while (!rest.equals(before));
    return rest;
  }
}
