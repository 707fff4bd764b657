package dev.clew.imports;

import dev.clew.Role;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Messages as {@code ChatMessageSerializer} of LangChain4j writes them: each file has the messages
 * of one chat memory, whose id is the file's name. Stateless.
 */
final class LangChain4jFormat extends JsonFormat {
  private static final Set<String> TYPES =
      Set.of("SYSTEM", "USER", "AI", "TOOL_EXECUTION_RESULT", "CUSTOM");

  LangChain4jFormat() {
    super("langchain4j", ".*\\.json");
  }

  @Override
  boolean fits(Fields element) {
    return element.text("type").filter(TYPES::contains).isPresent();
  }

  @Override
  Conversion conversion(SourceFiles source, Losses losses) {
    return new Memory(losses);
  }

  /** The messages of the file that is being read. */
  private final class Memory implements Conversion {
    private final Losses losses;
    private Drafts drafts;
    private int nameless;

    Memory(Losses losses) {
      this.losses = losses;
      this.drafts = new Drafts(losses);
    }

    @Override
    public List<Conversation> element(Fields message, String place) {
      drafts.addAll(
          place,
          items(message, place),
          Optional.empty(),
          Drafts.notes(
              Optional.empty(),
              message.without(
                  Set.of("type", "text", "contents", "toolExecutionRequests", "id", "toolName"))));
      return List.of();
    }

    private List<JsonObject> items(Fields message, String place) {
      return switch (message.text("type").orElse("")) {
        case "USER" -> said(Role.USER, parts(message, place));
        case "SYSTEM" -> said(Role.SYSTEM, parts(message, place));
        case "AI" -> {
          List<JsonObject> items = new ArrayList<>();
          message.filled("thinking").ifPresent(text -> items.add(Drafts.reasoning(List.of(text))));
          items.addAll(said(Role.ASSISTANT, text(Role.ASSISTANT, message)));
          for (Fields request : message.objects("toolExecutionRequests")) {
            items.add(
                Drafts.call(
                    request.text("id").orElseGet(() -> "call-" + ++nameless),
                    request.text("name").orElse(""),
                    request.text("arguments").orElse("{}")));
          }
          yield items;
        }
        case "TOOL_EXECUTION_RESULT" -> List.of(result(message, place));
        default -> {
          losses.add(place, "a message of an own kind, which is kept as an item of its own type");
          yield List.of(Drafts.other("langchain4j_custom", message.without(Set.of("type"))));
        }
      };
    }

    /** What a tool answered: a text, in newer versions a list of contents. */
    private JsonObject result(Fields message, String place) {
      String id = message.text("id").orElseGet(() -> "call-" + nameless);
      List<Fields> contents = message.objects("contents");
      if (contents.size() == 1 && contents.get(0).text("text").isPresent()) {
        return Drafts.result(id, contents.get(0).text("text").get());
      }
      return contents.isEmpty()
          ? Drafts.result(id, message.text("text").orElse(""))
          : new JsonObject()
              .put("type", "function_call_output")
              .put("call_id", id)
              .array("output", parts(message, place));
    }

    private List<JsonObject> said(Role role, List<String> parts) {
      return Drafts.message(role, parts).map(List::of).orElse(List.of());
    }

    private List<String> text(Role role, Fields message) {
      return message.filled("text").map(text -> List.of(Drafts.text(role, text))).orElse(List.of());
    }

    private List<String> parts(Fields message, String place) {
      List<String> parts = new ArrayList<>(text(Role.USER, message));
      for (Fields content : message.objects("contents")) {
        switch (content.text("type").orElse("")) {
          case "TEXT" -> parts.addAll(text(Role.USER, content));
          case "IMAGE" -> parts.add(image(content.object("image")));
          default -> {
            parts.add(Json.write(content.map()));
            losses.add(
                place,
                "content of the type %s, which is kept as it is but not shown"
                    .formatted(content.text("type").orElse("")));
          }
        }
      }
      return parts;
    }

    private String image(Fields image) {
      String url =
          image
              .text("url")
              .orElseGet(
                  () ->
                      "data:"
                          + image.text("mimeType").orElse("image/png")
                          + ";base64,"
                          + image.text("base64Data").orElse(""));
      return new JsonObject().put("type", "input_image").put("image_url", url).toString();
    }

    @Override
    public Optional<Conversation> endOfFile(String file) {
      String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
      String id = name.endsWith(".json") ? name.substring(0, name.length() - 5) : name;
      Conversation conversation =
          Conversation.of(
              name(), id, file, Optional.empty(), Optional.empty(), Map.of(), drafts.all());
      drafts = new Drafts(losses);
      nameless = 0;
      return Optional.of(conversation);
    }
  }
}
