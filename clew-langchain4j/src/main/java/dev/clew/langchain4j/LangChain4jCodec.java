package dev.clew.langchain4j;

import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.adapter.Encoded;
import dev.clew.adapter.KeptAsText;
import dev.clew.adapter.MessageCodec;
import dev.clew.adapter.ToolNames;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages of LangChain4j as items, by way of its own JSON. Thread-safe.
 *
 * <p>Also reads what {@code clew import --from langchain4j} wrote.
 */
public final class LangChain4jCodec implements MessageCodec<ChatMessage> {
  private static final String CUSTOM = "langchain4j_custom";
  private static final String ATTRIBUTES = "attributes";
  private static final String CONTENTS = "contents";
  private static final String REQUESTS = "toolExecutionRequests";

  /** Where {@code AiMessage.images()} looks. */
  private static final String IMAGES = "generated_images";

  private final KeptAsText keptAsText = new KeptAsText("LangChain4j");

  /** The only kind there is. */
  public LangChain4jCodec() {}

  @Override
  public String framework() {
    return "langchain4j";
  }

  @Override
  public boolean isSystem(ChatMessage message) {
    return message instanceof SystemMessage;
  }

  @Override
  public String write(ChatMessage message) {
    JsonObject json = new JsonObject();
    fields(message).forEach(json::raw);
    return json.toString();
  }

  /** The fields of LangChain4j's JSON, with attributes in a fixed order. */
  private Map<String, String> fields(ChatMessage message) {
    Map<String, String> fields = new LinkedHashMap<>(Json.fields(json(message)));
    fields.computeIfPresent(ATTRIBUTES, (name, raw) -> Json.write(sorted(Json.read(raw))));
    fields.remove(ATTRIBUTES, "{}");
    return fields;
  }

  private String json(ChatMessage message) {
    try {
      return ChatMessageSerializer.messageToJson(message);
    } catch (RuntimeException e) {
      return ChatMessageSerializer.messageToJson(withTexts(message));
    }
  }

