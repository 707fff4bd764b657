package dev.clew.imports;

import dev.clew.Role;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Messages of ChatGPT as items. Not thread-safe: made for one branch.
 *
 * <p>A message to a tool is a call, a message of that tool its output. Thoughts are reasoning. All
 * other content of a message goes into the notes of its item.
 */
final class ChatGptMessages {
  private final Images images;
  private final Drafts drafts;
  private final Map<String, String> openCalls = new HashMap<>();

  ChatGptMessages(Images images, Drafts drafts) {
    this.images = images;
    this.drafts = drafts;
  }

  void add(Fields message, String place) {
    if (!message.has("content")) {
      return; // the root, which says nothing
    }
    Fields content = message.object("content");
    Set<String> carried = new HashSet<>(Set.of("id", "create_time"));
    if (isText(content)) {
      carried.add("content");
    }
    Optional<JsonObject> item = item(message, content, place);
    if (item.isPresent()) {
      drafts.add(
          place,
          item.get().toString(),
          message.time("create_time"),
          Drafts.notes(message.object("metadata").text("model_slug"), message.without(carried)));
    }
  }

  /** Whether the item has all of the content. */
  private static boolean isText(Fields content) {
    return content.text("content_type").orElse("").equals("text")
        && content.list("parts").stream().allMatch(part -> part instanceof String);
  }

  private Optional<JsonObject> item(Fields message, Fields content, String place) {
    String id = message.text("id").orElse("");
    Fields author = message.object("author");
    String role = author.text("role").orElse("");
    String recipient = message.text("recipient").orElse("all");
    String type = content.text("content_type").orElse("text");
    if (type.equals("thoughts") || type.equals("reasoning_recap")) {
      List<String> thoughts = thoughts(content);
      return thoughts.isEmpty() ? Optional.empty() : Optional.of(Drafts.reasoning(thoughts));
    }
    if (role.equals("assistant") && !recipient.equals("all")) {
      openCalls.put(recipient, id);
      return Optional.of(Drafts.call(id, recipient, arguments(plain(content))));
    }
    if (role.equals("tool")) {
      return result(id, author.text("name").orElse(""), content, place);
    }
    Role speaker =
        type.endsWith("_editable_context") ? Role.SYSTEM : Role.of(role).orElse(Role.SYSTEM);
    if (Role.of(role).isEmpty()) {
      drafts.loss(place, "the role '" + role + "', which is kept as a system message");
    }
    return Drafts.message(speaker, parts(speaker, content, place));
  }

  private Optional<JsonObject> result(String id, String tool, Fields content, String place) {
    String call = openCalls.remove(tool);
    if (call == null) {
      drafts.loss(place, "a tool's answer to no call, which is kept but not shown to models");
    }
    List<String> parts = parts(Role.USER, content, place);
    return Optional.of(
        new JsonObject()
            .put("type", "function_call_output")
            .put("call_id", call == null ? id : call)
            .array("output", parts));
  }

  private static List<String> thoughts(Fields content) {
    List<String> texts = new ArrayList<>();
    for (Fields thought : content.objects("thoughts")) {
      String text =
          Stream.of(thought.filled("summary"), thought.filled("content"))
              .flatMap(Optional::stream)
              .collect(Collectors.joining("\n"));
      if (!text.isEmpty()) {
        texts.add(text);
      }
    }
    content.filled("content").ifPresent(texts::add);
    return texts;
  }

  /** Arguments are JSON; code and plain text to a tool become the field of an object. */
  private static String arguments(String text) {
    try {
      Json.readObject(text.strip());
      return text.strip();
    } catch (IllegalArgumentException e) {
      return Json.write(Map.of("input", text));
    }
  }

  /** The text of a content, whatever its type. */
  private static String plain(Fields content) {
    StringBuilder text = new StringBuilder();
    for (Object part : content.list("parts")) {
      if (part instanceof String words) {
        text.append(words);
      }
    }
    for (String name : List.of("text", "result", "user_profile", "user_instructions")) {
      content
          .filled(name)
          .ifPresent(words -> text.append(text.isEmpty() ? "" : "\n").append(words));
    }
    return text.toString();
  }

  private List<String> parts(Role role, Fields content, String place) {
    List<String> parts = new ArrayList<>();
    String text = plain(content);
    boolean code = content.text("content_type").orElse("").equals("code");
    if (!text.isEmpty()) {
      String language = content.text("language").filter(name -> !name.equals("unknown")).orElse("");
      parts.add(Drafts.text(role, code ? "```" + language + "\n" + text + "\n```" : text));
    }
    long room = Images.MOST_OF_AN_ITEM;
    for (Object part : content.list("parts")) {
      if (part instanceof Map) {
        String made = part(role, Fields.of(part), room, place);
        parts.add(made);
        room -= made.length();
      }
    }
    if (parts.isEmpty() && !isText(content) && content.map().size() > 1) {
      drafts.loss(
          place,
          "content of the type '%s', which is kept in the notes of the item but not shown"
              .formatted(content.text("content_type").orElse("")));
    }
    return parts;
  }

  private String part(Role role, Fields part, long room, String place) {
    String type = part.text("content_type").orElse("");
    if (part.text("text").isPresent()) { // what was said aloud
      return Drafts.text(role, part.text("text").get());
    }
    Optional<String> pointer = part.text("asset_pointer");
    if (pointer.isPresent()) {
      String file = pointer.get().replaceFirst("^[a-z-]+://", "");
      if (!type.startsWith("image")) {
        drafts.loss(place, "sound or another file, which is not carried (" + type + ")");
        return Drafts.file(false, Optional.of(file), Optional.empty());
      }
      JsonObject image = new JsonObject().put("type", "input_image");
      return images
          .dataUrl(file, room, place)
          .map(url -> image.put("image_url", url))
          .orElseGet(() -> image.put("file_id", file))
          .toString();
    }
    return Drafts.other(type.isEmpty() ? "other" : type, part.without(Set.of("type"))).toString();
  }
}
