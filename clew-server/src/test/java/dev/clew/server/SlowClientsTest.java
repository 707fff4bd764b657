package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.memory.MemoryStore;
import dev.clew.server.limits.LimitSettings;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that send, or read, a byte now and then. */
class SlowClientsTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");
  private static final int SENDERS = SOAK ? 2_000 : 1_000;
  private static final int READERS = SOAK ? 60 : 12;

  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live =
      new LiveServer(store, settings -> settings.limits(LimitSettings.NONE));

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private record Slow(String opening, String more, boolean listens) implements Crowd.Member {}

  @Test
  void slowClientsAreCutWhileOthersAreServed() throws Exception {
    Caller ann = new Caller(live, "ann");
    Caller bob = new Caller(live, "bob");
    String large = "x".repeat(4 << 20);
    store.session(new SessionKey("ann", "s")).addItems(List.of(Item.user(large)));
    String head = "Host: localhost\r\nAuthorization: " + ann.bearer() + "\r\n";
    try (Crowd crowd = new Crowd(live.server().port())) {
      for (int i = 0; i < SENDERS; i++) {
        crowd.join(
            i % 2 == 0
                ? new Slow("GET /healthz HTTP/1.1\r\nX-Slow: ", "x", true)
                : new Slow(
                    "POST /v1/conversations HTTP/1.1\r\n" + head + "Content-Length: 9999\r\n\r\n{",
                    " ",
                    true));
      }
      for (int i = 0; i < READERS; i++) {
        crowd.join(new Slow("GET /api/sessions/s/items HTTP/1.1\r\n" + head + "\r\n", "", false));
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
        assertThat(seconds(start)).as("%s slow clients are left", crowd.open()).isLessThan(60);
      }
      System.out.printf(
          "%d slow clients were cut in %d s; %d others were served, the slowest in %d ms%n",
          SENDERS + READERS, seconds(start), served, slowest / 1_000_000);
      assertThat(served).isGreaterThan(100);
    }
  }

  private static long seconds(long since) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
  }
}
