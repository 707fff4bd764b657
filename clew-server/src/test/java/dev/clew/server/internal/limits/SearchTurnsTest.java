package dev.clew.server.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.spi.Backend;
import dev.clew.spi.TextIndex;
import dev.clew.tck.FaultyStore;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches that take long: one caller has a few at once, and nobody else notices. */
@Tag("hostile")
class SearchTurnsTest {
  private static final int AT_ONCE =
      Math.max(1, Math.min(2, Runtime.getRuntime().availableProcessors() / 2));
  private static final int AT_ONCE_AND_WAITING = 6;

  private final FaultyStore store = new FaultyStore(new MemoryStore());
  private final LiveServer live = new LiveServer(store);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
    live.close();
    store.close();
  }

  @Test
  void whoSearchesTooMuchAtOnceIsRefused_andOthersAreServed() {
    store.session(new SessionKey("bob", "1")).addItems(List.of(Item.user("a needle")));
    store.session(new SessionKey("ann", "1")).addItems(List.of(Item.user("another needle")));
    Caller bob = new Caller(live, "bob");
    Caller ann = new Caller(live, "ann");
    FaultyStore.Hold hold =
        store.hold(call -> call.name().equals("search") && call.number() <= AT_ONCE);
    List<Future<Caller.Answer>> searches =
        IntStream.range(0, 30)
            .mapToObj(i -> threads.submit(() -> bob.get("/api/search?q=needle")))
            .toList();
    try {
      Eventually.ask(
          "all but a few are refused",
          () -> searches.stream().filter(Future::isDone).count(),
          done -> done == searches.size() - AT_ONCE_AND_WAITING);
      ann.get("/api/sessions").is(200);
      ann.get("/api/me").is(200);
      ann.get("/api/search?q=needle").is(200);
      assertThat(live.send("GET", "/readyz", "").statusCode()).isEqualTo(200);
    } finally {
      hold.release();
    }
    List<Caller.Answer> answers = searches.stream().map(Eventually::value).toList();
    assertThat(answers)
        .filteredOn(answer -> answer.response().statusCode() == 200)
        .hasSize(AT_ONCE_AND_WAITING);
    assertThat(answers)
        .filteredOn(answer -> answer.response().statusCode() == 429)
        .hasSize(searches.size() - AT_ONCE_AND_WAITING)
        .allSatisfy(
            answer -> {
              answer.refused(429, "too_many_searches");
              assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/search?q=a HTTP/1.1\r\n%s\r\n",
        "POST /mcp HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: 113\r\n\r\n"
            + "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
            + "{\"name\":\"search_conversations\",\"arguments\":{\"query\":\"a\"}}}"
      })
  void aSearchEndsWhenItsClientHasGone(String request) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    SessionStore endless =
        BackendStore.decorate(
            new MemoryStore(), backend -> new EndlessSearch(backend, begun, ended));
    try (LiveServer server = new LiveServer(endless)) {
      String sent =
          String.format(
              request, "Host: 127.0.0.1\r\nAuthorization: Bearer " + server.token("ann") + "\r\n");
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
        client.getOutputStream().write(sent.getBytes(StandardCharsets.UTF_8));
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static final class EndlessSearch extends ForwardingBackend implements TextIndex {
    private final CountDownLatch begun;
    private final CountDownLatch ended;

    EndlessSearch(Backend delegate, CountDownLatch begun, CountDownLatch ended) {
      super(delegate);
      this.begun = begun;
      this.ended = ended;
    }

    @Override
    public SearchResult search(SearchQuery query) {
      begun.countDown();
      Eventually.ask("nobody waits for it", () -> query.wanted().getAsBoolean(), wanted -> !wanted);
      ended.countDown();
      return new SearchResult(List.of(), true);
    }
  }
}
