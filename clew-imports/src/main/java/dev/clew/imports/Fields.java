package dev.clew.imports;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object of another program, read without trust: a field that is missing or of another type
 * is absent. Immutable.
 */
record Fields(Map<String, @Nullable Object> map) {
  private static final BigDecimal MILLIS_FROM = BigDecimal.valueOf(100_000_000_000L);

  static Fields of(@Nullable Object value) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, field) -> fields.put(String.valueOf(name), field));
    }
    return new Fields(fields);
  }

  boolean has(String name) {
    return map.get(name) != null;
  }

  Optional<String> text(String name) {
    return map.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** A text that is not empty. */
  Optional<String> filled(String name) {
    return text(name).filter(text -> !text.isEmpty());
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(map.get(name));
  }

  Fields object(String name) {
    return of(map.get(name));
  }

  /** The elements of an array; none if it is no array. */
  List<@Nullable Object> list(String name) {
    List<@Nullable Object> elements = new ArrayList<>();
    if (map.get(name) instanceof List<?> list) {
      elements.addAll(list);
    }
    return elements;
  }

  /** The objects in an array. */
  List<Fields> objects(String name) {
    return list(name).stream().filter(Map.class::isInstance).map(Fields::of).toList();
  }

  Optional<Long> number(String name) {
    return map.get(name) instanceof Number number
        ? Optional.of(number.longValue())
        : Optional.empty();
  }

  /** A time: seconds or milliseconds since 1970, or ISO 8601. */
  Optional<Instant> time(String name) {
    Object value = map.get(name);
    try {
      if (value instanceof String text) {
        return Optional.of(Instant.parse(text));
      }
      if (value instanceof Number number) {
        BigDecimal time = new BigDecimal(number.toString());
        if (time.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE / 1_000_000)) > 0) {
          return Optional.empty();
        }
        BigDecimal millis = time.abs().compareTo(MILLIS_FROM) < 0 ? time.movePointRight(3) : time;
        return Optional.of(Instant.ofEpochMilli(millis.longValue()));
      }
    } catch (DateTimeException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /** All but some fields, as they were. */
  Map<String, @Nullable Object> without(Set<String> names) {
    Map<String, @Nullable Object> rest = new LinkedHashMap<>(map);
    rest.keySet().removeAll(names);
    return rest;
  }
}
