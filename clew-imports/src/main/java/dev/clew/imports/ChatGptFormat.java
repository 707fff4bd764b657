package dev.clew.imports;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code conversations.json} of an export of ChatGPT, in its zip or out of it. Stateless. */
final class ChatGptFormat extends JsonFormat {
  ChatGptFormat() {
    super("chatgpt", "conversations(-\\d+)?\\.json");
  }

  @Override
  boolean fits(Fields element) {
    return element.map().get("mapping") instanceof Map;
  }

  @Override
  Conversion conversion(SourceFiles source, Losses losses) {
    return (element, place) -> conversations(element, place, new Images(source, losses), losses);
  }

  private List<Conversation> conversations(
      Fields element, String place, Images images, Losses losses) {
    Optional<String> id = element.text("conversation_id").or(() -> element.text("id"));
    if (id.orElse("").isEmpty()) {
      losses.add(place, "a conversation without an id");
      return List.of();
    }
    MessageTree tree = new MessageTree();
    element
        .object("mapping")
        .map()
        .forEach(
            (name, node) -> {
              Fields fields = Fields.of(node);
              tree.add(name, fields.text("parent").orElse(null), fields.object("message"));
            });
    Conversation about =
        new Conversation(
            id.get(),
            place + " ('" + id.get() + "')",
            Description.of(
                    name(),
                    id.get(),
                    element.text("title").orElse(""),
                    element.time("create_time"),
                    element.time("update_time"),
                    element.without(
                        Set.of("mapping", "title", "id", "conversation_id", "current_node")))
                .archived(element.flag("is_archived"))
                .pinned(element.flag("is_starred")),
            List.of());
    return Branches.of(
        tree,
        element.text("current_node"),
        about,
        losses,
        drafts -> new ChatGptMessages(images, drafts)::add);
  }
}
