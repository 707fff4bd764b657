package dev.clew.mcptools;

import dev.clew.Part;
import dev.clew.agent.ToolOutput;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The result of a call, as a tool's output. Stateless. */
final class CallResult {
  private static final Pattern MEDIA_TYPE = Pattern.compile("[a-zA-Z0-9.+-]{1,60}/[\\w.+-]{1,100}");

  private CallResult() {}

  static ToolOutput read(String result) throws McpFailure {
    Map<String, String> fields = Json.fields(result);
    String content = fields.getOrDefault("content", "[]");
    String structured = fields.getOrDefault("structuredContent", "null");
    if (!content.startsWith("[") || "input_required".equals(text(fields, "resultType"))) {
      throw McpFailure.connection("it answered with something other than the result of a call");
    }
    List<String> texts = new ArrayList<>();
    List<Part> parts = new ArrayList<>();
    int room = Bounds.TEXT_CHARS;
    List<String> blocks = Json.elements(content);
    for (String block : blocks.subList(0, Math.min(blocks.size(), Bounds.PARTS))) {
      Optional<Part> image = image(block);
      if (image.isPresent()) {
        parts.add(image.get());
      } else {
        String text = cut(text(block), room);
        room = Math.max(0, room - text.length());
        texts.add(text);
        parts.add(Part.inputText(text));
      }
    }
    if (!structured.equals("null") && texts.stream().noneMatch(text -> same(text, structured))) {
      parts.add(Part.inputText(cut(structured, room)));
    }
    if (blocks.size() > Bounds.PARTS) {
      parts.add(Part.inputText("[" + (blocks.size() - Bounds.PARTS) + " more parts left out]"));
    }
    return parts.isEmpty()
        ? ToolOutput.of("", isError(fields))
        : new ToolOutput(parts, isError(fields));
  }

  private static boolean isError(Map<String, String> fields) {
    return "true".equals(fields.get("isError"));
  }

  private static String cut(String text, int room) {
    return text.length() <= room
        ? text
        : text.substring(0, room)
            + "\n[cut: the first "
            + room
            + " of "
            + text.length()
            + " characters]";
  }

  /** Whether a text says the same as the structured content, as it should for older clients. */
  private static boolean same(String text, String structured) {
    if (text.equals(structured)) {
      return true;
    }
    try {
      return text.startsWith("{") && Json.readObject(structured).equals(Json.read(text));
    } catch (IllegalArgumentException e) { // it is no JSON
      return false;
    }
  }

  private static Optional<Part> image(String block) {
    if (!block.startsWith("{")) {
      return Optional.empty();
    }
    Map<String, String> fields = Json.fields(block);
    String media = text(fields, "mimeType");
    if (!text(fields, "type").equals("image") || !MEDIA_TYPE.matcher(media).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        Part.parse(
            new JsonObject()
                .put("type", "input_image")
                .put("image_url", "data:" + media + ";base64," + text(fields, "data"))
                .put("detail", "auto")
                .toString()));
  }

  /** What a model reads of a block that is not an image. */
  private static String text(String block) {
    if (!block.startsWith("{")) {
      return block;
    }
    Map<String, String> fields = Json.fields(block);
    return switch (text(fields, "type")) {
      case "text" -> text(fields, "text");
      case "audio" -> data("sound", text(fields, "mimeType"), text(fields, "data"));
      case "resource_link" -> text(fields, "name") + ": " + text(fields, "uri");
      case "resource" -> resource(fields.getOrDefault("resource", "{}"));
      default -> block;
    };
  }

  private static String resource(String json) {
    Map<String, String> fields = json.startsWith("{") ? Json.fields(json) : Map.of();
    String uri = text(fields, "uri");
    return fields.containsKey("text")
        ? uri + "\n" + text(fields, "text")
        : uri + " " + data("file", text(fields, "mimeType"), text(fields, "blob"));
  }

  private static String data(String what, String media, String base64) {
    return "[" + what + " of type " + media + ", " + base64.length() * 3L / 4 + " bytes]";
  }

  private static String text(Map<String, String> fields, String name) {
    String text = Json.string(fields.get(name));
    return text == null ? "" : text;
  }
}
