package dev.clew.server.internal.completions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.LiveServer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A client that keeps its history itself and sends all of it each time, as most do. Used by one
 * thread.
 */
final class ChatClient {
  private final LiveServer live;
  private final String token;
  private final List<String> headers = new ArrayList<>();
  private List<String> messages = new ArrayList<>();
  private String more = "";

  ChatClient(LiveServer live, String owner) {
    this(live, List.of("Authorization", "Bearer " + live.token(owner)), live.token(owner));
  }

  private ChatClient(LiveServer live, List<String> headers, String token) {
    this.live = live;
    this.token = token;
    this.headers.addAll(headers);
  }

  /** Another window of the same client, with the same history. */
  ChatClient copy() {
    ChatClient copy = new ChatClient(live, headers, token);
    copy.messages.addAll(messages);
    copy.more = more;
    return copy;
  }

  ChatClient header(String name, String value) {
    headers.add(name);
    headers.add(value);
    return this;
  }

  /** Adds fields to all requests, written as JSON without the braces. */
  ChatClient with(String fields) {
    more = fields + ",";
    return this;
  }

  static String message(String role, String text) {
    return new JsonObject().put("role", role).put("content", text).toString();
  }

  List<String> messages() {
    return messages;
  }

  ChatClient has(String role, String text) {
    messages.add(message(role, text));
    return this;
  }

  ChatClient add(String message) {
    messages.add(message);
    return this;
  }

  /** Keeps so many of the first messages. */
  ChatClient backTo(int count) {
    messages = new ArrayList<>(messages.subList(0, count));
    return this;
  }

  /** What is answered to a message; both are in the history then. */
  String say(String text) {
    return has("user", text).ask();
  }

  /** What is answered to the history, which it is added to. */
  String ask() {
    HttpResponse<String> response = send();
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    Map<String, String> message = said(response);
    messages.add(
        new JsonObject()
            .put("role", "assistant")
            .raw("content", raw(message, "content"))
            .toString());
    return Objects.requireNonNullElse(Json.string(raw(message, "content")), "");
  }

  /** The message of the assistant, added to the history as it came. */
  Map<String, String> askForMessage() {
    HttpResponse<String> response = send();
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    Map<String, String> message = said(response);
    JsonObject all = new JsonObject();
    message.forEach(all::raw);
    messages.add(all.toString());
    return message;
  }

  private static String raw(Map<String, String> fields, String name) {
    return fields.getOrDefault(name, "null");
  }

  private static Map<String, String> said(HttpResponse<String> response) {
    List<String> choices = Json.elements(raw(Json.fields(response.body()), "choices"));
    return Json.fields(raw(Json.fields(choices.get(0)), "message"));
  }

  HttpResponse<String> send() {
    String body =
        "{" + more + "\"model\":\"script\",\"messages\":" + JsonObject.array(messages) + "}";
    return live.send("POST", "/v1/chat/completions", body, headers.toArray(String[]::new));
  }

  HttpResponse<String> call(String method, String path, String body) {
    return live.send(
        method, path, body, Stream.of("Authorization", "Bearer " + token).toArray(String[]::new));
  }
}
