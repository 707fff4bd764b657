package dev.clew.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.settings.LimitSettings;
import dev.clew.testservers.ManySockets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that send, or read, a byte now and then. */
@Tag("hostile")
class SlowClientsTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");
  private static final int SENDERS = SOAK ? 2_000 : 1_000;
  private static final int READERS = SOAK ? 40 : 12;
  private static final int STALLED = 20;
  private static final int EVENTS = 120; // more than the buffers of a connection hold

  private static final SessionKey LIVE = new SessionKey("ann", "live");

  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live =
      new LiveServer(store, settings -> settings.limits(LimitSettings.NONE).openMetrics(true));

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private record Slow(String opening, String more, boolean listens) implements ManySockets.Client {}

  @Test
  void slowClientsAreCutWhileOthersAreServed() throws Exception {
    Caller ann = new Caller(live, "ann");
    Caller bob = new Caller(live, "bob");
    String large = "x".repeat(1 << 20); // more than the buffers of a connection hold
    store.session(new SessionKey("ann", "s")).addItems(List.of(Item.user(large)));
    String head = "Host: localhost\r\nAuthorization: " + ann.bearer() + "\r\n";
    store.session(LIVE).update(SessionUpdate.none());
    long version = store.session(LIVE).info().orElseThrow().version();
    try (ManySockets crowd = new ManySockets(live.server().port());
        ManySockets stalled = new ManySockets(live.server().port())) {
      for (int i = 0; i < STALLED; i++) { // connected, and never begun
        stalled.connect(
            new Slow("GET /api/sessions/live/events HTTP/1.1\r\n" + head + "\r\n", "", false));
      }
      Eventually.ask("the streams are open", this::openStreams, count -> count == STALLED);
      for (int i = 0; i < EVENTS; i++) {
        store.session(LIVE).addItems(List.of(Item.user(i + "x".repeat(50_000))));
      }
      for (int i = 0; i < SENDERS; i++) {
        crowd.connect(
            i % 2 == 0
                ? new Slow("GET /healthz HTTP/1.1\r\nX-Slow: ", "x", true)
                : new Slow(
                    (i % 4 == 1 ? "POST /mcp" : "POST /v1/conversations")
                        + " HTTP/1.1\r\n"
                        + head
                        + "Content-Length: 9999\r\n\r\n{",
                    " ",
                    true));
      }
      for (int i = 0; i < READERS; i++) {
        crowd.connect(
            new Slow("GET /api/sessions/s/items HTTP/1.1\r\n" + head + "\r\n", "", false));
      }
      long start = System.nanoTime();
      crowd.begin();
      long slowest = 0;
      int served = 0;
      while (crowd.open() > 0) {
        long before = System.nanoTime();
        bob.get("/api/sessions").is(200);
        slowest = Math.max(slowest, System.nanoTime() - before);
        served++;
        assertThat(seconds(start)).as("%s slow clients are left", crowd.open()).isLessThan(30);
      }
      Eventually.ask("readers that stopped are cut", this::openStreams, count -> count == 0);
      System.out.printf(
          "%d slow clients were cut in %d s; %d others were served, the slowest in %d ms%n",
          SENDERS + READERS, seconds(start), served, slowest / 1_000_000);
      assertThat(served).isGreaterThan(100);
    }
    // One of them that comes back gets all it had missed.
    try (Caller.Events back =
        ann.stream("GET", "/api/sessions/live/events", "", "Last-Event-ID", "" + version)) {
      int heard = 0;
      while (heard < EVENTS) {
        for (var entry : Caller.objects(back.until("appended").json().get("entries"))) {
          assertThat(entry.get("item").toString()).contains("=" + heard + "x");
          heard++;
        }
      }
    }
  }

  private int openStreams() {
    return live.send("GET", "/metrics", "")
        .body()
        .lines()
        .filter(line -> line.startsWith("clew_streams_open "))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' '))))
        .sum();
  }

  private static long seconds(long since) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
  }
}
