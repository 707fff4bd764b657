package dev.clew.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import dev.clew.server.internal.auth.Cookies;
import dev.clew.server.internal.auth.Gate;
import dev.clew.server.internal.auth.ResourceMetadata;
import dev.clew.server.internal.auth.ServerSecret;
import dev.clew.server.internal.limits.FailedSignIns;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventStreamTest {
  private final MemoryStore store = new MemoryStore();
  private final CompletableFuture<EventStream> opened = new CompletableFuture<>();
  private final Listener listener =
      new Listener(
          "127.0.0.1",
          0,
          new Dispatcher(
              List.of(Route.get("/stream", Scope.OPEN, "", call -> opened.complete(call.stream()))),
              gate(),
              new Origins(true, Set.of()),
              List.of()));

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

  @AfterEach
  void stop() {
    listener.stop(Duration.ofSeconds(5));
    store.close();
  }

  /**
   * Whoever hears of the end takes a lock of its own, under which others send. Told under the lock
   * of the stream, two threads would wait for each other for ever.
   */
  private void assertEndIsToldWithoutTheLock(Consumer<EventStream> ending) throws Exception {
    listener.start();
    try (Socket reader = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      reader
          .getOutputStream()
          .write(
              "GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      EventStream stream = opened.get(30, TimeUnit.SECONDS);
      CompletableFuture<Boolean> locked = new CompletableFuture<>();
      stream.onEnd(() -> locked.complete(Thread.holdsLock(stream)));
      ending.accept(stream);
      assertThat(locked.get(30, TimeUnit.SECONDS)).isFalse();
    }
  }

  @Test
  void endedByTheServer_itTellsWithoutTheLock() throws Exception {
    assertEndIsToldWithoutTheLock(
        stream -> {
          stream.send("hello", "{}");
          stream.end();
        });
  }

  @Test
  void cutBecauseTheReaderIsSlow_itTellsWithoutTheLock() throws Exception {
    assertEndIsToldWithoutTheLock(
        stream -> {
          String much = "x".repeat(100_000);
          while (stream.send("much", much)) {
            // until the queue is full, since nobody reads
          }
        });
  }
}
