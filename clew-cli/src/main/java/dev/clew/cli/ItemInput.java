package dev.clew.cli;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.internal.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads items from JSON: an array, one object, or one object a line (JSONL). Stateless. An error
 * names the source and the item or line in it.
 */
final class ItemInput {
  private static final ItemLimits NO_LIMITS = new ItemLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
  private static final Pattern PLACE = Pattern.compile("line: (\\d+), column: (\\d+)");

  private ItemInput() {}

  /** The items of {@code --item}, each a JSON object. */
  static List<Item> options(List<String> texts) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      items.add(item(texts.get(i), "--item[" + i + "]"));
    }
    return items;
  }

  /** The items of a file or of standard input. */
  static List<Item> file(String text, String name) {
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

  /** What {@code clew export} wrote: the session's id and its items. */
  record Exported(String sessionId, List<Item> items) {}

  /** The document of an export; an error names the source and the field or item in it. */
  static Exported document(String text, String name) {
    String source = name.equals("-") ? "standard input" : name;
    Map<String, String> fields;
    try {
      Json.check(text, NO_LIMITS);
      fields = Json.fields(text);
    } catch (Json.Malformed e) {
      throw Failure.usage(source + " is no export: " + e.getMessage());
    }
    String id = Json.string(fields.get("session_id"));
    String items = fields.get("items");
    if (id == null || items == null || !items.startsWith("[")) {
      throw Failure.usage(
          source
              + " is no export: it needs \"session_id\", a text, and \"items\", an array;"
              + " 'clew add --items' takes an array alone");
    }
    List<String> elements = Json.elements(items);
    String count = fields.getOrDefault("item_count", String.valueOf(elements.size()));
    if (!count.equals(String.valueOf(elements.size()))) {
      throw Failure.usage(
          source
              + " says that it has "
              + count
              + " items and has "
              + elements.size()
              + "; nothing was imported, correct item_count if that is right");
    }
    return new Exported(id, each(elements, source + ", items"));
  }

  /** The elements are known to be good, so what can be wrong is what follows the array. */
  private static void requireNothingAfter(String array, String source) {
    try {
      Json.check("{\"\":" + array + "}", NO_LIMITS);
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
      Json.check(text, ItemLimits.STORE);
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
