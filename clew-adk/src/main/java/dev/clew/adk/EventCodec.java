package dev.clew.adk;

import com.google.adk.JsonBaseModel;
import com.google.adk.events.Event;
import com.google.adk.sessions.State;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.adapter.Encoded;
import dev.clew.adapter.MessageCodec;
import dev.clew.adapter.ToolNames;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Events of ADK as items. Thread-safe. */
final class EventCodec implements MessageCodec<Event> {
  static final String NAME = "adk";
  private static final String USER = "user";
  private static final String CONTENT = "content";
  private static final String PARTS = "parts";
  private static final String EVENT = "event";
  private static final String REMOVED =
      Objects.requireNonNull(Json.string(JsonBaseModel.toJsonString(State.REMOVED)));

  private final String agent;

  /**
   * Events and items.
   *
   * @param agent who said what models said in other programs
   */
  EventCodec(String agent) {
    this.agent = agent;
  }

  @Override
  public String framework() {
    return NAME;
  }

  @Override
  public boolean isSystem(Event event) {
    return false;
  }

  @Override
  public boolean joinsResults() {
    return true;
  }

  @Override
  public Encoded encode(Event event) {
    Map<String, String> fields = new LinkedHashMap<>(Json.fields(write(event)));
    Map<String, String> content = EventParts.inner(fields, CONTENT);
    String all = content.remove(PARTS);
    if (all == null) {
      return new Encoded(List.of(), Optional.empty());
    }
    EventParts parts = new EventParts(USER.equals(event.author()));
    Json.elements(all).forEach(parts::add);
    fields.remove(CONTENT);
    String rest =
        new JsonObject()
            .raw(EVENT, EventParts.object(fields))
            .raw(CONTENT, EventParts.object(content))
            .array(PARTS, parts.rests())
            .toString();
    return new Encoded(parts.items(), Optional.of(rest));
  }

  @Override
  public Optional<Event> decode(Encoded encoded, ToolNames tools) {
    if (encoded.rest().isEmpty()) {
      return foreign(encoded.items(), tools);
    }
    Map<String, String> rest = Json.fields(encoded.rest().get());
    Iterator<Map<String, String>> said = said(encoded.items());
    List<String> parts = new ArrayList<>();
    for (String one : Json.elements(Objects.requireNonNull(rest.get(PARTS)))) {
      Map<String, String> part = Json.fields(one);
      Map<String, String> fields = EventParts.inner(part, EventParts.WITH);
      String kind = String.valueOf(Json.string(part.get(EventParts.KIND)));
      if (!kind.equals(EventParts.OWN)) {
        restore(kind, fields, said.next());
      }
      parts.add(EventParts.object(fields));
    }
    if (said.hasNext()) {
      throw new IllegalArgumentException("the items have more parts than the event");
    }
    Map<String, String> content = EventParts.inner(rest, CONTENT);
    content.put(PARTS, JsonObject.array(parts));
    Map<String, String> event = EventParts.inner(rest, EVENT);
    event.put(CONTENT, EventParts.object(content));
    return Optional.of(read(EventParts.object(event)));
  }

  /** The parts of messages, and all other items. */
  private static Iterator<Map<String, String>> said(List<Item> items) {
    List<Map<String, String>> said = new ArrayList<>();
    for (Item item : items) {
      Map<String, String> fields = Json.fields(item.json());
      String content = fields.get(CONTENT);
      if (item.type().equals("message") && content != null) {
        Json.elements(content).forEach(part -> said.add(Json.fields(part)));
      } else {
        said.add(fields);
      }
    }
    return said.iterator();
  }

