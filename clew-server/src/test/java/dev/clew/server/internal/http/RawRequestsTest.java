package dev.clew.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionQuery;
import dev.clew.memory.MemoryStore;
import dev.clew.server.LiveServer;
import dev.clew.server.settings.ServerSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no client library would send. */
@Tag("hostile")
class RawRequestsTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final LiveServer live =
      new LiveServer(
          store,
          settings ->
              settings.openMetrics(true).requestLog(ServerSettings.LogFormat.TEXT, log::add));

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  /** What comes back for a head and, after it, a body of so many bytes in chunks if negative. */
  private String send(String head, long body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port())) {
      socket.setSoTimeout(30_000);
      OutputStream out = socket.getOutputStream();
      out.write(head.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
      byte[] block = new byte[1 << 16];
      java.util.Arrays.fill(block, (byte) ' ');
      try {
        for (long left = Math.abs(body); left > 0; left -= block.length) {
          if (body < 0) {
            out.write("10000\r\n".getBytes(StandardCharsets.UTF_8));
          }
          out.write(block);
          if (body < 0) {
            out.write("\r\n".getBytes(StandardCharsets.UTF_8));
          }
        }
        out.flush();
      } catch (SocketException e) {
        // The server has refused and closed; what it said can still be read.
      }
      return read(socket.getInputStream());
    }
  }

  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      in.transferTo(bytes);
    } catch (SocketException e) {
      // Closed hard, after the answer.
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private String post(String path, String more) {
    return "POST "
        + path
        + " HTTP/1.1\nHost: localhost\nConnection: close\nAuthorization: Bearer "
        + live.token("ann")
        + "\n"
        + more
        + "\n\n";
  }

  @Test
  void aBodyThatIsSaidToBeTooLargeIsRefusedUnread() throws Exception {
    String answer = send(post("/v1/conversations", "Content-Length: 99999999999"), 0);
    assertThat(answer).startsWith("HTTP/1.1 413").contains("\"code\":\"body_too_large\"");
  }

  @Test
  void whatIsRefusedUnreadIsLoggedAndCounted() throws Exception {
    send(post("/v1/conversations", "Content-Length: 99999999999"), 0);
    String answer = send(post("/v1/conversations", "X-Long: " + "x".repeat(20_000)), 0);
    assertThat(answer).startsWith("HTTP/1.1 431");
    assertThat(log).anyMatch(line -> line.contains(" POST /v1/conversations 413 "));
    assertThat(log).anyMatch(line -> line.endsWith(" - (unread) 431"));
    String counted = "clew_http_requests_seconds_count{method=";
    assertThat(live.send("GET", "/metrics", "").body())
        .contains(counted + "\"POST\",route=\"/v1/conversations\",status=\"413\"} 1")
        .contains(counted + "\"-\",route=\"(unread)\",status=\"431\"} 1");
  }

  @Test
  void anIdInAHeaderIsReadAsUtf8() throws Exception {
    String body = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    String head = "X-Clew-Session: caf\u00e9\nContent-Length: " + body.length();
    send(post("/v1/chat/completions", head) + body, 0);
    assertThat(store.list(SessionQuery.of("ann")).sessions())
        .extracting(info -> info.key().id())
        .containsExactly("caf\u00e9");
  }

  @Test
  void aNumberThatIsNoneIsCalledSo() throws Exception {
    String body = "{\"model\":\"m\",\"temperature\":NaN}";
    String answer = send(post("/v1/responses", "Content-Length: " + body.length()) + body, 0);
    assertThat(answer).contains("unexpected NaN").doesNotContain("JsonReadFeature");
  }

  @Test
  void anEndlessBodyIsCutOffAtTheLimit() throws Exception {
    String answer = send(post("/v1/conversations", "Transfer-Encoding: chunked"), -(64L << 20));
    assertThat(answer).startsWith("HTTP/1.1 413");
  }

  @Test
  void aNameThatWasMadeToPointHereIsRefused() throws Exception {
    String answer = send("GET /healthz HTTP/1.1\nHost: evil.example\nConnection: close\n\n", 0);
    assertThat(answer).startsWith("HTTP/1.1 403").contains("host_not_allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.io",
        "127.",
        "127.0.0.1.",
        "127.1",
        "127.0.0.256",
        "127.0.0.01",
        "localhost.",
        "localhost.evil.example",
        "[::1].evil.example",
        "[::2]",
        "::1.evil.example",
        "evil.example#127.0.0.1",
        "2130706433"
      })
  void aNameThatLooksLikeThisMachineIsNotThisMachine(String name) throws Exception {
    String host = name + ":" + live.server().port();
    String get = "GET /healthz HTTP/1.1\nHost: " + host + "\nConnection: close\n\n";
    assertThat(send(get, 0)).matches("(?s)HTTP/1.1 (403|400) .*");
    String posted =
        post("/api/chat", "Content-Length: 0\nOrigin: http://" + host)
            .replace("Host: localhost", "Host: " + host);
    assertThat(send(posted, 0)).matches("(?s)HTTP/1.1 (403|400) .*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "127.255.0.3", "LOCALHOST"})
  void everyNameOfThisMachineIsServed(String name) throws Exception {
    for (String host : List.of(name, name + ":8787")) {
      String answer = send("GET /healthz HTTP/1.1\nHost: " + host + "\nConnection: close\n\n", 0);
      assertThat(answer).as(host).startsWith("HTTP/1.1 200");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Authorization: Bearer clew_other", "Origin: http://localhost"})
  void whoSaysTwiceWhoSheIsIsRefused(String second) throws Exception {
    String head = post("/v1/conversations", "Origin: http://localhost\n" + second);
    assertThat(send(head, 0)).startsWith("HTTP/1.1 400").contains("was sent twice");
  }

  @Test
  void aFormWithoutATokenIsShortAndHasFewFields() throws Exception {
    String head = "POST /sign-in HTTP/1.1\nHost: localhost\nConnection: close\n";
    String long29 = send(head + "Content-Length: " + (29 << 20) + "\n\n", 29 << 20);
    assertThat(long29).startsWith("HTTP/1.1 413");
    assertThat(send(head + "Transfer-Encoding: chunked\n\n", -(29L << 20)))
        .startsWith("HTTP/1.1 413");
    String fields = "a=1&".repeat(1000);
    assertThat(send(head + "Content-Length: " + fields.length() + "\n\n" + fields, 0))
        .startsWith("HTTP/1.1 400")
        .contains("fields");
  }

  /** A connection remembers headers, and must not take one for another of other letters. */
  @Test
  void aHeaderThatDiffersInCaseIsAnother() throws Exception {
    String secret = live.token("ann");
    StringBuilder swapped = new StringBuilder();
    secret
        .codePoints()
        .map(c -> Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c))
        .forEach(swapped::appendCodePoint);
    String head = "GET /api/me HTTP/1.1\nHost: localhost\nAuthorization: Bearer %s\n%s\n";
    String both = head.formatted(swapped, "") + head.formatted(secret, "Connection: close\n");
    assertThat(send(both, 0)).startsWith("HTTP/1.1 401").contains("HTTP/1.1 200");
  }

  /** Who calls, and whether she may, is known before anything is read that she sends. */
  @Test
  void aBodyOfSomebodyWhoIsNotLetInIsNotWaitedFor() throws Exception {
    String head = "POST /api/chat HTTP/1.1\nHost: %s\nContent-Length: 9000000\n%s\n";
    assertThat(send(head.formatted("localhost", ""), 0)).startsWith("HTTP/1.1 401");
    assertThat(send(head.formatted("evil.example", ""), 0)).startsWith("HTTP/1.1 403");
    assertThat(send(head.formatted("localhost", "Origin: http://evil.example\n"), 0))
        .startsWith("HTTP/1.1 403");
    assertThat(send(head.replace("/api/chat", "/none").formatted("localhost", ""), 0))
        .startsWith("HTTP/1.1 404");
    assertThat(send(post("/api/chat", "Content-Length: 12000000"), 0)).startsWith("HTTP/1.1 413");
    assertThat(send(head.replace("POST", "OPTIONS").formatted("localhost", ""), 0))
        .startsWith("HTTP/1.1 413");
    assertThat(send(post("/api/sessions/s/fork", "Content-Length: 2000000"), 0))
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void nonsenseIsRefusedInTheSameEnvelope() throws Exception {
    assertThat(send("GET /%zz HTTP/1.1\nHost: localhost\nConnection: close\n\n", 0))
        .startsWith("HTTP/1.1 400")
        .contains("{\"error\":{\"message\":");
    assertThat(send("NONSENSE\n\n", 0)).startsWith("HTTP/1.1 400");
  }

  @Test
  void bytesThatAreNoTextAreNoJson() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          post("/v1/conversations", "Content-Length: 4")
              .replace("\n", "\r\n")
              .getBytes(StandardCharsets.UTF_8));
      out.write(new byte[] {'{', (byte) 0xff, (byte) 0xfe, '}'});
      out.flush();
      assertThat(read(socket.getInputStream())).startsWith("HTTP/1.1 400").contains("invalid_json");
    }
  }

  /** A body of so many bytes, of which only a part is sent; how long the refusal took. */
  private long refusedInMillis(String head, byte[] part, String status) throws IOException {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) { // the best of a few, because the machine may be busy
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port())) {
        socket.setSoTimeout(30_000);
        long start = System.nanoTime();
        socket.getOutputStream().write(head.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(part);
        socket.getOutputStream().flush();
        String answer = read(socket.getInputStream());
        best = Math.min(best, (System.nanoTime() - start) / 1_000_000);
        assertThat(answer).startsWith("HTTP/1.1 " + status).contains("\"error\":{");
      }
    }
    return best;
  }

  @Test
  void whatIsTooMuchIsRefusedAtOnce() throws Exception {
    byte[] none = {};
    byte[] deep = "[".repeat(100_000).getBytes(StandardCharsets.UTF_8);
    byte[] many =
        ("{\"items\":[" + "{\"role\":\"user\",\"content\":\"x\"},".repeat(1001) + "{}]}")
            .getBytes(StandardCharsets.UTF_8);
    String path = "/v1/conversations";
    assertThat(refusedInMillis(post(path, "Content-Length: 33554433"), none, "413"))
        .isLessThan(100);
    assertThat(refusedInMillis(post(path, "Content-Length: " + deep.length), deep, "400"))
        .isLessThan(100);
    assertThat(refusedInMillis(post(path, "Content-Length: " + many.length), many, "400"))
        .isLessThan(100);
  }

  @Test
  void aBodyThatBreaksOffChangesNothingAndIsNoFault() throws Exception {
    for (int i = 0; i < 20; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port())) {
        String request = post("/v1/conversations", "Content-Length: 100") + "{\"metadata\":{";
        socket
            .getOutputStream()
            .write(request.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
        socket.shutdownOutput();
        String answer = read(socket.getInputStream());
        assertThat(answer).doesNotStartWith("HTTP/1.1 5");
      }
    }
    assertThat(store.list(SessionQuery.of("ann")).sessions()).isEmpty();
  }
}
