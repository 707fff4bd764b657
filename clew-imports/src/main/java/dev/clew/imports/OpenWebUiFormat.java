package dev.clew.imports;

import dev.clew.Role;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Chats that Open WebUI exported as JSON: all of them, or one. Stateless. */
final class OpenWebUiFormat extends JsonFormat {
  private static final int LONGEST_TAG = 128;

  OpenWebUiFormat() {
    super("openwebui", ".*\\.json");
  }

  @Override
  boolean fits(Fields element) {
    return element.object("chat").object("history").map().get("messages") instanceof Map;
  }

  @Override
  Conversion conversion(SourceFiles source, Losses losses) {
    return (element, place) -> conversations(element, place, losses);
  }

  private List<Conversation> conversations(Fields element, String place, Losses losses) {
    Fields chat = element.object("chat");
    Optional<String> id =
        element.text("id").or(() -> chat.text("id")).filter(text -> !text.isEmpty());
    if (id.isEmpty()) {
      losses.add(place, "a chat without an id");
      return List.of();
    }
    MessageTree tree = new MessageTree();
    Fields history = chat.object("history");
    history
        .object("messages")
        .map()
        .forEach(
            (name, message) -> {
              Fields fields = Fields.of(message);
              tree.add(name, fields.text("parentId").orElse(null), fields);
            });
    Map<String, @Nullable Object> rest =
        element.without(Set.of("id", "title", "chat", "archived", "pinned"));
    rest.put("chat", chat.without(Set.of("history", "messages", "title", "id")));
    SessionUpdate description =
        Description.of(
                name(),
                id.get(),
                element.text("title").or(() -> chat.text("title")).orElse(""),
                element.time("created_at"),
                element.time("updated_at"),
                rest)
            .tags(tags(element, chat))
            .archived(element.flag("archived"))
            .pinned(element.flag("pinned"));
    Conversation about =
        new Conversation(id.get(), place + " ('" + id.get() + "')", description, List.of());
    return Branches.of(
        tree,
        history.text("currentId"),
        about,
        losses,
        drafts -> (each, at) -> message(each, at, drafts));
  }

  private static Set<String> tags(Fields element, Fields chat) {
    Set<String> tags = new TreeSet<>();
    List<@Nullable Object> all = new ArrayList<>(element.object("meta").list("tags"));
    all.addAll(chat.list("tags"));
    for (Object tag : all) {
      if (tag instanceof String text
          && !text.isBlank()
          && text.length() <= LONGEST_TAG
          && text.codePoints().noneMatch(c -> c < ' ' || (c >= 0xD800 && c <= 0xDFFF))) {
        tags.add(text);
      }
    }
    return tags;
  }

  private static void message(Fields message, String place, Drafts drafts) {
    List<JsonObject> items = items(message, place, drafts);
    Map<String, @Nullable Object> notes =
        Drafts.notes(
            message.text("model"),
            message.without(
                items.size() == 1
                    ? Set.of("content", "timestamp", "model", "output")
                    : Set.of("timestamp", "model", "output")));
    Fields usage = message.object("usage");
    usage
        .number("prompt_tokens")
        .or(() -> usage.number("input_tokens"))
        .ifPresent(count -> notes.put("input_tokens", count));
    usage
        .number("completion_tokens")
        .or(() -> usage.number("output_tokens"))
        .ifPresent(count -> notes.put("output_tokens", count));
    drafts.addAll(place, items, message.time("timestamp"), notes);
  }

  private static List<JsonObject> items(Fields message, String place, Drafts drafts) {
    List<JsonObject> items = new ArrayList<>();
    for (Fields item : message.objects("output")) { // items of the Responses API, as they are
      JsonObject json = new JsonObject();
      item.map().forEach((name, value) -> json.raw(name, Json.write(value)));
      items.add(json);
    }
    if (!items.isEmpty()) {
      return items;
    }
    String wire = message.text("role").orElse("");
    Role role = Role.of(wire).orElse(Role.SYSTEM);
    if (Role.of(wire).isEmpty()) {
      drafts.loss(place, "the role '" + wire + "', which is kept as a system message");
    }
    List<String> parts = new ArrayList<>();
    message.filled("content").ifPresent(text -> parts.add(Drafts.text(role, text)));
    for (Fields file : message.objects("files")) {
      parts.add(file(file, place, drafts));
    }
    return Drafts.message(role, parts).map(List::of).orElse(List.of());
  }

  private static String file(Fields file, String place, Drafts drafts) {
    boolean image = file.text("type").orElse("").equals("image");
    Optional<String> url = file.text("url");
    if (image && url.filter(text -> text.startsWith("data:")).isPresent()) {
      return new JsonObject().put("type", "input_image").put("image_url", url.get()).toString();
    }
    drafts.loss(place, "a file, of which the export has only the name");
    return Drafts.file(image, file.text("id").or(() -> url), file.text("name"));
  }
}
