package dev.clew.server.internal.sessions;

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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Very many readers of live updates, some of which stop reading. */
class ManyStreamsTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");
  private static final int STREAMS = SOAK ? 10_000 : 2_000;
  private static final int SESSIONS = 100;
  private static final int SECONDS = SOAK ? 30 : 3;
  private static final String MARK = "\"position\":";

  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live =
      new LiveServer(store, settings -> settings.limits(LimitSettings.NONE));
  private final Caller ann = new Caller(live, "ann");

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private SessionKey key(int session) {
    return new SessionKey("ann", "s" + session);
  }

  private String opening(int session) {
    return "GET /api/sessions/s"
        + session
        + "/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
        + ann.bearer()
        + "\r\n\r\n";
  }

  /** Counts the entries it is sent; an event may have several. */
  private final class Reader implements ManySockets.Client {
    final AtomicInteger entries = new AtomicInteger();
    volatile boolean begun;
    private final int session;
    private final boolean listens;
    private String rest = "";

    Reader(int session, boolean listens) {
      this.session = session;
      this.listens = listens;
    }

    @Override
    public String opening() {
      return ManyStreamsTest.this.opening(session);
    }

    @Override
    public boolean listens() {
      return listens;
    }

    @Override
    public void heard(ByteBuffer bytes) {
      begun = true;
      String text = rest + StandardCharsets.UTF_8.decode(bytes);
      int from = 0;
      for (int at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, from)) {
        entries.incrementAndGet();
        from = at + MARK.length();
      }
      rest = text.substring(Math.max(from, text.length() - MARK.length() + 1));
    }
  }

  private void append(int session, String text) {
    store.session(key(session)).addItems(List.of(Item.user(text)));
  }

  @Test
  void everyReaderHearsEveryEvent() throws Exception {
    for (int i = 0; i < SESSIONS; i++) {
      store.session(key(i)).update(SessionUpdate.none());
    }
    List<Reader> readers = new ArrayList<>();
    try (ManySockets crowd = new ManySockets(live.server().port())) {
      for (int i = 0; i < STREAMS; i++) {
        Reader reader = new Reader(i % SESSIONS, true);
        readers.add(reader);
        crowd.connect(reader);
      }
      crowd.begin();
      Eventually.ask(
          "all are connected",
          () -> readers.stream().allMatch(r -> r.begun),
          Boolean::booleanValue);
      long start = System.nanoTime();
      long slowest = 0;
      for (int second = 1; second <= SECONDS; second++) {
        long told = System.nanoTime();
        for (int i = 0; i < SESSIONS; i++) {
          append(i, "at " + second);
        }
        int expected = second;
        Eventually.ask(
            "all have heard",
            () -> readers.stream().allMatch(r -> r.entries.get() == expected),
            Boolean::booleanValue);
        slowest = Math.max(slowest, System.nanoTime() - told);
        long next = start + second * 1_000_000_000L;
        Eventually.ask("a second is over", System::nanoTime, now -> now - next >= 0);
      }
      System.out.printf(
          "%d streams, %d events each, the slowest heard after %d ms%n",
          STREAMS, SECONDS, slowest / 1_000_000);
      assertThat(crowd.open()).isEqualTo(STREAMS);
    }
  }

  @Test
  void readersThatStopDelayNobody_andWhoComesBackMissesNothing() throws Exception {
    store.session(key(0)).update(SessionUpdate.none());
    long before = store.session(key(0)).info().orElseThrow().version();
    String text = "x".repeat(50_000);
    int events = 120; // more than the buffers of a connection and the queue hold
    List<Reader> healthy = new ArrayList<>();
    try (ManySockets crowd = new ManySockets(live.server().port());
        ManySockets stalled = new ManySockets(live.server().port())) {
      for (int i = 0; i < 20; i++) {
        stalled.connect(new Reader(0, false)); // connected, and never begun
      }
      for (int i = 0; i < 50; i++) {
        Reader reader = new Reader(0, true);
        healthy.add(reader);
        crowd.connect(reader);
      }
      crowd.begin();
      Eventually.ask(
          "all are connected",
          () -> healthy.stream().allMatch(r -> r.begun),
          Boolean::booleanValue);
      for (int i = 0; i < events; i++) {
        append(0, i + text);
      }
      Eventually.ask(
          "all have heard",
          () -> healthy.stream().allMatch(r -> r.entries.get() == events),
          Boolean::booleanValue);
    }
    // One that comes back behind the first event gets all others.
    try (Caller.Events back =
        ann.stream("GET", "/api/sessions/s0/events", "", "Last-Event-ID", "" + before)) {
      int heard = 0;
      while (heard < events) {
        heard += Caller.objects(back.until("appended").json().get("entries")).size();
      }
      assertThat(heard).isEqualTo(events);
    }
  }
}
