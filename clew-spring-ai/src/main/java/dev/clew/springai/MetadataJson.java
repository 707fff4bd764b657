package dev.clew.springai;

import dev.clew.adapter.KeptAsText;
import dev.clew.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Metadata as JSON values that keep their Java types, since messages are equal only with equal
 * types: {@code Integer}, {@code Double}, text and the like are plain, {@code {"$long":"1"}} is
 * another type. Keys are sorted. Thread-safe.
 */
final class MetadataJson {
  private static final String MESSAGE_TYPE = "messageType"; // every message adds its own
  private static final int MAX_DEPTH = 100;

  private final KeptAsText keptAsText;

  MetadataJson(KeptAsText keptAsText) {
    this.keptAsText = keptAsText;
  }

  /** The metadata without what every message has. */
  Map<String, @Nullable Object> write(Map<String, Object> metadata) {
    Map<String, @Nullable Object> json = new TreeMap<>();
    metadata.forEach(
        (name, value) -> {
          if (!name.equals(MESSAGE_TYPE)) {
            json.put(name, isDeep(value, 0) ? keptAsText.text(name, value) : value(name, value));
          }
        });
    return json;
  }

  @SuppressWarnings("NullAway") // Spring AI's maps may have null values
  Map<String, Object> read(@Nullable Object json) {
    Map<String, Object> metadata = new HashMap<>();
    if (json instanceof Map<?, ?> map) {
      map.forEach((name, value) -> metadata.put(String.valueOf(name), value(value)));
    }
    return metadata;
  }

  /** Whether it is nested deeper than anything that is read again, such as what contains itself. */
  private static boolean isDeep(@Nullable Object value, int depth) {
    Iterable<?> values =
        value instanceof Map<?, ?> map
            ? map.values()
            : value instanceof Iterable<?> list ? list : List.of();
    if (depth > MAX_DEPTH) {
      return true;
    }
    for (Object one : values) {
      if (isDeep(one, depth + 1)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Object value(String name, @Nullable Object value) {
    if (value == null
        || value instanceof Boolean
        || value instanceof Integer
        || value instanceof String) {
      return value;
    }
    if (value instanceof Double number) {
      return Double.isFinite(number) ? value : tagged("double", number.toString());
    }
    if (value instanceof Map<?, ?> map) {
      return map(name, map);
    }
    if (value instanceof Set<?> set) {
      return Map.of("$set", list(name, set));
    }
    if (value instanceof Iterable<?> list) {
      return list(name, list);
    }
    if (value instanceof byte[] bytes) {
      return tagged("bytes", Base64.getEncoder().encodeToString(bytes));
    }
    return scalar(name, value);
  }

  private Object scalar(String name, Object value) {
    if (value instanceof Long
        || value instanceof Float
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger
        || value instanceof BigDecimal
        || value instanceof Instant
        || value instanceof Duration
        || value instanceof UUID) {
      String type = value.getClass().getSimpleName();
      return tagged(Character.toLowerCase(type.charAt(0)) + type.substring(1), value.toString());
    }
    return keptAsText.text(name, value);
  }

  private static Map<String, Object> tagged(String type, String text) {
    return Map.of("$" + type, text);
  }

  private Object map(String name, Map<?, ?> map) {
    Map<String, @Nullable Object> json = new TreeMap<>();
    boolean plain = true;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = String.valueOf(entry.getKey());
      plain &= !key.startsWith("$");
      json.put(key, value(name, entry.getValue()));
    }
    return plain ? json : Map.of("$map", json);
  }

  private List<@Nullable Object> list(String name, Iterable<?> values) {
    List<@Nullable Object> json = new ArrayList<>();
    for (Object value : values) {
      json.add(value(name, value));
    }
    return json;
  }

  private @Nullable Object value(@Nullable Object json) {
    if (json instanceof Long number) {
      return number.intValue();
    }
    if (json instanceof BigDecimal number) {
      return number.doubleValue();
    }
    if (json instanceof List<?> list) {
      return list.stream().map(this::value).collect(ArrayList::new, List::add, List::addAll);
    }
    if (json instanceof Map<?, ?> map) {
      if (map.size() == 1) {
        Map.Entry<?, ?> only = map.entrySet().iterator().next();
        String key = String.valueOf(only.getKey());
        if (key.startsWith("$")) {
          return tagged(key.substring(1), only.getValue());
        }
      }
      return entries(map);
    }
    return json;
  }

  private Map<String, @Nullable Object> entries(Map<?, ?> map) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    map.forEach((key, value) -> values.put(String.valueOf(key), value(value)));
    return values;
  }

  /** A value of a type that this version knows; else the JSON as it is. */
  private @Nullable Object tagged(String type, @Nullable Object json) {
    if (type.equals("set") && value(json) instanceof List<?> list) {
      return new LinkedHashSet<>(list);
    }
    if (type.equals("map") && json instanceof Map<?, ?> map) {
      return entries(map);
    }
    String text = json instanceof String string ? string : Json.write(json);
    return switch (type) {
      case "double" -> Double.valueOf(text);
      case "bytes" -> Base64.getDecoder().decode(text);
      case "long" -> Long.valueOf(text);
      case "float" -> Float.valueOf(text);
      case "short" -> Short.valueOf(text);
      case "byte" -> Byte.valueOf(text);
      case "bigInteger" -> new BigInteger(text);
      case "bigDecimal" -> new BigDecimal(text);
      case "instant" -> Instant.parse(text);
      case "duration" -> Duration.parse(text);
      case "uUID" -> UUID.fromString(text);
      default -> Map.of("$" + type, json == null ? "" : json);
    };
  }
}
