package dev.clew.cli.command;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.cli.terminal.Failure;
import dev.clew.json.Json;
import dev.clew.json.JsonElements;
import dev.clew.transcript.ExportedSession;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads items from JSON: an array, one object, or one object a line (JSONL). Stateless. An error
 * names the source and the item or line in it.
 */
public final class ItemInput {
  private static final ItemLimits NO_LIMITS = new ItemLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
  private static final Pattern PLACE = Pattern.compile("line: (\\d+), column: (\\d+)");

  private static final int MAX_DEPTH = 1000;

  private ItemInput() {}

  /** The items of {@code --item}, each a JSON object. */
  public static List<Item> options(List<String> texts) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      items.add(item(texts.get(i), "--item[" + i + "]"));
    }
    return items;
  }

  /** The items of a file or of standard input. */
  public static List<Item> file(String text, String name) {
    String source = name.equals("-") ? "standard input" : name;
    if (text.stripLeading().startsWith("[")) {
      return array(text, source);
    }
    return isOneObject(text) ? List.of(item(text, source)) : lines(text, source);
  }

  private static List<Item> array(String text, String source) {
    List<String> elements;
    try {
      elements = Json.elements(text);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(source + place(e) + ": not a JSON array");
    }
    List<Item> items = each(elements, source);
    requireNothingAfter(text, source);
    return items;
  }

  private static List<Item> each(List<String> elements, String source) {
    List<Item> items = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      items.add(item(elements.get(i), source + "[" + i + "]"));
    }
    return items;
  }

  /** What {@code clew export} wrote; an error names the source and the field or item in it. */
  public static ExportedSession document(String text, String name) {
    String source = name.equals("-") ? "standard input" : name;
    try {
      return ExportedSession.parse(text);
    } catch (ClewException.InvalidItem e) {
      throw Failure.usage(source + ", " + e.getMessage() + "; nothing was added");
    } catch (IllegalArgumentException e) {
      broken(text)
          .ifPresent(
              why -> {
                throw Failure.usage(
                    "%s is not an export, and cut off or no JSON: %s; nothing was written"
                        .formatted(source, why));
              });
      throw Failure.usage(
          String.format(
              "%s %s%s; 'clew import --from FORMAT' takes what other programs keep",
              source,
              e.getMessage(),
              text.stripLeading().startsWith("[")
                  ? "; 'clew add --items' takes an array of items"
                  : ""));
    }
  }

  /** What is wrong with a text as JSON, with line and column; nothing if it is JSON. */
  private static Optional<String> broken(String text) {
    try (JsonElements elements =
        new JsonElements(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), 0, MAX_DEPTH)) {
      while (elements.next() != null) {
        // only whether there is a next one
      }
      return Optional.empty();
    } catch (Json.Malformed e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The elements are known to be good, so what can be wrong is what follows the array. */
  private static void requireNothingAfter(String array, String source) {
    try {
      Json.check("{\"\":" + array + "}", NO_LIMITS.json());
    } catch (Json.Malformed e) {
      throw Failure.usage(source + ": there is text after the end of the array; nothing was added");
    }
  }

  /** Where the parser stopped, which is all of its message that helps. */
  private static String place(IllegalArgumentException e) {
    Matcher place = PLACE.matcher(e.getCause() == null ? "" : e.getCause().toString());
    return place.find() ? ", line " + place.group(1) + ", column " + place.group(2) : "";
  }

  private static boolean isOneObject(String text) {
    try {
      Json.check(text, ItemLimits.STORE.json());
      return true;
    } catch (Json.Malformed e) {
      return false;
    }
  }

  private static List<Item> lines(String text, String source) {
    List<Item> items = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (!line.isBlank()) {
        items.add(item(line, source + ", line " + number));
      }
    }
    return items;
  }

  private static Item item(String json, String where) {
    try {
      return Item.parse(json, ItemLimits.STORE);
    } catch (ClewException.InvalidItem e) {
      throw Failure.usage(where + ": " + e.getMessage() + "; nothing was added");
    }
  }
}
