package dev.clew.springai;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;

/**
 * Messages of Spring AI as items. Thread-safe. Subclasses that providers make of messages come back
 * as the messages themselves, with their metadata.
 */
public final class SpringMessageCodec implements MessageCodec<Message> {
  private static final String FUNCTION = "function";

  private final MetadataJson metadata = new MetadataJson(new KeptAsText("Spring AI"));

  /** The only kind there is. */
  public SpringMessageCodec() {}

  @Override
  public String framework() {
    return "springai";
  }

  @Override
  public boolean joinsResults() {
    return true;
  }

  @Override
  public boolean isSystem(Message message) {
    return message instanceof SystemMessage;
  }

  @Override
  public Encoded encode(Message message) {
    Map<String, @Nullable Object> rest = new LinkedHashMap<>();
    List<Item> items = new ArrayList<>();
    if (message instanceof ToolResponseMessage results) {
      for (ToolResponse result : results.getResponses()) {
        items.add(Item.functionCallOutput(text(result.id()), text(result.responseData())));
      }
      rest.put("names", results.getResponses().stream().map(ToolResponse::name).toList());
    } else if (message instanceof AssistantMessage assistant) {
      answer(assistant, items, rest);
    } else {
      said(message, items, rest);
    }
    Map<String, @Nullable Object> values = metadata.write(message.getMetadata());
    if (!values.isEmpty()) {
      rest.put("metadata", values);
    }
    return new Encoded(items, rest.isEmpty() ? Optional.empty() : Optional.of(Json.write(rest)));
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static void answer(
      AssistantMessage message, List<Item> items, Map<String, @Nullable Object> rest) {
    String text = message.getText();
    if (text != null && !text.isEmpty()) {
      items.add(Item.assistant(text));
    } else if (text == null) {
      rest.put("noText", true);
    }
    for (ToolCall call : message.getToolCalls()) {
      items.add(Item.functionCall(text(call.id()), text(call.name()), text(call.arguments())));
    }
    List<String> types = message.getToolCalls().stream().map(ToolCall::type).toList();
    if (types.stream().anyMatch(type -> !FUNCTION.equals(type))) {
      rest.put("types", types);
    }
    if (!message.getMedia().isEmpty()) { // no part of an answer has them
      rest.put("media", message.getMedia().stream().map(m -> MediaJson.write(m, true)).toList());
    }
  }

  private static void said(Message message, List<Item> items, Map<String, @Nullable Object> rest) {
    Role role = message instanceof SystemMessage ? Role.SYSTEM : Role.USER;
    List<String> parts = new ArrayList<>();
    String text = text(message.getText());
    List<Media> media = media(message);
    if (!text.isEmpty() || media.isEmpty()) {
      parts.add(Part.inputText(text).json());
    }
    List<Map<String, @Nullable Object>> described = new ArrayList<>();
    for (Media one : media) {
      Optional<String> part = MediaJson.part(one);
      part.ifPresent(parts::add);
      described.add(MediaJson.write(one, part.isEmpty()));
    }
    if (!described.isEmpty()) {
      rest.put("media", described);
    }
    if (!parts.isEmpty()) {
      items.add(
          Item.parse(
              new JsonObject()
                  .put("type", "message")
                  .put("role", role.wire())
                  .array("content", parts)
                  .toString(),
              ItemLimits.STORE));
    }
  }

  private static List<Media> media(Message message) {
    return message instanceof MediaContent content ? content.getMedia() : List.of();
  }

  @Override
  public Optional<Message> decode(Encoded encoded, ToolNames tools) {
    Map<String, Object> rest = encoded.rest().map(Json::readObject).orElse(Map.of());
    Map<String, Object> properties = metadata.read(rest.get("metadata"));
    View first = encoded.items().get(0).view();
    if (first instanceof View.Message message && message.role() == Role.USER) {
      return Optional.of(
          UserMessage.builder()
              .text(text(message))
              .media(media(message.content(), rest.get("media")))
              .metadata(properties)
              .build());
    }
    if (first instanceof View.Message message && message.role() != Role.ASSISTANT) {
      return Optional.of(SystemMessage.builder().text(text(message)).metadata(properties).build());
    }
    if (first instanceof View.FunctionCallOutput) {
      return Optional.of(results(encoded.items(), rest, properties, tools));
    }
    return answer(encoded.items(), rest, properties);
  }

  /** The text parts alone; a refusal is a model's. */
  private static String text(View.Message message) {
    return message.text();
  }

  private static List<Media> media(List<Part> content, @Nullable Object described) {
    List<Part> parts =
        content.stream()
            .filter(
                part ->
                    part instanceof Part.Image
                        || part instanceof Part.Audio
                        || part instanceof Part.File)
            .toList();
    if (!(described instanceof List<?> all)) {
      return parts.stream().map(MediaJson::read).flatMap(Optional::stream).toList();
    }
    List<Media> media = new ArrayList<>();
    int next = 0;
    for (Object one : all) {
      Map<?, ?> json = (Map<?, ?>) one;
      boolean inPart = json.containsKey("part");
      media.add(MediaJson.read(json, inPart && next < parts.size() ? parts.get(next++) : null));
    }
    return media;
  }

  private static Message results(
      List<Item> items, Map<String, Object> rest, Map<String, Object> properties, ToolNames tools) {
    List<ToolResponse> results = new ArrayList<>();
    for (Item item : items) {
      if (item.view() instanceof View.FunctionCallOutput output) {
        Object name =
            rest.get("names") instanceof List<?> names && names.size() == items.size()
                ? names.get(results.size())
                : null;
        results.add(
            new ToolResponse(
                output.callId(),
                name instanceof String known ? known : tools.of(output.callId()).orElse(""),
                output.text()));
      }
    }
    return ToolResponseMessage.builder().responses(results).metadata(properties).build();
  }

  private static Optional<Message> answer(
      List<Item> items, Map<String, Object> rest, Map<String, Object> properties) {
    StringBuilder text = new StringBuilder();
    List<ToolCall> calls = new ArrayList<>();
    for (Item item : items) {
      View view = item.view();
      if (view instanceof View.Message message) {
        text.append(message.text());
      } else if (view instanceof View.FunctionCall call) {
        Object type =
            rest.get("types") instanceof List<?> types && calls.size() < types.size()
                ? types.get(calls.size())
                : FUNCTION;
        calls.add(new ToolCall(call.callId(), String.valueOf(type), call.name(), call.arguments()));
      }
    }
    boolean noText = Boolean.TRUE.equals(rest.get("noText"));
    if (text.isEmpty() && calls.isEmpty() && rest.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        AssistantMessage.builder()
            .content(noText ? null : text.toString())
            .properties(properties)
            .toolCalls(calls)
            .media(media(List.of(), rest.getOrDefault("media", List.of())))
            .build());
  }

  @Override
  public String write(Message message) {
    JsonObject json =
        new JsonObject()
            .put("type", message.getMessageType().getValue())
            .put("text", message.getText())
            .put("metadata", metadata.write(message.getMetadata()));
    if (!media(message).isEmpty()) {
      json.put("media", media(message).stream().map(m -> MediaJson.write(m, true)).toList());
    }
    if (message instanceof AssistantMessage assistant && !assistant.getToolCalls().isEmpty()) {
      json.put(
          "calls",
          assistant.getToolCalls().stream()
              .map(call -> strings(call.id(), call.type(), call.name(), call.arguments()))
              .toList());
    }
    if (message instanceof ToolResponseMessage results) {
      json.put(
          "results",
          results.getResponses().stream()
              .map(result -> strings(result.id(), result.name(), result.responseData()))
              .toList());
    }
    return json.toString();
  }

  private static List<@Nullable String> strings(@Nullable String... values) {
    return Stream.of(values).toList();
  }

  @Override
  @SuppressWarnings("NullAway") // Spring AI's records may have null components
  public Message read(String json) {
    Map<String, Object> fields = Json.readObject(json);
    Map<String, Object> properties = metadata.read(fields.get("metadata"));
    String text = fields.get("text") instanceof String string ? string : null;
    List<Media> media = media(List.of(), fields.getOrDefault("media", List.of()));
    return switch (String.valueOf(fields.get("type"))) {
      case "user" ->
          UserMessage.builder().text(text(text)).media(media).metadata(properties).build();
      case "system" -> SystemMessage.builder().text(text(text)).metadata(properties).build();
      case "assistant" ->
          AssistantMessage.builder()
              .content(text)
              .properties(properties)
              .media(media)
              .toolCalls(
                  rows(fields.get("calls"))
                      .map(r -> new ToolCall(r.get(0), r.get(1), r.get(2), r.get(3)))
                      .toList())
              .build();
      case "tool" ->
          ToolResponseMessage.builder()
              .responses(
                  rows(fields.get("results"))
                      .map(r -> new ToolResponse(r.get(0), r.get(1), r.get(2)))
                      .toList())
              .metadata(properties)
              .build();
      default -> throw new IllegalArgumentException("no message of Spring AI: " + fields.keySet());
    };
  }

  @SuppressWarnings("unchecked")
  private static Stream<List<String>> rows(@Nullable Object value) {
    return value instanceof List<?> rows
        ? rows.stream().map(row -> (List<String>) row)
        : Stream.empty();
  }

  @Override
  public Optional<Message> without(Message message, Set<String> callIds) {
    if (message instanceof ToolResponseMessage results) {
      List<ToolResponse> left =
          results.getResponses().stream().filter(r -> !callIds.contains(r.id())).toList();
      return left.isEmpty()
          ? Optional.empty()
          : Optional.of(
              ToolResponseMessage.builder()
                  .responses(left)
                  .metadata(results.getMetadata())
                  .build());
    }
    if (message instanceof AssistantMessage answer) {
      List<ToolCall> left =
          answer.getToolCalls().stream().filter(call -> !callIds.contains(call.id())).toList();
      return left.isEmpty() && text(answer.getText()).isEmpty() && answer.getMedia().isEmpty()
          ? Optional.empty()
          : Optional.of(
              AssistantMessage.builder()
                  .content(Objects.requireNonNullElse(answer.getText(), ""))
                  .properties(answer.getMetadata())
                  .toolCalls(left)
                  .media(answer.getMedia())
                  .build());
    }
    return Optional.of(message);
  }
}
