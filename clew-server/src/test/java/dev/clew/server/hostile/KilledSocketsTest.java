package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.SOAK;
import static dev.clew.server.hostile.ServerProcess.get;
import static dev.clew.server.hostile.ServerProcess.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.json.Json;
import dev.clew.server.SocketClient;
import dev.clew.server.hostile.ServerProcess.Start;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 while turns run over WebSockets. */
@Tag("hostile")
class KilledSocketsTest {
  private static final int KILLS = SOAK ? 40 : 2;
  private static final int LANES = 4;

  @TempDir Path folder;

  @Test
  void whatIsStoredIsWholeTurns() throws Exception {
    long seed = SOAK ? System.nanoTime() : 1;
    Random random = new Random(seed);
    ServerProcess server = start();
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        List<String> conversations = new ArrayList<>();
        SocketClient socket =
            SocketClient.open(
                "http://127.0.0.1:" + server.ann().port(),
                Long.MAX_VALUE,
                "Authorization",
                "Bearer " + server.ann().token());
        for (int lane = 0; lane < LANES; lane++) {
          String conversation =
              Objects.requireNonNull(
                  Json.string(
                      Json.fields(post(server.ann(), "/v1/conversations", "{}").body()).get("id")));
          conversations.add(conversation);
          for (int turn = 0; turn < 10; turn++) {
            socket.create(
                "'input':'turn "
                    + turn
                    + "','stream_id':'"
                    + lane
                    + "','store':"
                    + (lane % 2 == 0)
                    + ",'conversation':'"
                    + conversation
                    + "'");
          }
        }
        socket.completed();
        LockSupport.parkNanos(random.nextInt(400_000_000)); // anywhere in a turn
        server.kill();
        assertThat(socket.closedWith()).isEqualTo(1006);
        server.close();
        server = start();
        for (String conversation : conversations) {
          checkTurns(server, conversation, "seed " + seed + ", kill " + kill);
        }
      }
    } finally {
      server.close();
    }
  }

  private ServerProcess start() throws Exception {
    return new ServerProcess(folder, folder.resolve("k.db"), Start.USUAL);
  }

  private static void checkTurns(ServerProcess server, String conversation, String when) {
    String items =
        get(server.ann(), "/v1/conversations/" + conversation + "/items?limit=100&order=asc")
            .body();
    List<String> roles =
        Json.elements(Json.fields(items).get("data")).stream()
            .map(item -> String.valueOf(Json.string(Json.fields(item).get("role"))))
            .toList();
    for (int i = 0; i < roles.size(); i++) {
      assertThat(roles.get(i)).as(when + ": " + items).isEqualTo(i % 2 == 0 ? "user" : "assistant");
    }
    assertThat(roles.size() % 2).as(when + ": " + items).isZero();
  }
}
