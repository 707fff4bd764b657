package dev.clew.demo;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the arguments of a tool in what the user said: quoted texts, names, numbers, choices. Used
 * once, by one thread.
 */
final class SaidArguments {
  private static final String NAME =
      "\\p{Lu}[\\p{L}\\d.'’-]*(?:\\s+\\p{Lu}[\\p{L}\\d.'’-]*)*(?:,\\s*\\p{Lu}[\\p{L}.]*)*";
  private static final Pattern QUOTED = Pattern.compile("[\"“「]([^\"”」]+)[\"”」]");
  private static final Pattern PLACED =
      Pattern.compile("\\b(?:in|at|for|of|to|near|from|about)\\s+(" + NAME + ")");
  private static final Pattern NAMED =
      Pattern.compile("(?<=[\\p{L}\\d,]\\s)(?!I\\b)(" + NAME + ")");
  private static final Pattern NUMBER = Pattern.compile("(-?\\d+(?:\\.\\d+)?)");

  private final String sentence;
  private final Deque<String> names;
  private final Deque<String> numbers;
  private boolean used;
  private boolean complete = true;

  /**
   * Of the sentences of the user.
   *
   * @param said oldest first; names may be in an earlier one
   */
  SaidArguments(List<String> said) {
    sentence = said.get(said.size() - 1).strip();
    Set<String> found = new LinkedHashSet<>(all(QUOTED, sentence));
    for (int i = said.size() - 1; i >= 0; i--) {
      found.addAll(all(PLACED, said.get(i)));
      found.addAll(all(NAMED, said.get(i)));
    }
    names = new ArrayDeque<>(found);
    numbers = new ArrayDeque<>(all(NUMBER, sentence));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1).replaceAll("[.'’-]+$", ""))
        .toList();
  }

  /** Whether everything that is required was found. */
  boolean complete() {
    return complete;
  }

  /** The arguments that a schema of an object describes. */
  Map<String, @Nullable Object> object(Map<?, ?> schema) {
    Map<String, @Nullable Object> found = new LinkedHashMap<>();
    Collection<?> required =
        schema.get("required") instanceof Collection<?> names ? names : List.of();
    if (schema.get("properties") instanceof Map<?, ?> properties) {
      properties.forEach(
          (name, described) -> {
            boolean needed = required.contains(name);
            Map<?, ?> property = described instanceof Map<?, ?> map ? map : Map.of();
            Optional<?> value = value(String.valueOf(name), property, needed);
            if (value.isPresent()) {
              found.put(String.valueOf(name), value.get());
            } else if (needed && types(property).contains("null")) {
              found.put(String.valueOf(name), null);
            } else {
              complete &= !needed;
            }
          });
    }
    return found;
  }

  private Optional<?> value(String name, Map<?, ?> schema, boolean needed) {
    if (schema.get("enum") instanceof Collection<?> choices) {
      return choice(choices, needed ? schema.get("default") : null, needed);
    }
    List<String> types = types(schema);
    if (types.contains("integer") || types.contains("number")) {
      return Optional.ofNullable(numbers.poll()).map(BigDecimal::new);
    } else if (types.contains("boolean")) {
      return needed ? Optional.of(Boolean.TRUE.equals(schema.get("default"))) : Optional.empty();
    } else if (types.contains("array")) {
      Map<?, ?> items = schema.get("items") instanceof Map<?, ?> map ? map : Map.of();
      return value(name, items, needed).map(List::of);
    } else if (types.contains("object")) {
      return needed ? Optional.of(object(schema)) : Optional.empty();
    }
    return text(name, needed);
  }

  private static List<String> types(Map<?, ?> schema) {
    Object type = schema.get("type");
    return type instanceof Collection<?> several
        ? several.stream().map(String::valueOf).toList()
        : List.of(String.valueOf(type == null ? "string" : type));
  }

  /** A choice that was said, else if there must be one the usual one. */
  private Optional<?> choice(Collection<?> choices, @Nullable Object usual, boolean needed) {
    String said = sentence.toLowerCase(Locale.ROOT);
    Optional<?> named =
        choices.stream()
            .filter(each -> said.contains(String.valueOf(each).toLowerCase(Locale.ROOT)))
            .findFirst();
    return named.isPresent() || !needed
        ? named
        : Stream.concat(Stream.ofNullable(usual), choices.stream()).findFirst();
  }

  /** What follows the name of the argument, else the next name; the first may be the sentence. */
  private Optional<String> text(String name, boolean needed) {
    Optional<String> labelled =
        Pattern.compile("\\b" + Pattern.quote(name) + "\\b(?:\\s*[:=]|\\s+is)?\\s+(" + NAME + ")")
            .matcher(sentence)
            .results()
            .map(match -> match.group(1))
            .findFirst();
    if (labelled.isPresent()) {
      names.remove(labelled.get());
    } else if (needed) {
      labelled =
          Optional.ofNullable(names.poll())
              .or(() -> used || sentence.isEmpty() ? Optional.empty() : Optional.of(sentence));
    }
    used |= labelled.isPresent();
    return labelled;
  }
}
