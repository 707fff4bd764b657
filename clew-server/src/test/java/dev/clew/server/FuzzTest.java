package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.internal.http.Route;
import dev.clew.server.settings.LimitSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests that are nearly right, to every route: whatever is sent, the answer comes, is no fault
 * of the server, and what was there before is still readable. The seed is in the message of a
 * failure; {@code -Dclew.fuzz.seed} repeats it.
 */
@Tag("hostile")
class FuzzTest {
  private static final int EACH = Boolean.getBoolean("clew.soak") ? 5_000 : 30;
  private static final Pattern PARAMETER = Pattern.compile("\\{[^}]+}");
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1e999",
          "9223372036854775808",
          "\"\"",
          "\"s\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "[]",
          "{}",
          "[[]]",
          "[null]",
          "[{}]",
          "{\"a\":1,\"a\":2}",
          "\"user\"",
          "[{\"role\":\"user\",\"content\":\"x\"}]",
          "[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"x\"}]}]",
          "[{\"type\":\"function_call_output\",\"call_id\":\"none\",\"output\":\"x\"}]",
          "[{\"type\":\"compaction\",\"encrypted_content\":\"AAAA\"}]",
          "{\"k\":\"v\"}",
          "{\"type\":\"json_schema\"}",
          "[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"\"}}]}]",
          "[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"\",\"function\":{\"name\":\"\",\"arguments\":\"{\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"\",\"content\":[]}]",
          "[{\"role\":\"user\",\"content\":\"\\ud800\"},{\"role\":\"assistant\",\"content\":\"a\"}]",
          "{\"type\":\"allowed_tools\",\"allowed_tools\":{\"mode\":\"auto\",\"tools\":[{\"type\":\"x\"}]}}",
          "\"conv_x\"",
          "\"resp_x\"",
          "0.5");
  private static final List<String> FIELDS =
      List.of(
          "message",
          "session_id",
          "stream",
          "items",
          "metadata",
          "title",
          "tags",
          "pinned",
          "archived",
          "ttl_seconds",
          "at",
          "call_id",
          "approve",
          "always",
          "model",
          "input",
          "conversation",
          "previous_response_id",
          "store",
          "tools",
          "tool_choice",
          "text",
          "instructions",
          "truncation",
          "context_management",
          "background",
          "include",
          "reasoning",
          "max_output_tokens",
          "temperature",
          "messages",
          "functions",
          "response_format",
          "stream_options",
          "n",
          "stop",
          "seed",
          "format",
          "name");
  private static final List<String> QUERY =
      List.of(
          "limit",
          "after",
          "before",
          "order",
          "cursor",
          "q",
          "tag",
          "archived",
          "pinned",
          "include[]",
          "stream",
          "starting_after",
          "format",
          "compacted",
          "code",
          "%00",
          "");
  private static final List<String> TEXTS =
      List.of(
          "s",
          "",
          "0",
          "-1",
          "99999999999999999999",
          "asc",
          "true",
          "true",
          "%zz",
          "%00",
          "%ff",
          "../..",
          "a%2Fb",
          "conv_x6",
          "é",
          "\u0000",
          "'; DROP TABLE x;--",
          "%E4%BC%9A",
          "md",
          "html");

  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live =
      new LiveServer(store, settings -> settings.limits(LimitSettings.NONE));
  private final String bearer = live.token("ann");
  private Random random = new Random(0);

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  @Test
  void nothingThatIsSentIsAFaultOfTheServer() throws Exception {
    long seed = Long.getLong("clew.fuzz.seed", System.nanoTime());
    random = new Random(seed);
    SessionKey kept = new SessionKey("bob", "kept");
    store.session(kept).addItems(List.of(Item.user("keep me")));
    int sent = 0;
    for (Route route : live.routes()) {
      for (int i = 0; i < EACH; i++) {
        store.session(new SessionKey("ann", "s")).addItems(List.of(Item.user("hello")));
        byte[] request = request(route);
        String answer = send(request);
        check(answer, "seed " + seed + ", " + route + ": " + shown(request));
        sent++;
      }
      assertThat(send(plain("GET", "/healthz", ""))).startsWith("HTTP/1.1 200");
    }
    assertThat(store.session(kept).getItems()).hasSize(1);
    readable(store);
    System.out.println(sent + " requests, seed " + seed);
  }

  /** Whatever was written is whole: each item of each session of hers can be read. */
  private static void readable(SessionStore store) {
    for (SessionInfo info : store.list(SessionQuery.of("ann").limit(100)).sessions()) {
      for (Item item : store.session(info.key()).getItems()) {
        assertThat(Item.parse(item.json()).json()).isEqualTo(item.json());
      }
    }
  }

  private static void check(String answer, String what) {
    assertThat(answer).as(what).startsWith("HTTP/1.1 ");
    int status = Integer.parseInt(answer.substring(9, 12));
    assertThat(status).as("%s%n%s", what, answer).isBetween(200, 499);
    assertThat(answer).as(what).doesNotContain("\tat ").doesNotContain("Exception");
  }

  private static String shown(byte[] request) {
    return new String(request, StandardCharsets.ISO_8859_1)
        .replaceAll("Bearer [^\r]*", "Bearer …")
        .replace("\r\n", "⏎");
  }

  private byte[] plain(String method, String target, String body) {
    return head(method, target, body.getBytes(StandardCharsets.UTF_8), "");
  }

  private byte[] head(String method, String target, byte[] body, String more) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        (method
                + " "
                + target
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                + bearer
                + "\r\n"
                + more
                + "Content-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    out.writeBytes(body);
    return out.toByteArray();
  }

  private byte[] request(Route route) {
    String path =
        PARAMETER
            .matcher(route.path())
            .replaceAll(match -> java.util.regex.Matcher.quoteReplacement(segment()));
    StringBuilder target = new StringBuilder(path);
    for (int i = random.nextInt(4); i > 0; i--) {
      target.append(target.indexOf("?") < 0 ? '?' : '&');
      target.append(any(QUERY)).append('=').append(text());
    }
    byte[] body = mutated(body().getBytes(StandardCharsets.UTF_8));
    return head(route.method().name(), target.toString().replace(' ', '+'), body, header());
  }

  private String segment() {
    return random.nextInt(3) == 0 ? text() : "s";
  }

  private String text() {
    String text = any(TEXTS);
    return random.nextBoolean() ? URLEncoder.encode(text, StandardCharsets.UTF_8) : printable(text);
  }

  /** A line break or a null in the first line would only test the parser, again and again. */
  private static String printable(String text) {
    return text.replace("\u0000", "%00").replace(' ', '+');
  }

  private String header() {
    return switch (random.nextInt(6)) {
      case 0 -> "Idempotency-Key: " + any(TEXTS).replace("\u0000", "") + "\r\n";
      case 1 -> "Last-Event-ID: " + any(TEXTS).replace("\u0000", "") + "\r\n";
      case 2 ->
          "Content-Type: " + any(List.of("text/plain", "multipart/form-data", ";;", "é")) + "\r\n";
      case 3 -> "Accept: text/event-stream\r\n";
      case 4 -> "X-Strange: " + "x".repeat(random.nextInt(9000)) + "\r\n";
      default -> "";
    };
  }

  private String body() {
    StringBuilder body = new StringBuilder("{");
    List<String> fields = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      String name = any(FIELDS);
      if (!fields.contains(name)) {
        fields.add(name);
        body.append(body.length() > 1 ? "," : "").append(Json.quote(name)).append(':');
        body.append(any(VALUES));
      }
    }
    return body.append('}').toString();
  }

  /** Sometimes a byte is changed, lost, or the rest cut off. */
  private byte[] mutated(byte[] body) {
    byte[] changed = body.clone();
    switch (random.nextInt(8)) {
      case 0 -> changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      case 1 -> changed = java.util.Arrays.copyOf(changed, random.nextInt(changed.length));
      case 2 -> changed = "[".repeat(5000).getBytes(StandardCharsets.UTF_8);
      default -> {
        // As it is.
      }
    }
    return changed;
  }

  /** What comes back, until the server closes or has sent the head of a stream. */
  private String send(byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port())) {
      socket.setSoTimeout((int) Eventually.DEADLINE.toMillis());
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 14];
      for (int n = socket.getInputStream().read(buffer);
          n >= 0;
          n = socket.getInputStream().read(buffer)) {
        answer.write(buffer, 0, n);
        if (answer.toString(StandardCharsets.UTF_8).contains("text/event-stream")
            && new String(request, StandardCharsets.UTF_8).contains("/events")) {
          break; // it goes on for ever
        }
      }
      return answer.toString(StandardCharsets.UTF_8);
    }
  }
}
