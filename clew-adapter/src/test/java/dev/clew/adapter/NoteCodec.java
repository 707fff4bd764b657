package dev.clew.adapter;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A codec that forgets {@code extra} but for "rest", and cannot say the role "odd". */
final class NoteCodec implements MessageCodec<Note> {
  @Override
  public String framework() {
    return "notes";
  }

  @Override
  public Encoded encode(Note note) {
    List<Item> items = new ArrayList<>();
    if (note.role.equals("tool")) {
      items.add(Item.functionCallOutput(note.calls.get(0).id(), note.text));
    } else if (!note.role.equals("odd")) {
      if (!note.text.isEmpty()) {
        items.add(
            switch (note.role) {
              case "user" -> Item.user(note.text);
              case "system" -> Item.system(note.text);
              default -> Item.assistant(note.text);
            });
      }
      note.calls.forEach(c -> items.add(Item.functionCall(c.id(), c.name(), c.arguments())));
    }
    return new Encoded(
        items, Optional.ofNullable(note.extra.get("rest")).map(rest -> Json.write(rest)));
  }

  @Override
  public Optional<Note> decode(Encoded encoded, ToolNames tools) {
    String role = "";
    String text = "";
    List<Note.Call> calls = new ArrayList<>();
    for (Item item : encoded.items()) {
      if (item.view() instanceof View.Message message) {
        role = message.role() == Role.DEVELOPER ? "system" : message.role().wire();
        text = message.text();
      } else if (item.view() instanceof View.FunctionCall call) {
        role = "assistant";
        calls.add(new Note.Call(call.callId(), call.name(), call.arguments()));
      } else if (item.view() instanceof View.FunctionCallOutput output) {
        role = "tool";
        text = output.text();
        calls.add(new Note.Call(output.callId(), "", ""));
      }
    }
    if (role.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> extra =
        encoded.rest().map(rest -> Map.of("rest", Json.read(rest))).orElse(Map.of());
    return Optional.of(new Note(role, text, calls, extra));
  }

  @Override
  public String write(Note note) {
    return new JsonObject()
        .put("role", note.role)
        .put("text", note.text)
        .put(
            "calls",
            note.calls.stream().map(c -> List.of(c.id(), c.name(), c.arguments())).toList())
        .put("extra", note.extra)
        .toString();
  }

  @Override
  @SuppressWarnings("unchecked")
  public Note read(String json) {
    Map<String, Object> fields = Json.readObject(json);
    List<Note.Call> calls =
        ((List<List<String>>) fields.get("calls"))
            .stream().map(c -> new Note.Call(c.get(0), c.get(1), c.get(2))).toList();
    return new Note(
        (String) fields.get("role"),
        (String) fields.get("text"),
        calls,
        (Map<String, Object>) fields.get("extra"));
  }

  @Override
  public boolean isSystem(Note note) {
    return note.role.equals("system");
  }

  @Override
  public Optional<Note> without(Note note, Set<String> callIds) {
    List<Note.Call> left = note.calls.stream().filter(c -> !callIds.contains(c.id())).toList();
    return left.isEmpty() && (note.text.isEmpty() || note.role.equals("tool"))
        ? Optional.empty()
        : Optional.of(new Note(note.role, note.text, left, note.extra));
  }
}
