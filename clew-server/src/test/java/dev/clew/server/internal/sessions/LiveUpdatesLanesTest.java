package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.memory.MemoryStore;
import dev.clew.server.internal.auth.Cookies;
import dev.clew.server.internal.auth.Gate;
import dev.clew.server.internal.auth.ResourceMetadata;
import dev.clew.server.internal.auth.ServerSecret;
import dev.clew.server.internal.chat.TurnMarks;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Dispatcher;
import dev.clew.server.internal.http.Listener;
import dev.clew.server.internal.http.Origins;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.limits.FailedSignIns;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.Lanes;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done for one reader of live updates, and what it means for others. */
class LiveUpdatesLanesTest {
  private static final Charset UTF_8 = StandardCharsets.UTF_8;
  private static final int DEADLINE_SECONDS = 60;
  private static final SessionKey ANNS = new SessionKey("ann", "trip");
  private static final SessionKey BOBS = new SessionKey("bob", "trip");

  private final MemoryStore store = new MemoryStore();
  private final EventLogs logs = new EventLogs(store.documents());
  private final Lanes lanes = new Lanes("test-live-updates");
  private final CountDownLatch stuck = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final Listener listener =
      new Listener(
          "127.0.0.1",
          0,
          new Dispatcher(
              List.of(
                  Route.get("/ann", Scope.OPEN, "", call -> follow(call, ANNS, entry -> entry)),
                  Route.get("/bob", Scope.OPEN, "", call -> follow(call, BOBS, this::held))),
              gate(),
              new Origins(true, Set.of()),
              List.of()));

  private void follow(Call call, SessionKey key, UnaryOperator<Entry> shown) {
    long from = store.session(key).info().orElseThrow().version();
    new LiveUpdates(store, key, new TurnMarks(store), logs, lanes, call.stream(), shown)
        .start(from);
  }

  /** An entry that takes long to be shown: until the test lets it. */
  private Entry held(Entry entry) {
    stuck.countDown();
    assertThat(opens(released)).isTrue();
    return entry;
  }

  private static boolean opens(CountDownLatch latch) {
    try {
      return latch.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Gate gate() {
    Clock clock = Clock.systemUTC();
    AuditLog audit = new AuditLog(store.documents(), clock, Duration.ofDays(1));
    Tokens tokens = new Tokens(store.documents(), clock, audit);
    return new Gate(
        List.of(),
        new Cookies(ServerSecret.keptIn(store.documents()), store.documents(), tokens, clock),
        new FailedSignIns(LimitSettings.NONE),
        false,
        new ResourceMetadata(ServerSettings.of(store)));
  }

  @BeforeEach
  void start() throws Exception {
    for (SessionKey key : List.of(ANNS, BOBS)) {
      store.session(key).addItems(List.of(Item.user("hello")));
    }
    listener.start();
  }

  @AfterEach
  void stop() {
    released.countDown();
    listener.stop(Duration.ofSeconds(5));
    lanes.close();
    logs.close();
    store.close();
  }

  private Socket reader(String path) throws IOException {
    Socket reader = new Socket(InetAddress.getLoopbackAddress(), listener.port());
    reader.setSoTimeout(DEADLINE_SECONDS * 1000);
    reader
        .getOutputStream()
        .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(UTF_8));
    assertThat(readUntil(reader, "text/event-stream")).contains("200");
    return reader;
  }

  private static String readUntil(Socket reader, String wanted) throws IOException {
    StringBuilder read = new StringBuilder();
    byte[] bytes = new byte[8192];
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (read.indexOf(wanted) < 0) {
      assertThat(System.nanoTime()).as("in time; so far: " + read).isLessThan(deadline);
      int count = reader.getInputStream().read(bytes);
      assertThat(count).as("the stream goes on; so far: " + read).isPositive();
      read.append(new String(bytes, 0, count, UTF_8));
    }
    return read.toString();
  }

  @Test
  void whatIsDoneForOneOwnersReadersKeepsNobodyElseWaiting() throws Exception {
    List<Socket> bobs = new ArrayList<>();
    try (Socket ann = reader("/ann")) {
      for (int i = 0; i < 8; i++) {
        bobs.add(reader("/bob"));
      }
      store.session(BOBS).addItems(List.of(Item.user("for bob")));
      assertThat(opens(stuck)).isTrue();
      store.session(ANNS).addItems(List.of(Item.user("for ann")));
      assertThat(readUntil(ann, "for ann")).contains("appended");
      released.countDown();
      for (Socket bob : bobs) {
        assertThat(readUntil(bob, "for bob")).contains("appended");
      }
    } finally {
      for (Socket bob : bobs) {
        bob.close();
      }
    }
  }

  @Test
  void aReaderThatFallsBehindIsToldEverythingOnceAndInOrder() throws Exception {
    try (Socket bob = reader("/bob")) {
      int count = 200; // more than may wait, and no more than the store knows one by one
      store.session(BOBS).addItems(List.of(Item.user("number 0.")));
      assertThat(opens(stuck)).isTrue();
      List<Integer> said = new ArrayList<>(List.of(0));
      for (int i = 1; i <= count; i++) {
        store.session(BOBS).addItems(List.of(Item.user("number " + i + ".")));
        said.add(i);
      }
      released.countDown();
      Matcher told =
          Pattern.compile("number (\\d+)\\.").matcher(readUntil(bob, "number " + count + "."));
      List<Integer> heard = new ArrayList<>();
      while (told.find()) {
        heard.add(Integer.parseInt(told.group(1)));
      }
      assertThat(heard).isEqualTo(said);
    }
  }
}