  private static @Nullable Object sorted(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> sorted = new TreeMap<>();
      map.forEach((key, one) -> sorted.put(String.valueOf(key), sorted(one)));
      return sorted;
    }
    return value instanceof List<?> list
        ? list.stream()
            .map(LangChain4jCodec::sorted)
            .collect(ArrayList::new, List::add, List::addAll)
        : value;
  }

  /** The message with texts in place of attributes that are no JSON. */
  private ChatMessage withTexts(ChatMessage message) {
    if (message instanceof UserMessage user) {
      return user.toBuilder().attributes(texts(user.attributes())).build();
    }
    if (message instanceof AiMessage answer) {
      return answer.toBuilder().attributes(texts(answer.attributes())).build();
    }
    if (message instanceof ToolExecutionResultMessage result) {
      return result.toBuilder().attributes(texts(result.attributes())).build();
    }
    return message instanceof CustomMessage custom
        ? CustomMessage.from(texts(custom.attributes()))
        : message;
  }

  private Map<String, Object> texts(Map<String, Object> attributes) {
    Map<String, Object> texts = new LinkedHashMap<>();
    attributes.forEach(
        (name, value) -> {
          try {
            texts.put(name, Json.read(Json.write(value)));
          } catch (IllegalArgumentException e) {
            texts.put(name, name.equals(IMAGES) ? value : keptAsText.text(name, value));
          }
        });
    return texts;
  }

  @Override
  public ChatMessage read(String json) {
    return withImages(ChatMessageDeserializer.messageFromJson(json));
  }

  /** LangChain4j reads the images of an answer as maps, which its own {@code images()} refuses. */
  private static ChatMessage withImages(ChatMessage message) {
    if (!(message instanceof AiMessage answer)
        || !(answer.attributes().get(IMAGES) instanceof List<?> list)) {
      return message;
    }
    List<Object> images = new ArrayList<>();
    for (Object one : list) {
      images.add(one instanceof Map<?, ?> map ? image(map) : one);
    }
    Map<String, Object> attributes = new LinkedHashMap<>(answer.attributes());
    attributes.put(IMAGES, images);
    return answer.toBuilder().attributes(attributes).build();
  }

  private static Image image(Map<?, ?> json) {
    Image.Builder image = Image.builder();
    if (json.get("url") instanceof String url) {
      image.url(url);
    }
    if (json.get("base64Data") instanceof String data) {
      image.base64Data(data);
    }
    if (json.get("mimeType") instanceof String type) {
      image.mimeType(type);
    }
    if (json.get("revisedPrompt") instanceof String prompt) {
      image.revisedPrompt(prompt);
    }
    return image.build();
  }

  @Override
  public Encoded encode(ChatMessage message) {
    Map<String, String> fields = fields(message);
    List<Item> items = new ArrayList<>();
    JsonObject rest = new JsonObject();
    for (String name : List.of("name", ATTRIBUTES, "toolName", "isError")) {
      String raw = fields.get(name);
      if (raw != null) {
        rest.raw(name, raw);
      }
    }
    switch (text(fields.get("type"))) {
      case "SYSTEM" -> items.add(Item.system(text(fields.get("text"))));
      case "USER" -> {
        ContentJson.Parts contents = ContentJson.write(fields.get(CONTENTS));
        contents.rest().ifPresent(raw -> rest.raw(CONTENTS, raw));
        if (!contents.parts().isEmpty()) {
          items.add(
              item(
                  new JsonObject().put("type", "message").put("role", "user"),
                  "content",
                  contents));
        }
      }
      case "AI" -> answer((AiMessage) message, fields, items, rest);
      case "TOOL_EXECUTION_RESULT" ->
          items.add(result((ToolExecutionResultMessage) message, fields, rest));
      case "CUSTOM" -> {
        JsonObject custom = new JsonObject().put("type", CUSTOM);
        custom.raw(ATTRIBUTES, fields.getOrDefault(ATTRIBUTES, "{}"));
        return Encoded.of(Item.parse(custom.toString(), ItemLimits.STORE));
      }
      default -> {
        // A kind of message of a newer version: kept as a whole.
      }
    }
    String said = rest.toString();
    return new Encoded(items, said.equals("{}") ? Optional.empty() : Optional.of(said));
  }

  private static Item item(JsonObject item, String field, ContentJson.Parts contents) {
    return Item.parse(item.array(field, contents.parts()).toString(), ItemLimits.STORE);
  }

  private static String text(@Nullable String raw) {
    String text = Json.string(raw);
    return text == null ? "" : text;
  }

  private static void answer(
      AiMessage message, Map<String, String> fields, List<Item> items, JsonObject rest) {
    String thinking = message.thinking();
    if (thinking != null && !thinking.isEmpty()) {
      JsonObject summary = new JsonObject().put("type", "summary_text").put("text", thinking);
      items.add(
          Item.parse(
              new JsonObject()
                  .put("type", "reasoning")
                  .array("summary", List.of(summary.toString()))
                  .toString(),
              ItemLimits.STORE));
    }
    String text = message.text();
    if (text != null && !text.isEmpty()) {
      items.add(Item.assistant(text));
    } else if (text != null) {
      rest.put("text", text);
    }
    boolean complete = true;
    for (ToolExecutionRequest request : message.toolExecutionRequests()) {
      items.add(
          Item.functionCall(
              callId(request.id(), request.name()),
              Objects.requireNonNullElse(request.name(), ""),
              Objects.requireNonNullElse(request.arguments(), "{}")));
      complete &= request.id() != null && request.name() != null && request.arguments() != null;
    }
    if (!complete) {
      rest.raw(REQUESTS, fields.getOrDefault(REQUESTS, "[]"));
    }
  }

  /** Models of some providers give calls no id; then the name pairs a call and its result. */
  private static String callId(@Nullable String id, @Nullable String name) {
    return id == null || id.isEmpty() ? "call_" + Objects.requireNonNullElse(name, "") : id;
  }

  private static Item result(
      ToolExecutionResultMessage message, Map<String, String> fields, JsonObject rest) {
    ContentJson.Parts contents = ContentJson.write(fields.get(CONTENTS));
    contents.rest().ifPresent(raw -> rest.raw(CONTENTS, raw));
    String callId = callId(message.id(), message.toolName());
    if (!callId.equals(message.id())) {
      rest.raw("id", fields.getOrDefault("id", "null"));
    }
    if (message.hasSingleText()) {
      return Item.functionCallOutput(callId, message.text());
    }
    JsonObject output = new JsonObject().put("type", "function_call_output").put("call_id", callId);
    return item(output, "output", contents);
  }

  @Override
  public Optional<String> foreignRest(Map<String, Object> notes) {
    return notes.get("source") instanceof Map<?, ?> source
        ? Optional.of(Json.write(source))
        : Optional.empty();
  }

  @Override
  public Optional<ChatMessage> decode(Encoded encoded, ToolNames tools) {
    Map<String, String> rest = encoded.rest().map(Json::fields).orElse(Map.of());
    Item first = encoded.items().get(0);
    JsonObject json = new JsonObject();
    if (first.type().equals(CUSTOM)) {
      json.put("type", "CUSTOM");
      json.raw(ATTRIBUTES, Json.fields(first.json()).getOrDefault(ATTRIBUTES, "{}"));
      return Optional.of(read(json.toString()));
    }
    if (first.view() instanceof View.Message message && message.role() != Role.ASSISTANT) {
      if (message.role() == Role.USER) {
        json.put("type", "USER");
        json.raw(CONTENTS, ContentJson.read(message.content(), rest.get(CONTENTS)));
        copy(rest, json, "name", ATTRIBUTES);
      } else {
        json.put("type", "SYSTEM").put("text", message.text());
      }
    } else if (first.view() instanceof View.FunctionCallOutput output) {
      result(output, rest, json, tools);
    } else if (!answer(encoded.items(), rest, json)) {
      return Optional.empty();
    }
    return Optional.of(read(json.toString()));
  }

  private static void copy(Map<String, String> rest, JsonObject json, String... names) {
    for (String name : names) {
      String raw = rest.get(name);
      if (raw != null) {
        json.raw(name, raw);
      }
    }
  }

  private static void result(
      View.FunctionCallOutput output, Map<String, String> rest, JsonObject json, ToolNames tools) {
    json.put("type", "TOOL_EXECUTION_RESULT");
    String id = rest.get("id");
    if (id == null) {
      json.put("id", output.callId());
    } else if (!id.equals("null")) {
      json.raw("id", id);
    }
    if (rest.containsKey("toolName")) {
      copy(rest, json, "toolName");
    } else if (!rest.containsKey("id")) {
      tools.of(output.callId()).ifPresent(name -> json.put("toolName", name));
    }
    List<Part> parts = output.output().isEmpty() ? List.of(Part.inputText("")) : output.output();
    json.raw(CONTENTS, ContentJson.read(parts, rest.get(CONTENTS)));
    copy(rest, json, "isError", ATTRIBUTES);
  }

  /** Whether there is anything to show. */
  private static boolean answer(List<Item> items, Map<String, String> rest, JsonObject json) {
    StringBuilder text = new StringBuilder();
    StringBuilder thinking = new StringBuilder();
    List<String> requests = new ArrayList<>();
    for (Item item : items) {
      View view = item.view();
      if (view instanceof View.Message message) {
        text.append(message.text());
      } else if (view instanceof View.Reasoning reasoning) {
        thinking.append(reasoning.text());
      } else if (view instanceof View.FunctionCall call) {
        requests.add(
            new JsonObject()
                .put("id", call.callId())
                .put("name", call.name())
                .put("arguments", call.arguments())
                .toString());
      }
    }
    json.put("type", "AI");
    if (!text.isEmpty()) {
      json.put("text", text.toString());
    } else {
      copy(rest, json, "text");
    }
    if (!thinking.isEmpty()) {
      json.put("thinking", thinking.toString());
    }
    json.raw(REQUESTS, rest.getOrDefault(REQUESTS, JsonObject.array(requests)));
    copy(rest, json, ATTRIBUTES);
    return !(text.isEmpty() && thinking.isEmpty() && requests.isEmpty() && rest.isEmpty());
  }

  @Override
  public Optional<ChatMessage> without(ChatMessage message, Set<String> callIds) {
    if (message instanceof ToolExecutionResultMessage) {
      return Optional.empty(); // it has one id
    }
    if (message instanceof AiMessage answer) {
      List<ToolExecutionRequest> left =
          answer.toolExecutionRequests().stream()
              .filter(request -> !callIds.contains(callId(request.id(), request.name())))
              .toList();
      String text = answer.text();
      return left.isEmpty() && (text == null || text.isEmpty())
          ? Optional.empty()
          : Optional.of(answer.toBuilder().toolExecutionRequests(left).build());
    }
    return Optional.of(message);
  }
}
