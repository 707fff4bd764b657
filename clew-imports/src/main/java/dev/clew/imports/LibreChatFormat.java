package dev.clew.imports;

import dev.clew.Role;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A conversation that LibreChat exported as JSON, with or without branches, nested ({@code
 * recursive}) or as a list. Stateless.
 */
final class LibreChatFormat extends JsonFormat {
  LibreChatFormat() {
    super("librechat", ".*\\.json");
  }

  @Override
  boolean fits(Fields element) {
    return element.text("conversationId").isPresent()
        && (element.map().get("messages") instanceof List
            || element.map().get("messagesTree") instanceof List);
  }

  @Override
  Conversion conversion(SourceFiles source, Losses losses) {
    return (element, place) -> conversations(element, place, losses);
  }

  private List<Conversation> conversations(Fields element, String place, Losses losses) {
    String id = element.text("conversationId").orElse("");
    MessageTree tree = tree(element);
    Conversation about =
        new Conversation(
            id,
            place + " ('" + id + "')",
            Description.of(
                    name(),
                    id,
                    element.text("title").orElse(""),
                    element.time("createdAt"),
                    element.time("updatedAt"),
                    element.without(Set.of("conversationId", "title", "messages", "messagesTree")))
                .archived(element.flag("isArchived")),
            List.of());
    return Branches.of(
        tree, newest(tree), about, losses, drafts -> (each, at) -> message(each, at, drafts));
  }

  private static MessageTree tree(Fields element) {
    MessageTree tree = new MessageTree();
    List<Fields> messages = new ArrayList<>(element.objects("messagesTree"));
    messages.addAll(element.objects("messages"));
    boolean list = !element.flag("recursive");
    Deque<Fields> waiting = new ArrayDeque<>(messages);
    String before = null;
    int nameless = 0;
    while (!waiting.isEmpty()) {
      Fields message = waiting.poll();
      String id = message.text("messageId").orElse("message-" + ++nameless);
      // Without branches the messages of older versions do not say what they answer.
      String parent = message.text("parentMessageId").orElse(list ? before : null);
      tree.add(id, parent, message);
      before = id;
      waiting.addAll(message.objects("children"));
    }
    return tree;
  }

  /** The export does not say which branch was open; the one that was written last is likely. */
  private static Optional<String> newest(MessageTree tree) {
    Optional<String> newest = Optional.empty();
    Instant last = Instant.MIN;
    for (MessageTree.Node leaf : tree.leaves()) {
      Instant at = leaf.message().time("createdAt").orElse(Instant.MIN);
      if (!at.isBefore(last)) {
        last = at;
        newest = Optional.of(leaf.id());
      }
    }
    return newest;
  }

  private static void message(Fields message, String place, Drafts drafts) {
    Map<String, @Nullable Object> notes =
        Drafts.notes(
            message.text("model"),
            message.without(Set.of("text", "children", "createdAt", "model")));
    Role role = message.flag("isCreatedByUser") ? Role.USER : Role.ASSISTANT;
    message
        .number("tokenCount")
        .ifPresent(count -> notes.put(role == Role.USER ? "input_tokens" : "output_tokens", count));
    drafts.addAll(place, items(role, message, place, drafts), message.time("createdAt"), notes);
  }

  private static List<JsonObject> items(Role role, Fields message, String place, Drafts drafts) {
    List<JsonObject> items = new ArrayList<>();
    List<String> parts = new ArrayList<>();
    List<Fields> content = message.objects("content");
    if (content.isEmpty()) { // else the text, if there is one, repeats it
      message.filled("text").ifPresent(text -> parts.add(Drafts.text(role, text)));
    }
    for (Fields part : content) {
      String type = part.text("type").orElse("");
      switch (type) {
        case "text", "error" ->
            part.text(type)
                .or(() -> part.object(type).text("value"))
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> parts.add(Drafts.text(role, text)));
        case "think" -> {
          flush(items, role, parts);
          part.text("think").ifPresent(text -> items.add(Drafts.reasoning(List.of(text))));
        }
        case "tool_call" -> {
          flush(items, role, parts);
          toolCall(part.object("tool_call"), items, place, drafts);
        }
        default ->
            drafts.loss(
                place,
                "a part of the type '" + type + "', which is kept in the notes of the item only");
      }
    }
    for (Fields file : message.objects("files")) {
      boolean image = file.text("type").orElse("").startsWith("image/");
      parts.add(Drafts.file(image, file.text("file_id"), file.text("filename")));
      drafts.loss(place, "a file, of which the export has only the name");
    }
    flush(items, role, parts);
    return items;
  }

  /** What was said before something else was done. */
  private static void flush(List<JsonObject> items, Role role, List<String> parts) {
    Drafts.message(role, List.copyOf(parts)).ifPresent(items::add);
    parts.clear();
  }

  private static void toolCall(Fields call, List<JsonObject> items, String place, Drafts drafts) {
    Fields function = call.object("function");
    Optional<String> name = call.text("name").or(() -> function.text("name"));
    if (name.isEmpty()) {
      drafts.loss(place, "a tool call without a name, which is kept in the notes of the item only");
      return;
    }
    String id = call.filled("id").orElse("call-" + items.size());
    String arguments =
        call.text("args")
            .or(() -> function.text("arguments"))
            .orElseGet(() -> Json.write(call.object("args").map()));
    items.add(Drafts.call(id, name.get(), arguments));
    call.text("output")
        .or(() -> function.text("output"))
        .ifPresent(output -> items.add(Drafts.result(id, output)));
  }
}
