package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.SOAK;
import static dev.clew.server.hostile.ServerProcess.get;
import static dev.clew.server.hostile.ServerProcess.say;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.server.hostile.ServerProcess.Answer;
import dev.clew.server.hostile.ServerProcess.Start;
import dev.clew.testservers.Attack;
import dev.clew.testservers.Attack.Deadline;
import dev.clew.testservers.AttackedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hostile owner does the worst she can, all of it at once, to a server with 256 MiB of heap; in
 * the long version also one thing after the other. Another owner is served all the time. How fast
 * is a figure of the benchmark (row {@code hostile}).
 */
@Tag("hostile")
class WorstRequestsTest {
  private static final int SECONDS = SOAK ? 60 : 3;

  @TempDir Path folder;

  @Test
  void oneOwnerAttacks_anotherIsServed() throws Exception {
    try (ServerProcess server = new ServerProcess(folder, folder.resolve("w.db"), Start.USUAL)) {
      Attack.prepare(server.bob(), SOAK ? 200 : 20);
      for (Attack attack : SOAK ? Attack.values() : new Attack[0]) {
        serveDuring(server, List.of(attack));
      }
      serveDuring(server, List.of(Attack.values()));
      ServerProcess.until(
          "nothing is kept of it",
          () -> get(server.ann(), "/metrics").body(),
          metrics ->
              metrics.contains("\nclew_bodies_bytes 0")
                  && metrics.contains("\nclew_answers_bytes 0"));
      ServerProcess.until(
          "the attacker is served too, once she stops",
          () -> get(server.bob(), "/api/search?q=a").status(),
          status -> status == 200);
    }
  }

  private static void serveDuring(ServerProcess server, List<Attack> attacks) throws Exception {
    Deadline deadline = Deadline.in(SECONDS);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (Attack attack : attacks) {
        running.add(
            threads.submit(
                () -> {
                  attack.run(server.bob(), deadline);
                  return null;
                }));
      }
      int served = 0;
      while (!deadline.over() || served == 0) {
        serve(server.ann(), attacks);
        served++;
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void serve(AttackedServer ann, List<Attack> attacks) throws IOException {
    for (Answer answer : List.of(get(ann, "/api/sessions"), say(ann, "live", "hello"))) {
      assertThat(answer.status()).as("%s: %s", attacks, answer.body()).isEqualTo(200);
    }
    try (Socket stream = ann.connect()) {
      String head = ann.head("GET", "/api/sessions/live/events") + "\r\n";
      stream.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8));
      assertThat(lines.readLine()).as("%s", attacks).contains(" 200 ");
      assertThat(say(ann, "live", "listen").status()).isEqualTo(200);
      String line = lines.readLine();
      while (line != null && !line.contains("listen")) {
        line = lines.readLine();
      }
      assertThat(line).as("%s: a live update", attacks).isNotNull();
    }
  }
}
