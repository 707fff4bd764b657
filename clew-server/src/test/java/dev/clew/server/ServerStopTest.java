package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that is stopped while clients keep their connections. */
class ServerStopTest {
  private static final String REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private final MemoryStore store = MemoryStore.builder().build();

  @AfterEach
  void close() {
    store.close();
  }

  private static Socket connect(LiveServer live) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port());
    socket.setSoTimeout((int) Eventually.DEADLINE.toMillis());
    return socket;
  }

  private static Socket used(LiveServer live) throws IOException {
    Socket socket = connect(live);
    socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.UTF_8));
    assertThat(socket.getInputStream().read()).isEqualTo('H');
    return socket;
  }

  /** The best of a few, because the machine may be busy; waiting for idle ones takes a second. */
  @Test
  void connectionsThatAreIdleAreNotWaitedFor() throws Exception {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      LiveServer live = new LiveServer(store);
      List<Socket> sockets = new ArrayList<>();
      for (int k = 0; k < 10; k++) {
        sockets.add(k == 0 ? connect(live) : used(live));
      }
      long start = System.nanoTime();
      live.close();
      best = Math.min(best, System.nanoTime() - start);
      for (Socket socket : sockets) {
        socket.getInputStream().readAllBytes();
        socket.close();
      }
    }
    assertThat(best / 1_000_000).as("milliseconds").isLessThan(500);
  }

  @Test
  void anAnswerThatIsUnderWayIsGivenBeforeItsConnectionIsClosed() throws Exception {
    ScriptedModel model = new ScriptedModel();
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    LiveServer live = new LiveServer(store, settings -> settings.model(model, "tiny"));
    String bearer = "Bearer " + live.token("ann");
    var answer =
        CompletableFuture.supplyAsync(
            () ->
                live.send(
                    "POST",
                    "/v1/responses",
                    "{\"model\":\"m\",\"input\":\"x\"}",
                    "Authorization",
                    bearer));
    Eventually.open("it runs", held.begun);
    var stopping = CompletableFuture.runAsync(live::close);
    held.release();
    assertThat(Eventually.value(answer).statusCode()).isEqualTo(200);
    Eventually.value(stopping);
  }
}
