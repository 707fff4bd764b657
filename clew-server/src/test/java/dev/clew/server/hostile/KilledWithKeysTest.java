package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.SOAK;
import static dev.clew.server.hostile.ServerProcess.get;
import static dev.clew.server.hostile.ServerProcess.post;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 while requests with idempotency keys are under way, which are then sent again. */
@Tag("hostile")
class KilledWithKeysTest {
  private static final int KILLS = SOAK ? 60 : 2;
  private static final int CLIENTS = 6;

  @TempDir Path folder;

  /** A request, of which it is not known whether it was carried out. */
  private record Open(String conversation, String body, String key) {}

  @Test
  void whatIsSentAgainIsCarriedOutOnce() throws Exception {
    long seed = SOAK ? System.nanoTime() : 1;
    Random random = new Random(seed);
    ServerProcess server = start();
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        List<Open> open = untilKilled(server, kill, random.nextInt(300_000_000));
        server.close();
        server = start();
        for (Open one : open) {
          carryOut(server, one, "seed " + seed + ", kill " + kill);
        }
      }
    } finally {
      server.close();
    }
  }

  private ServerProcess start() throws Exception {
    return new ServerProcess(folder, folder.resolve("k.db"), Start.USUAL);
  }

  /** What was not answered when it was killed, by several clients that ask all the time. */
  private static List<Open> untilKilled(ServerProcess server, int kill, int nanos)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    CountDownLatch warm = new CountDownLatch(CLIENTS);
    List<Future<Open>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      String name = "k" + kill + "-" + i;
      boolean stored = i % 2 == 0;
      clients.add(threads.submit(() -> ask(server, name, stored, warm)));
    }
    warm.await();
    LockSupport.parkNanos(nanos); // so that it is killed anywhere in a request
    server.kill();
    threads.shutdown();
    List<Open> open = new ArrayList<>();
    for (Future<Open> client : clients) {
      open.add(client.get());
    }
    return open;
  }

  /** Asks until there is no answer. */
  private static Open ask(ServerProcess server, String name, boolean stored, CountDownLatch warm) {
    String conversation = id(post(server.ann(), "/v1/conversations", "{}"));
    for (int turn = 0; ; turn++) {
      String body =
          "{\"model\":\"m\",\"store\":"
              + stored
              + ",\"input\":\"turn "
              + turn
              + " of "
              + name
              + "\",\"conversation\":\""
              + conversation
              + "\"}";
      String key = name + "-" + turn;
      Answer answer = post(server.ann(), "/v1/responses", body, "Idempotency-Key", key);
      warm.countDown();
      if (answer.status() != 200) {
        return new Open(conversation, body, key);
      }
      if (turn == 15) { // a page of items holds no more
        turn = -1;
        name = name + "x";
        conversation = id(post(server.ann(), "/v1/conversations", "{}"));
        if (conversation.isEmpty()) {
          return new Open("", body, key);
        }
      }
    }
  }

  private static String id(Answer answer) {
    var found = Pattern.compile("\"id\":\"(conv_[^\"]+)\"").matcher(answer.body());
    return found.find() ? found.group(1) : "";
  }

  private static void carryOut(ServerProcess server, Open open, String when) {
    if (open.conversation.isEmpty()) {
      return; // killed between two requests
    }
    String input = open.body.replaceAll(".*\"input\":\"([^\"]*)\".*", "$1");
    Answer answer =
        ServerProcess.until(
            when + ": the key is free or answered",
            () -> post(server.ann(), "/v1/responses", open.body, "Idempotency-Key", open.key),
            sent -> sent.status() != 409);
    if (open.body.contains("\"store\":false") && answer.status() == 400) { // it got so far
      assertThat(answer.body()).as(when).contains("idempotency_key_used");
    } else {
      assertThat(answer.status()).as("%s: %s", when, answer.body()).isEqualTo(200);
      assertThat(answer.body()).as(when).contains("\"status\":\"completed\"");
    }
    String items =
        get(server.ann(), "/v1/conversations/" + open.conversation + "/items?limit=100").body();
    String asked = "\"type\":\"input_text\",\"text\":\"" + input + "\"";
    assertThat(items.split(Pattern.quote(asked), -1))
        .as("%s: '%s' is there once in %s", when, input, items)
        .hasSize(2);
  }
}
