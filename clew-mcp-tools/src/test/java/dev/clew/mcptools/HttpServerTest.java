package dev.clew.mcptools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.clew.agent.Tool;
import dev.clew.mcp.McpCaller;
import dev.clew.mcp.McpMessage;
import dev.clew.mcp.McpReply;
import dev.clew.mcp.McpServer;
import dev.clew.mcp.Searching;
import dev.clew.memory.MemoryStore;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers over HTTP, good and bad. */
@Tag("hostile")
@Timeout(60)
class HttpServerTest {
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]+)\"");

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private HttpServer server;

  /** Answers a call of a tool; everything before it goes well. */
  private interface Answering {
    void answer(HttpExchange call, String id) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
  }

  private McpTools serving(Answering calls) {
    server.createContext("/mcp", call -> answer(call, calls));
    return McpTools.http(url()).name("web").withoutApproval().open();
  }

  private void answer(HttpExchange call, Answering calls) throws IOException {
    String body = new String(call.getRequestBody().readAllBytes(), UTF_8);
    Matcher id = ID.matcher(body);
    Matcher method = METHOD.matcher(body);
    String what = method.find() ? method.group(1) : call.getRequestMethod();
    seen.add(what + " " + call.getRequestHeaders().getFirst("Mcp-Session-Id"));
    if (!id.find()) {
      call.sendResponseHeaders(202, -1);
    } else if (what.equals("initialize")) {
      call.getResponseHeaders().add("Mcp-Session-Id", "s" + seen.size());
      json(call, result(id.group(1), "{\"protocolVersion\":\"2025-06-18\"}"));
    } else if (what.equals("tools/list")) {
      json(
          call,
          result(
              id.group(1),
              "{\"tools\":[{\"name\":\"act\",\"inputSchema\":{\"type\":\"object\"},"
                  + "\"annotations\":{\"readOnlyHint\":true}}]}"));
    } else {
      calls.answer(call, id.group(1));
    }
    call.close();
  }

  private static String result(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
  }

  private static String text(String id, String text) {
    return result(id, "{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]}");
  }

  private static void json(HttpExchange call, String json) throws IOException {
    send(call, 200, "application/json", json);
  }

  private static void send(HttpExchange call, int status, String type, String body)
      throws IOException {
    call.getResponseHeaders().add("Content-Type", type);
    byte[] bytes = body.getBytes(UTF_8);
    call.sendResponseHeaders(status, bytes.length);
    call.getResponseBody().write(bytes);
  }

  private static String call(McpTools tools) throws Exception {
    return tools.list().get(0).call("{}").text();
  }

  @Test
  void aServerThatDiesInMidCall_isSaidInOurWords() throws Exception {
    try (McpTools tools =
        serving(
            (call, id) -> {
              call.sendResponseHeaders(200, 1000); // and then it ends
            })) {
      assertThatThrownBy(() -> call(tools))
          .hasMessageEndingWith("the connection broke off before the answer")
          .hasMessageNotContaining("@");
    }
    String gone;
    try (ServerSocket none = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      gone = "http://127.0.0.1:" + none.getLocalPort() + "/mcp";
    }
    try (McpTools tools = McpTools.http(gone).name("web").open()) {
      assertThatThrownBy(tools::list).hasMessageEndingWith("it cannot be reached");
    }
  }

  @Test
  void aCallIsAnsweredWithJsonOrEvents() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (McpTools tools =
        serving(
            (call, id) -> {
              if (calls.getAndIncrement() == 0) {
                json(call, text(id, "plain"));
              } else {
                send(
                    call,
                    200,
                    "text/event-stream; charset=utf-8",
                    ": hello\r\n\r\nevent: message\r\nid: 1\r\ndata: "
                        + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\r\n\r\n"
                        + "data: "
                        + text(id, "stream").replace(",\"result\"", "\ndata: ,\"result\"")
                        + "\n\n");
              }
            })) {
      assertThat(call(tools)).isEqualTo("plain");
      assertThat(call(tools)).isEqualTo("stream");
    }
    assertThat(seen)
        .containsSubsequence("initialize null", "tools/list s1", "tools/call s1", "tools/call s1");
  }

  /** Or ten turns at once would wait ten times as long for a server that hangs. */
  @Test
  void whoWaitsWhileAServerHangsFailsWithTheFirst() throws Exception {
    int callers = 8;
    CountDownLatch released = new CountDownLatch(1);
    server.createContext(
        "/mcp",
        call -> {
          seen.add("asked");
          await(released);
          send(call, 500, "text/plain", "no");
          call.close();
        });
    try (McpTools tools = McpTools.http(url()).name("web").open()) {
      List<FutureTask<List<McpTool>>> lists = new ArrayList<>();
      List<Thread> waiting = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        lists.add(new FutureTask<>(tools::list));
        waiting.add(new Thread(lists.get(i)));
        waiting.get(i).start();
      }
      while (waiting.stream().filter(each -> each.getState() == Thread.State.BLOCKED).count()
          < callers - 1) {
        Thread.onSpinWait();
      }
      released.countDown();
      for (FutureTask<List<McpTool>> each : lists) {
        assertThatThrownBy(each::get).hasMessageContaining("HTTP status 500");
      }
      assertThat(seen).hasSize(1);
      assertThat(tools.tools()).as("asked again later").isEmpty();
      assertThat(seen).hasSize(1);
      assertThatThrownBy(tools::list).hasMessageContaining("HTTP status 500");
      assertThat(seen).hasSize(2);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aSessionThatTheServerForgotIsBegunAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (McpTools tools =
        serving(
            (call, id) -> {
              if (calls.getAndIncrement() == 0) {
                send(call, 404, "text/plain", "no session");
              } else {
                json(call, text(id, "again"));
              }
            })) {
      assertThat(call(tools)).isEqualTo("again");
      assertThat(seen).filteredOn(each -> each.startsWith("initialize")).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "301 | a redirect, which is not followed",
        "307 | a redirect, which is not followed",
        "401 | check the credentials",
        "500 | HTTP status 500",
        "204 | HTTP status 204",
      })
  void anotherStatusIsAnErrorWithoutWhatTheServerSays(int status, String why) {
    try (McpTools tools =
        serving(
            (call, id) -> {
              call.getResponseHeaders().add("Location", "http://169.254.169.254/latest");
              call.getResponseHeaders().add("WWW-Authenticate", "Basic realm=x");
              send(call, status, "text/html", "secret page");
            })) {
      assertThatThrownBy(() -> call(tools))
          .isInstanceOf(McpFailure.class)
          .hasMessageContaining(why)
          .hasMessageNotContaining("secret");
      assertThat(seen).filteredOn(each -> each.startsWith("tools/call")).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/event-stream"})
  void anAnswerThatDoesNotEndIsCut(String type) {
    try (McpTools tools =
        serving(
            (call, id) -> {
              call.getResponseHeaders().add("Content-Type", type);
              call.sendResponseHeaders(200, 0);
              OutputStream out = call.getResponseBody();
              byte[] piece = "data: {\"x\":1}\n".repeat(1000).getBytes(UTF_8);
              for (int i = 0; i < 100_000; i++) { // until the other side leaves
                out.write(piece);
              }
            })) {
      assertThatThrownBy(() -> call(tools)).hasMessageContaining("more than 4 MiB");
    }
  }

  @Test
  void aServerThatNeverAnswersIsLeftInTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        McpTools tools =
            McpTools.http("http://127.0.0.1:" + silent.getLocalPort())
                .timeout(Duration.ofMillis(200))
                .open()) {
      assertThatThrownBy(() -> tools.tool("{\"name\":\"act\"}").orElseThrow().call("{}"))
          .hasMessageContaining("did not answer within 200 ms");
    }
  }

  @Test
  void aSlowCallEndsWithItsTime() {
    server.createContext("/slow", call -> answer(call, (same, id) -> trickle(same)));
    try (McpTools tools =
        McpTools.http(url().replace("/mcp", "/slow"))
            .withoutApproval()
            .timeout(Duration.ofMillis(500))
            .open()) {
      assertThatThrownBy(() -> call(tools)).hasMessageContaining("did not answer within");
    }
  }

  /** Something every few milliseconds, so that the connection is never idle. */
  private static void trickle(HttpExchange call) throws IOException {
    call.getResponseHeaders().add("Content-Type", "text/event-stream");
    call.sendResponseHeaders(200, 0);
    for (int i = 0; i < 100_000; i++) {
      call.getResponseBody().write(": still here\n".getBytes(UTF_8));
      call.getResponseBody().flush();
      java.util.concurrent.locks.LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  @Test
  void headersGoToTheServerAndIntoNoMessage() throws Exception {
    List<String> got = new CopyOnWriteArrayList<>();
    server.createContext(
        "/key",
        call ->
            answer(
                call,
                (same, id) -> {
                  got.add(same.getRequestHeaders().getFirst("Authorization"));
                  send(same, 500, "text/plain", "");
                }));
    try (McpTools tools =
        McpTools.http(url().replace("/mcp", "/key?code=hidden"))
            .header("Authorization", "Bearer s3cret")
            .open()) {
      assertThatThrownBy(() -> call(tools))
          .hasMessageNotContaining("s3cret")
          .hasMessageNotContaining("hidden");
      assertThat(tools.toString()).doesNotContain("s3cret").doesNotContain("hidden");
    }
    assertThat(got).containsExactly("Bearer s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "content-length",
        "Transfer-Encoding",
        "Cookie",
        "Proxy-X",
        "Mcp-Method",
        "a b"
      })
  void headersOfTheProtocolCannotBeSet(String header) {
    assertThatThrownBy(() -> McpTools.http("https://x.example").header(header, "1"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> McpTools.http("https://x.example").header("A", "1\r\nB: 2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("B: 2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://x",
        "file:///etc/passwd",
        "/mcp",
        "https://",
        "https://u:p@x/",
        "http://x/#f"
      })
  void otherUrlsAreRefused(String url) {
    assertThatThrownBy(() -> McpTools.http(url)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http_url?key=s3cret", "ftp://u:s3cret@x", "ht tp://x?s3cret#s3cret"})
  void aUrlThatIsRefusedIsShownWithoutWhatMayBeSecret(String url) {
    assertThatThrownBy(() -> McpTools.http(url)).hasMessageNotContaining("s3cret");
  }

  @Test
  void whatIsWrongWithAHeaderIsSaid() {
    assertThatThrownBy(() -> McpTools.http("http://x").header("A", "b\r\nC: d"))
        .hasMessage("the header 'A' has a line break or another control character");
    assertThatThrownBy(() -> McpTools.http("http://x").header("A", "\u00fc"))
        .hasMessage("the header 'A' has characters that are not ASCII");
  }

  /** Whatever way the address is written, and whatever a name resolves to. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]"
      })
  void aPrivateAddressIsNotConnectedTo(String host) throws Exception {
    serving((call, id) -> json(call, text(id, "reached"))).close();
    String there = "http://" + host + ":" + server.getAddress().getPort() + "/mcp";
    try (McpTools tools = McpTools.http(there).name("x").publicOnly().open()) {
      assertThatThrownBy(tools::list).hasMessageContaining("private address");
    }
    assertThat(seen).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.1.2.3",
        "100.64.0.1",
        "169.254.169.254",
        "172.31.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "fc00::1",
        "fe80::1",
        "64:ff9b::a00:1",
        "64:ff9b:1::808:808",
        "2001:0:808:808::1",
        "2002:7f00:1::",
        "::7f00:1",
        "ff02::1"
      })
  void addressesOfPrivateNetworksAreNotPublic(String address) throws Exception {
    assertThat(Addresses.isPublic(InetAddress.getAllByName(address)[0])).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "2606:4700::1111", "64:ff9b::808:808"})
  void othersArePublic(String address) throws Exception {
    assertThat(Addresses.isPublic(InetAddress.getAllByName(address)[0])).isTrue();
  }

  @Test
  void ourOwnServerAnswersWithAndWithoutAHandshake() throws Exception {
    try (MemoryStore store = new MemoryStore()) {
      McpServer clew = new McpServer(store, Searching.of(store), "1");
      AtomicInteger refused = new AtomicInteger();
      server.createContext("/both", call -> ours(call, clew, false, refused));
      server.createContext("/stateless", call -> ours(call, clew, true, refused));
      for (String path : List.of("/both", "/stateless")) {
        try (McpTools tools = McpTools.http(url().replace("/mcp", path)).name("clew").open()) {
          assertThat(tools.list()).extracting(Tool::name).contains("clew__list_conversations");
          assertThat(
                  tools.tool("{\"name\":\"list_conversations\"}").orElseThrow().call("{}").text())
              .contains("\"conversations\"");
        }
      }
      assertThat(refused).hasPositiveValue();
    }
  }

  private static void ours(HttpExchange call, McpServer clew, boolean stateless, AtomicInteger no)
      throws IOException {
    String body = new String(call.getRequestBody().readAllBytes(), UTF_8);
    if (stateless && body.contains("\"initialize\"")) {
      no.incrementAndGet();
      send(
          call,
          400,
          "application/json",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,\"message\":\"no\"}}");
    } else {
      McpReply reply =
          clew.answer(
              McpCaller.of("ann", false),
              new McpMessage(
                  body,
                  header(call, "MCP-Protocol-Version"),
                  header(call, "Mcp-Method"),
                  header(call, "Mcp-Name"),
                  true));
      if (reply.json().isPresent()) {
        send(call, reply.status(), "application/json", reply.json().get());
      } else {
        call.sendResponseHeaders(reply.status(), -1);
      }
    }
    call.close();
  }

  private static Optional<String> header(HttpExchange call, String name) {
    return Optional.ofNullable(call.getRequestHeaders().getFirst(name));
  }
}
