package dev.clew;

import dev.clew.json.Json;
import dev.clew.json.JsonText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object of a conversation: a message, a tool call, its output, or anything else.
 * Immutable and thread-safe.
 *
 * <p>The validated JSON text is the truth: unknown types and fields, the order of keys, the
 * spelling of numbers and escapes all come back as they were given. Only white space between tokens
 * is dropped. {@link #view()} looks inside.
 */
public final class Item {
  private final String json;
  private @Nullable Head head;

  /** What is read from the text at most once; benign if two threads both do it. */
  private record Head(String type, Optional<String> id, int depth) {
    static Head of(Json.Head found) {
      String type = found.type();
      if (type == null) {
        type = found.role() == null ? "" : "message";
      }
      return new Head(type, Optional.ofNullable(found.id()), found.depth());
    }
  }

  private Item(String json, @Nullable Head head) {
    this.json = json;
    this.head = head;
  }

  /** A user's message. */
  public static Item user(String text) {
    return message(Role.USER, List.of(Part.inputText(text)));
  }

  /** A model's message. */
  public static Item assistant(String text) {
    return message(Role.ASSISTANT, List.of(Part.outputText(text)));
  }

  /** A system message. */
  public static Item system(String text) {
    return message(Role.SYSTEM, List.of(Part.inputText(text)));
  }

  /** A developer's message. */
  public static Item developer(String text) {
    return message(Role.DEVELOPER, List.of(Part.inputText(text)));
  }

  /** A message of several parts, such as text and an image. */
  public static Item message(Role role, List<Part> content) {
    StringBuilder json = new StringBuilder("{\"type\":\"message\",\"role\":\"");
    json.append(role.wire()).append("\",\"content\":[");
    for (int i = 0; i < content.size(); i++) {
      json.append(i == 0 ? "" : ",").append(content.get(i).json());
    }
    return made(json.append("]}").toString());
  }

  /** The model asks for a tool; {@code argumentsJson} is the JSON text of the arguments. */
  public static Item functionCall(String callId, String name, String argumentsJson) {
    return made(
        fields("function_call", "call_id", callId, "name", name, "arguments", argumentsJson));
  }

  /** What the tool answered. */
  public static Item functionCallOutput(String callId, String output) {
    return made(fields("function_call_output", "call_id", callId, "output", output));
  }

  /**
   * The item in a JSON text, within {@link ItemLimits#DEFAULT}.
   *
   * @throws ClewException.InvalidItem saying what is wrong and where
   */
  public static Item parse(String json) {
    return parse(json, ItemLimits.DEFAULT);
  }

  /** The item in a JSON text, within the given limits. */
  public static Item parse(String json, ItemLimits limits) {
    Objects.requireNonNull(json, "json");
    // Bytes are at most three times the chars, so most texts need no exact count.
    long bytes = json.length() > limits.maxBytes() / 3 ? JsonText.utf8Length(json) : 0;
    if (bytes > limits.maxBytes()) {
      throw new ClewException.InvalidItem(
          "has " + bytes + " bytes, the limit is " + limits.maxBytes() + " (ItemLimits.maxBytes)");
    }
    try {
      Head head =
          Head.of(Json.check(json, limits.json())); // first: only what is JSON can be compacted
      return new Item(JsonText.compact(json), head);
    } catch (Json.Malformed e) {
      String remedy = e.isTooDeep() ? " (ItemLimits.maxDepth)" : "";
      throw new ClewException.InvalidItem(e.getMessage() + remedy);
    }
  }

  /** The item in UTF-8 bytes, which must be valid UTF-8 throughout. */
  public static Item parse(byte[] utf8, ItemLimits limits) {
    try {
      return parse(
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(utf8))
              .toString(),
          limits);
    } catch (CharacterCodingException e) {
      throw new ClewException.InvalidItem("is not valid UTF-8: " + e.getMessage());
    }
  }

  /**
   * The items in several JSON texts.
   *
   * @throws ClewException.InvalidItem with the index of the first invalid one
   */
  public static List<Item> parseAll(List<String> texts) {
    List<Item> items = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      if (text == null) {
        throw new ClewException.InvalidItem(i, "is null");
      }
      try {
        items.add(parse(text));
      } catch (ClewException.InvalidItem e) {
        throw new ClewException.InvalidItem(i, String.valueOf(e.getMessage()));
      }
    }
    return List.copyOf(items);
  }

  /**
   * An item from text that {@link #json()} returned before. For stores, which know from a checksum
   * that it is unchanged: the text is not checked.
   */
  public static Item trusted(String json) {
    return new Item(json, null);
  }

  /** The same, with a known type and id, so that the text need not be parsed for them. */
  public static Item trusted(String json, String type, Optional<String> id) {
    return new Item(json, new Head(type, id, 0));
  }

  /**
   * An item from a JSON text that was already checked as a whole: only white space and depth are
   * looked at.
   *
   * @param type as {@link #type()} has it
   * @param id as {@link #id()} has it
   */
  public static Item checked(String json, String type, Optional<String> id) {
    return new Item(JsonText.compact(json), new Head(type, id, JsonText.depth(json)));
  }

  /**
   * The item in a text that another program wrote into a store. It must be a JSON object; limits do
   * not apply, because they are for writing.
   *
   * @throws ClewException.InvalidItem if it is not
   */
  public static Item stored(String json) {
    try {
      Head head = Head.of(Json.checkStored(json));
      return new Item(JsonText.compact(json), head);
    } catch (Json.Malformed e) {
      throw new ClewException.InvalidItem(String.valueOf(e.getMessage()));
    }
  }

  /** The item as JSON text, without white space between tokens. */
  public String json() {
    return json;
  }

  /**
   * The item's type, such as {@code message} or {@code function_call}. The short form {@code
   * {"role":"user","content":"Hello"}} is a message; without a type or a role it is empty.
   */
  public String type() {
    return head().type();
  }

  /** The id the item itself carries, such as {@code msg_68…}; most do not. */
  public Optional<String> id() {
    return head().id();
  }

  /** How deep a parsed item is nested; 0 when it was not parsed, so not from outside. */
  int depth() {
    Head known = head;
    return known == null ? 0 : known.depth();
  }

  /** What the item says. Parsed on each call. */
  public View view() {
    return Views.of(type(), json);
  }

  private Head head() {
    Head known = head;
    if (known == null) {
      known = Head.of(Json.head(json));
      head = known;
    }
    return known;
  }

  private static String fields(String type, String... pairs) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("type", type);
    for (int i = 0; i < pairs.length; i += 2) {
      fields.put(pairs[i], Objects.requireNonNull(pairs[i + 1], pairs[i]));
    }
    return Json.write(fields);
  }

  /** An item of our own making: valid by construction, but of any size. */
  private static Item made(String json) {
    return new Item(json, null);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Item item && item.json.equals(json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return json;
  }
}
