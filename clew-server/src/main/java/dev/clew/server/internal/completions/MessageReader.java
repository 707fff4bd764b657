package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.JsonText;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads the messages of a request, whose JSON was checked already, as items. Used once. A tool call
 * that the next message of a user leaves unanswered gets an output that says so, because models and
 * sessions need one for every call.
 */
final class MessageReader {
  static final int MOST = 10_000;
  private static final int MOST_BYTES = 10 << 20;
  private static final List<String> ROLES =
      List.of("developer", "system", "user", "assistant", "tool", "function");
  private static final String NO_RESULT = "No result.";

  private final List<Item> items = new ArrayList<>();
  private final Map<Integer, String> names = new HashMap<>();

  /** The calls of the assistant's last message that wait for an output, and their types. */
  private final Map<String, String> waiting = new LinkedHashMap<>();

  private MessageReader() {}

  static Given read(Fields body) {
    List<Fields> messages = messages(body);
    MessageReader reader = new MessageReader();
    for (Fields message : messages) {
      reader.message(message);
    }
    if (!reader.waiting.isEmpty()) {
      throw Problem.refused(
          400,
          null,
          "messages",
          "An assistant message with 'tool_calls' must be followed by tool messages responding to"
              + " each 'tool_call_id'. The following tool_call_ids did not have response messages: "
              + String.join(", ", reader.waiting.keySet()));
    }
    return Given.of(reader.items, reader.names);
  }

  private static List<Fields> messages(Fields body) {
    body.needRaw("messages");
    int count = body.array("messages").size();
    if (count == 0) {
      throw Problem.invalid(
          "empty_array",
          "messages",
          "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an"
              + " empty array instead.");
    }
    if (count > MOST) {
      throw Problem.invalid(
          "array_above_max_length",
          "messages",
          String.format(
              "Invalid 'messages': array too long. Expected an array with maximum length %d,"
                  + " but got an array with length %d instead.",
              MOST, count));
    }
    return body.objects("messages");
  }

  private void message(Fields message) {
    String role = message.needText("role");
    switch (role) {
      case "developer", "system" -> add(message, plain(role, texts(message)));
      case "user" -> {
        giveUpWaiting();
        add(message, plain(role, heard(message)));
      }
      case "assistant" -> {
        giveUpWaiting();
        assistant(message);
      }
      case "tool" -> result(message, message.needText("tool_call_id"), "tool_call_id");
      case "function" -> result(message, functionCallId(message.needText("name")), "name");
      default -> throw Problem.unsupported(message.path("role"), role, ROLES);
    }
  }

  private void add(Fields message, JsonObject item) {
    message.text("name").ifPresent(name -> names.put(items.size(), name));
    String json = item.toString();
    // UTF-8 has at most three bytes per char, so most texts need no exact count.
    long bytes = json.length() > MOST_BYTES / 3 ? JsonText.utf8Length(json) : 0;
    if (bytes > MOST_BYTES) {
      throw Problem.invalid(
          "string_above_max_length",
          message.path("content"),
          "The message has " + bytes + " bytes; the limit is " + MOST_BYTES + ".");
    }
    Map<String, String> fields = UncheckedJson.fields(json);
    items.add(
        Item.checked(json, String.valueOf(Json.string(fields.get("type"))), Optional.empty()));
  }

  private static JsonObject plain(String role, String content) {
    return new JsonObject().put("type", "message").put("role", role).raw("content", content);
  }

  private static boolean isText(Fields message) {
    return message.needRaw("content").startsWith("\"");
  }

  private static List<Fields> parts(Fields message) {
    String content = message.needRaw("content");
    if (!content.startsWith("[")) {
      throw Problem.wrongType(message.path("content"), "a string or an array", content);
    }
    return message.objects("content");
  }

  /** The content of a message that has only text. */
  private static String texts(Fields message) {
    if (isText(message)) {
      return message.needRaw("content");
    }
    return JsonObject.array(
        parts(message).stream().map(part -> text("input_text", part)).collect(Collectors.toList()));
  }

  private static String text(String type, Fields part) {
    String given = part.needText("type");
    if (!given.equals("text")) {
      throw Problem.unsupported(part.path("type"), given, List.of("text"));
    }
    part.needTexts("text");
    return new JsonObject().put("type", type).raw("text", part.needRaw("text")).toString();
  }

  private static String heard(Fields message) {
    return isText(message)
        ? message.needRaw("content")
        : JsonObject.array(parts(message).stream().map(MessageReader::heardPart).toList());
  }

  private static String heardPart(Fields part) {
    String type = part.needText("type");
    return switch (type) {
      case "text" -> text("input_text", part);
      case "image_url" -> image(part);
      case "input_audio" -> {
        part.needRaw("input_audio");
        Fields sound = part.object("input_audio").orElseThrow();
        sound.needTexts("data", "format");
        yield new JsonObject()
            .put("type", type)
            .raw("input_audio", part.needRaw("input_audio"))
            .toString();
      }
      case "file" -> {
        part.needRaw("file");
        Fields file = part.object("file").orElseThrow();
        if (!file.has("file_id") && !file.has("file_data")) {
          throw Problem.missing(file.path("file_data"));
        }
        JsonObject out = new JsonObject().put("type", "input_file");
        for (String name : List.of("file_id", "file_data", "filename")) {
          file.text(name).ifPresent(text -> out.put(name, text));
        }
        yield out.toString();
      }
      default ->
          throw Problem.unsupported(
              part.path("type"), type, List.of("text", "image_url", "input_audio", "file"));
    };
  }