  private static void restore(String kind, Map<String, String> part, Map<String, String> said) {
    switch (kind) {
      case EventParts.TEXT -> part.put(EventParts.TEXT, field(said, "text"));
      case EventParts.THOUGHT -> {
        String summary = Json.elements(field(said, "summary")).get(0);
        part.put(EventParts.TEXT, field(Json.fields(summary), "text"));
        part.put(EventParts.THOUGHT, "true");
        if (said.containsKey("encrypted_content")) {
          part.put(EventParts.SIGNATURE, field(said, "encrypted_content"));
        }
      }
      case EventParts.CALL -> {
        Map<String, String> call = EventParts.inner(part, kind);
        call.put("id", field(said, "call_id"));
        call.put("name", field(said, "name"));
        call.put("args", String.valueOf(Json.string(said.get("arguments"))));
        part.put(kind, EventParts.object(call));
      }
      case EventParts.RESPONSE -> {
        Map<String, String> response = EventParts.inner(part, kind);
        response.put("id", field(said, "call_id"));
        response.put("response", String.valueOf(Json.string(said.get("output"))));
        part.put(kind, EventParts.object(response));
      }
      case EventParts.INLINE -> {
        Map<String, String> media = EventParts.inner(part, kind);
        media.put("data", Json.quote(EventMedia.data(said)));
        part.put(kind, EventParts.object(media));
      }
      case EventParts.FILE -> {
        Map<String, String> media = EventParts.inner(part, kind);
        media.put("fileUri", Json.quote(EventMedia.address(said)));
        part.put(kind, EventParts.object(media));
      }
      default -> throw new IllegalArgumentException("unknown kind of part: " + kind);
    }
  }

  private static String field(Map<String, String> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }

  /** What another program wrote. Its events have no id. */
  private Optional<Event> foreign(List<Item> items, ToolNames tools) {
    boolean ofUser = false;
    boolean ofModel = false;
    List<String> parts = new ArrayList<>();
    for (Item item : items) {
      View view = item.view();
      if (view instanceof View.Message message) {
        if (message.role() == Role.SYSTEM || message.role() == Role.DEVELOPER) {
          continue;
        }
        ofUser = message.role() == Role.USER;
        ofModel |= !ofUser;
        if (!message.text().isEmpty()) {
          parts.add(new JsonObject().put(EventParts.TEXT, message.text()).toString());
        }
        message.content().forEach(part -> EventMedia.foreign(part).ifPresent(parts::add));
      } else if (view instanceof View.FunctionCall call) {
        ofModel = true;
        JsonObject part =
            new JsonObject()
                .put("id", call.callId())
                .put("name", call.name())
                .raw("args", asObject(call.arguments(), "arguments"));
        parts.add(new JsonObject().put(EventParts.CALL, part).toString());
      } else if (view instanceof View.FunctionCallOutput output) {
        JsonObject part =
            new JsonObject()
                .put("id", output.callId())
                .put("name", tools.of(output.callId()).orElse(""))
                .raw("response", asObject(output.text(), "result"));
        parts.add(new JsonObject().put(EventParts.RESPONSE, part).toString());
      }
    }
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    JsonObject content = new JsonObject().put("role", ofModel ? "model" : USER).array(PARTS, parts);
    return Optional.of(
        read(
            new JsonObject()
                .put("id", "")
                .put("author", ofUser ? USER : agent)
                .put(CONTENT, content)
                .put("timestamp", 0)
                .toString()));
  }

  private static String asObject(String json, String name) {
    try {
      Json.readObject(json);
      return json;
    } catch (RuntimeException e) {
      return new JsonObject().put(name, json).toString();
    }
  }

  @Override
  public String write(Event event) {
    return event.toJson();
  }

  /** The event, with what ADK does not read back: which keys of the state it removes. */
  @Override
  public Event read(String json) {
    Event event = Event.fromJson(json);
    if (json.contains(REMOVED) && event.actions() != null) {
      Map<String, Object> delta = event.actions().stateDelta();
      delta.replaceAll((key, value) -> REMOVED.equals(value) ? State.REMOVED : value);
    }
    return event;
  }

  @Override
  public Optional<Event> without(Event event, Set<String> callIds) {
    Content content = event.content().orElse(null);
    List<Part> parts = content == null ? List.of() : content.parts().orElse(List.of());
    List<Part> left = parts.stream().filter(part -> !callIds.contains(callId(part))).toList();
    if (content == null || left.size() == parts.size()) {
      return Optional.of(event);
    }
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(event.toBuilder().content(content.toBuilder().parts(left).build()).build());
  }

  private static String callId(Part part) {
    return part.functionCall()
        .flatMap(call -> call.id())
        .or(() -> part.functionResponse().flatMap(response -> response.id()))
        .orElse("");
  }
}
