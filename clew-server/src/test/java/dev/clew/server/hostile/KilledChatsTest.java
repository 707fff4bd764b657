package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.SOAK;
import static dev.clew.server.hostile.ServerProcess.get;
import static dev.clew.server.hostile.ServerProcess.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.hostile.ServerProcess.Answer;
import dev.clew.server.hostile.ServerProcess.Start;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 during chat completions of clients that send their whole history. */
@Tag("hostile")
class KilledChatsTest {
  private static final int KILLS = SOAK ? 40 : 2;
  private static final int CLIENTS = 4;

  @TempDir Path folder;

  @Test
  void onlyWholeTurnsAreRecorded_andEachConversationGoesOn() throws Exception {
    long seed = SOAK ? System.nanoTime() : 1;
    Random random = new Random(seed);
    List<List<String>> histories = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      histories.add(new ArrayList<>());
    }
    ServerProcess server = start();
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        talkUntilKilled(server, histories, random.nextInt(300_000_000));
        server.close();
        server = start();
        String when = "seed " + seed + ", kill " + kill;
        check(server, when);
        for (List<String> history : histories) {
          assertThat(talk(server, history)).as(when).isTrue();
        }
        check(server, when);
      }
    } finally {
      server.close();
    }
  }

  private ServerProcess start() throws Exception {
    return new ServerProcess(folder, folder.resolve("c.db"), Start.USUAL);
  }

  private static void talkUntilKilled(ServerProcess server, List<List<String>> histories, int nanos)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    CountDownLatch warm = new CountDownLatch(CLIENTS);
    List<Future<?>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      List<String> history = histories.get(i);
      if (history.isEmpty()) {
        history.add(message("user", "I am client " + i));
      }
      clients.add(
          threads.submit(
              () -> {
                while (talk(server, history)) {
                  warm.countDown();
                }
              }));
    }
    warm.await();
    LockSupport.parkNanos(nanos); // so that it is killed anywhere in a request
    server.kill();
    threads.shutdown();
    for (Future<?> client : clients) {
      client.get();
    }
  }

  private static String message(String role, String text) {
    return new JsonObject().put("role", role).put("content", text).toString();
  }

  /** Sends the history, and adds the answer and the next message; false if there was none. */
  private static boolean talk(ServerProcess server, List<String> history) {
    String body = "{\"model\":\"m\",\"messages\":" + JsonObject.array(history) + "}";
    Answer answer = post(server.ann(), "/v1/chat/completions", body);
    if (answer.status() != 200) {
      assertThat(answer.status()).as(answer.body()).isIn(0, 503);
      return false;
    }
    String choice = Json.elements(Json.fields(answer.body()).getOrDefault("choices", "")).get(0);
    String content = Json.fields(Json.fields(choice).getOrDefault("message", "")).get("content");
    history.add(message("assistant", Json.string(content)));
    history.add(message("user", "message " + history.size()));
    return true;
  }

  /** Each session has pairs of messages, and each client one session that is shown. */
  private static void check(ServerProcess server, String when) {
    String list = get(server.ann(), "/api/sessions?limit=100&archived=false").body();
    List<String> sessions = Json.elements(Json.fields(list).getOrDefault("data", "[]"));
    assertThat(sessions).as(when).hasSizeLessThanOrEqualTo(CLIENTS);
    for (String session : sessions) {
      String id = Json.string(Json.fields(session).get("session_id"));
      String items =
          get(server.ann(), "/v1/conversations/" + id + "/items?order=asc&limit=100").body();
      int number = 0;
      for (String item : Json.elements(Json.fields(items).getOrDefault("data", "[]"))) {
        String role = Json.string(Json.fields(item).get("role"));
        assertThat(role).as(when).isEqualTo(number++ % 2 == 0 ? "user" : "assistant");
      }
      assertThat(number % 2).as("a whole turn, " + when).isZero();
    }
  }
}