  private static String image(Fields part) {
    String raw = part.needRaw("image_url");
    JsonObject out = new JsonObject().put("type", "input_image");
    if (raw.startsWith("\"")) { // some clients send the address itself
      return out.raw("image_url", raw).put("detail", "auto").toString();
    }
    Fields image = part.object("image_url").orElseThrow();
    image.needTexts("url");
    return out.raw("image_url", image.needRaw("url"))
        .put("detail", image.text("detail").orElse("auto"))
        .toString();
  }

  private void assistant(Fields message) {
    String thought = message.text("reasoning_content").or(() -> reasoning(message)).orElse("");
    if (!thought.isEmpty()) {
      String part = new JsonObject().put("type", "reasoning_text").put("text", thought).toString();
      add(
          message,
          new JsonObject()
              .put("type", "reasoning")
              .raw("summary", "[]")
              .array("content", List.of(part)));
    }
    List<String> parts = said(message);
    if (!parts.isEmpty()) {
      add(message, plain("assistant", JsonObject.array(parts)));
    }
    for (Fields call : message.objects("tool_calls")) {
      call(message, call);
    }
    message
        .object("function_call")
        .ifPresent(
            call -> {
              call.needTexts("name", "arguments");
              String id = functionCallId(call.needText("name"));
              expect(call, id, "function_call_output");
              add(
                  message,
                  new JsonObject()
                      .put("type", "function_call")
                      .put("call_id", id)
                      .raw("name", call.needRaw("name"))
                      .raw("arguments", call.needRaw("arguments")));
            });
  }

  /** Only some servers and clients have it, and not always as text. */
  private static Optional<String> reasoning(Fields message) {
    return Optional.ofNullable(Json.string(message.rawOr("reasoning", "null")));
  }

  private static List<String> said(Fields message) {
    List<String> parts = new ArrayList<>();
    String content = message.rawOr("content", "\"\"");
    if (content.startsWith("[")) {
      for (Fields part : parts(message)) {
        if (part.needText("type").equals("refusal")) {
          parts.add(refusal(part.needText("refusal")));
        } else {
          parts.add(output(text("output_text", part)));
        }
      }
    } else if (!content.startsWith("\"")) {
      throw Problem.wrongType(message.path("content"), "a string or an array", content);
    } else if (!message.text("content").orElse("").isEmpty()) {
      parts.add(
          output(new JsonObject().put("type", "output_text").raw("text", content).toString()));
    }
    message
        .text("refusal")
        .filter(text -> !text.isEmpty())
        .map(MessageReader::refusal)
        .ifPresent(parts::add);
    return parts;
  }

  private static String output(String part) {
    return part.substring(0, part.length() - 1) + ",\"annotations\":[]}";
  }

  private static String refusal(String text) {
    return new JsonObject().put("type", "refusal").put("refusal", text).toString();
  }

  private void call(Fields message, Fields call) {
    String id = call.needText("id");
    String type = call.text("type").orElse("function");
    if (type.equals("custom")) {
      call.needRaw("custom");
      Fields custom = call.object("custom").orElseThrow();
      custom.needTexts("name", "input");
      expect(call, id, "custom_tool_call_output");
      add(
          message,
          new JsonObject()
              .put("type", "custom_tool_call")
              .put("call_id", id)
              .raw("name", custom.needRaw("name"))
              .raw("input", custom.needRaw("input")));
    } else if (type.equals("function")) {
      call.needRaw("function");
      Fields function = call.object("function").orElseThrow();
      function.needTexts("name", "arguments");
      expect(call, id, "function_call_output");
      add(
          message,
          new JsonObject()
              .put("type", "function_call")
              .put("call_id", id)
              .raw("name", function.needRaw("name"))
              .raw("arguments", function.needRaw("arguments")));
    } else {
      throw Problem.unsupported(call.path("type"), type, List.of("function", "custom"));
    }
  }

  /** Ids need to be unique only within a message: some clients count from 0 in each. */
  private void expect(Fields call, String id, String output) {
    if (waiting.putIfAbsent(id, output) != null) {
      throw Problem.invalidValue(
          call.path("id"), "another call of this message has the id '" + id + "'");
    }
  }

  private static String functionCallId(String name) {
    return "call_" + name;
  }

  private void result(Fields message, String callId, String field) {
    String type = waiting.remove(callId);
    if (type == null) {
      throw Problem.refused(
          400,
          null,
          message.path(field),
          "Invalid parameter: messages with role 'tool' must be a response to a preceding message"
              + " with 'tool_calls'; no call with id '"
              + callId
              + "' waits for one.");
    }
    add(message, output(type, callId, Json.quote(resultText(message))));
  }

  private static String resultText(Fields message) {
    if (message.has("content") && !isText(message)) {
      return parts(message).stream()
          .map(
              part -> {
                text("input_text", part);
                return part.needText("text");
              })
          .collect(Collectors.joining());
    }
    return message.text("content").orElse("");
  }

  private static JsonObject output(String type, String callId, String output) {
    return new JsonObject().put("type", type).put("call_id", callId).raw("output", output);
  }

  private void giveUpWaiting() {
    waiting.forEach(
        (callId, type) ->
            items.add(Item.stored(output(type, callId, Json.quote(NO_RESULT)).toString())));
    waiting.clear();
  }
}
