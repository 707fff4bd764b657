package dev.clew.agentscope;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.adapter.Encoded;
import dev.clew.adapter.KeptAsText;
import dev.clew.adapter.MessageCodec;
import dev.clew.adapter.ToolNames;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import io.agentscope.core.message.ContentBlock;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.message.ToolUseBlock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Messages of AgentScope as items. Thread-safe. */
final class MsgCodec implements MessageCodec<Msg> {
  private static final String NAME = "agentscope";
  private static final String CONTENT = "content";
  private static final String MESSAGE = "msg";
  private static final String BLOCKS = "blocks";

  private final KeptAsText keptAsText = new KeptAsText("AgentScope");

  @Override
  public String framework() {
    return NAME;
  }

  /**
   * Answers have the ids of the model's responses, which some models repeat; edits keep the time.
   */
  @Override
  public Optional<String> id(Msg message) {
    return Optional.ofNullable(message.getId()).map(id -> id + " " + message.getTimestamp());
  }

  @Override
  public boolean isSystem(Msg message) {
    return message.getRole() == MsgRole.SYSTEM;
  }

  @Override
  public String write(Msg message) {
    try {
      return StateJson.write(message);
    } catch (RuntimeException e) {
      return StateJson.write(withTexts(message));
    }
  }

  private Msg withTexts(Msg message) {
    Map<String, Object> texts = new LinkedHashMap<>();
    message
        .getMetadata()
        .forEach(
            (name, value) -> {
              try {
                texts.put(name, Json.read(StateJson.write(value)));
              } catch (RuntimeException e) {
                texts.put(name, keptAsText.text(name, value));
              }
            });
    return Msg.builderForRole(message.getRole())
        .id(message.getId())
        .name(message.getName())
        .content(message.getContent())
        .metadata(texts)
        .timestamp(message.getTimestamp())
        .usage(message.getUsage())
        .build();
  }

  @Override
  public Msg read(String json) {
    return StateJson.read(json, Msg.class);
  }

  @Override
  public Encoded encode(Msg message) {
    Map<String, String> fields = new LinkedHashMap<>(Json.fields(write(message)));
    String content = fields.remove(CONTENT);
    MsgBlocks blocks = new MsgBlocks(message.getRole());
    Json.elements(content == null ? "[]" : content).forEach(blocks::add);
    String rest =
        new JsonObject()
            .raw(MESSAGE, MsgBlocks.object(fields))
            .array(BLOCKS, blocks.rests())
            .toString();
    return new Encoded(blocks.items(), Optional.of(rest));
  }

  @Override
  public Optional<Msg> decode(Encoded encoded, ToolNames tools) {
    if (encoded.rest().isEmpty()) {
      return foreign(encoded.items(), tools);
    }
    Map<String, String> rest = Json.fields(encoded.rest().get());
    Iterator<Map<String, String>> said = said(encoded.items());
    List<String> blocks = new ArrayList<>();
    for (String one : Json.elements(Objects.requireNonNull(rest.get(BLOCKS)))) {
      blocks.add(MsgBlocks.restored(one, said));
    }
    if (said.hasNext()) {
      throw new IllegalArgumentException("the items have more parts than the message");
    }
    Map<String, String> message = MsgBlocks.inner(rest, MESSAGE);
    message.put(CONTENT, JsonObject.array(blocks));
    return Optional.of(read(MsgBlocks.object(message)));
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

  /** What another program wrote. */
  private Optional<Msg> foreign(List<Item> items, ToolNames tools) {
    MsgRole role = MsgRole.ASSISTANT;
    List<String> blocks = new ArrayList<>();
    for (Item item : items) {
      View view = item.view();
      if (view instanceof View.Message message) {
        role = role(message.role());
        for (Part part : message.content()) {
          MsgBlocks.foreign(part, role).ifPresent(blocks::add);
        }
      } else if (view instanceof View.Reasoning reasoning && !reasoning.text().isEmpty()) {
        blocks.add(MsgBlocks.block("thinking").put("thinking", reasoning.text()).toString());
      } else if (view instanceof View.FunctionCall call) {
        blocks.add(
            MsgBlocks.block("tool_use")
                .put("id", call.callId())
                .put("name", call.name())
                .raw("input", asObject(call.arguments()))
                .put("content", call.arguments())
                .toString());
      } else if (view instanceof View.FunctionCallOutput output) {
        role = MsgRole.TOOL;
        String text = MsgBlocks.block("text").put("text", output.text()).toString();
        blocks.add(
            MsgBlocks.block("tool_result")
                .put("id", output.callId())
                .put("name", tools.of(output.callId()).orElse(""))
                .array("output", List.of(text))
                .toString());
      }
    }
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        read(
            new JsonObject()
                .put("id", UUID.randomUUID().toString())
                .put("role", role.name())
                .array(CONTENT, blocks)
                .toString()));
  }

  private static MsgRole role(Role role) {
    return switch (role) {
      case USER -> MsgRole.USER;
      case ASSISTANT -> MsgRole.ASSISTANT;
      default -> MsgRole.SYSTEM;
    };
  }

  private static String asObject(String json) {
    try {
      Json.readObject(json);
      return json;
    } catch (RuntimeException e) {
      return "{}";
    }
  }

  @Override
  public Optional<Msg> without(Msg message, Set<String> callIds) {
    List<ContentBlock> left =
        message.getContent().stream().filter(block -> !callIds.contains(callId(block))).toList();
    if (left.size() == message.getContent().size()) {
      return Optional.of(message);
    }
    return left.isEmpty() ? Optional.empty() : Optional.of(message.withContent(left));
  }

  private static String callId(ContentBlock block) {
    String id =
        block instanceof ToolUseBlock use
            ? use.getId()
            : block instanceof ToolResultBlock result ? result.getId() : "";
    return id == null ? "" : id;
  }
}
