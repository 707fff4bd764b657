package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.SOAK;
import static dev.clew.server.hostile.ServerProcess.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.testservers.AttackedServer;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that go away after each byte of a request, and of its answer. Each is an owner of its own
 * who may have one call open: who is let in again has got her place back.
 */
@Tag("hostile")
class VanishingClientsTest {
  private static final int STEP = SOAK ? 1 : 13;
  private static final int MOST_OF_ANSWER = SOAK ? 600 : 120;

  private final MemoryStore store = MemoryStore.builder().build();
  private final List<AttackedServer> owners = new ArrayList<>();
  private ClewServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        ClewServer.start(
            ServerSettings.of(store)
                .at("127.0.0.1", 0)
                .openMetrics(true)
                .limits(LimitSettings.NONE.openCalls(1)));
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private AttackedServer newOwner() {
    String name = "owner" + owners.size();
    String token = server.tokens().create(name, "", Scope.OWN, Optional.empty()).secret();
    AttackedServer owner = new AttackedServer(server.port(), token);
    owners.add(owner);
    return owner;
  }

  private static void leave(Socket socket, boolean reset) throws IOException {
    if (reset) {
      socket.setSoLinger(true, 0);
    }
    socket.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/sessions ",
        "GET /api/search?q=a ",
        "GET /api/sessions/s/events ",
        "POST /api/chat {\"message\":\"hello\"}",
        "POST /api/chat {\"message\":\"hello\",\"stream\":true}",
        "POST /v1/conversations {\"items\":[]}",
        "POST /v1/responses {\"model\":\"m\",\"input\":\"hello\"}",
        "POST /v1/responses {\"model\":\"m\",\"input\":\"hello\",\"stream\":true}",
        "POST /api/sessions/import {}"
      })
  void afterEachByte(String call) throws IOException {
    String[] parts = call.split(" ", 3);
    for (boolean reset : new boolean[] {false, true}) {
      int length = request(newOwner(), parts).length;
      for (int sent = 0; sent < length; sent += STEP) {
        AttackedServer owner = newOwner();
        Socket socket = owner.connect();
        socket.getOutputStream().write(request(owner, parts), 0, sent);
        leave(socket, reset);
      }
      for (int read = 0; read < MOST_OF_ANSWER; read += STEP) {
        AttackedServer owner = newOwner();
        Socket socket = owner.connect();
        socket.getOutputStream().write(request(owner, parts));
        if (!parts[1].endsWith("/events")) { // of which there is none
          assertThat(socket.getInputStream().readNBytes(read)).hasSizeLessThanOrEqualTo(read);
        }
        leave(socket, reset);
      }
    }
    for (AttackedServer owner : owners) {
      ServerProcess.until(
          "she has her place back",
          () -> get(owner, "/api/sessions").status(),
          status -> status == 200);
    }
    ServerProcess.until(
        "nothing is kept for them",
        () -> get(owners.get(0), "/metrics").body(),
        metrics ->
            metrics.contains("\nclew_bodies_bytes 0")
                && metrics.contains("\nclew_answers_bytes 0")
                && metrics.contains("\nclew_streams_open 0"));
  }

  private static byte[] request(AttackedServer owner, String[] parts) {
    String end = parts[0].equals("GET") ? "" : "Content-Length: " + parts[2].length() + "\r\n";
    return (owner.head(parts[0], parts[1]) + "Connection: close\r\n" + end + "\r\n" + parts[2])
        .getBytes(UTF_8);
  }
}
