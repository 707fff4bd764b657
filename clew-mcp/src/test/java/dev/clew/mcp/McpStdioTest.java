package dev.clew.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SearchResult;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class McpStdioTest {
  private final SessionStore store = Stores.open("memory:");

  @AfterEach
  void close() {
    store.close();
  }

  private static String request(int id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":"
        + id
        + ",\"method\":\""
        + method
        + "\",\"params\":"
        + params
        + "}\n";
  }

  private List<String> answers(String input) throws IOException {
    List<String> out = new ArrayList<>();
    McpStdio.serve(
        new McpServer(store, Searching.of(store), "1"),
        McpCaller.of("", false),
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        out::add);
    return out;
  }

  @Test
  void eachRequest_isAnsweredOnALineOfItsOwn_untilTheInputEnds() throws IOException {
    store.session("s").addItems(List.of(Item.user("two\nlines \u2028 \uD83D\uDE80")));
    List<String> answers =
        answers(
            request(1, "initialize", "{\"protocolVersion\":\"2025-11-25\"}")
                + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\n"
                + request(
                    2,
                    "tools/call",
                    "{\"name\":\"get_conversation\",\"arguments\":{\"session_id\":\"s\"}}")
                + "nonsense\n"
                + request(3, "ping", "{}").strip());
    assertThat(answers)
        .hasSize(4)
        .allSatisfy(line -> assertThat(Json.readObject(line)).containsKey("jsonrpc"));
    assertThat(answers).anyMatch(line -> line.contains("-32700"));
    assertThat(answers).anyMatch(line -> line.contains("two\\\\nlines"));
  }

  @Test
  void aLineThatIsTooLong_isRefused_andTheNextOneAnswered() throws IOException {
    List<String> answers =
        answers(
            "{\"a\":\"" + "x".repeat(McpServer.MOST_BYTES) + "\"}\n" + request(1, "ping", "{}"));
    assertThat(answers).hasSize(2);
    assertThat(answers).anyMatch(line -> line.contains("-32700"));
    assertThat(answers).anyMatch(line -> line.contains("\"result\":{}"));
  }

  @Test
  void aCancelledSearch_ends_andOthersDoNotWaitForIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Searching endless =
        (filter, query) -> {
          begun.countDown();
          while (query.wanted().getAsBoolean()) {
            Thread.onSpinWait();
          }
          ended.countDown();
          return new SearchResult(List.of(), true);
        };
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    try (PipedInputStream in = new PipedInputStream()) {
      CompletableFuture<Void> served;
      try (PipedOutputStream client = new PipedOutputStream(in)) {
        served = CompletableFuture.runAsync(() -> serve(endless, in, answers::add));
        send(
            client,
            request(
                5,
                "tools/call",
                "{\"name\":\"search_conversations\",\"arguments\":{\"query\":\"x\"}}"));
        begun.await();
        send(client, request(6, "ping", "{}"));
        assertThat(answers.take()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{}}");
        send(
            client,
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}\n");
        ended.await();
      }
      served.get();
      assertThat(answers).isEmpty();
    }
  }

  private void serve(Searching searching, InputStream in, Consumer<String> out) {
    try {
      McpStdio.serve(new McpServer(store, searching, "1"), McpCaller.of("", false), in, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(OutputStream to, String line) throws IOException {
    to.write(line.getBytes(StandardCharsets.UTF_8));
    to.flush();
  }

  @Test
  void anOwner_isFixedByWhoStartsIt() throws IOException {
    store.session("s").addItems(List.of(Item.user("mine")));
    List<String> out = new ArrayList<>();
    McpStdio.serve(
        new McpServer(store, Searching.of(store), "1"),
        McpCaller.of("bob", false),
        new ByteArrayInputStream(
            request(1, "tools/call", "{\"name\":\"list_conversations\",\"arguments\":{}}")
                .getBytes(StandardCharsets.UTF_8)),
        out::add);
    Map<String, Object> answer = Json.readObject(out.get(0));
    assertThat(
            Client.objects(
                Client.object(Client.object(answer, "result"), "structuredContent"),
                "conversations"))
        .isEmpty();
  }
}
