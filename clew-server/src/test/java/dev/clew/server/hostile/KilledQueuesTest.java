package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.SOAK;
import static dev.clew.server.hostile.ServerProcess.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.server.hostile.ServerProcess.Start;
import dev.clew.testservers.AttackedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many speak in one session at once, and the server is killed. Whoever was told that the message
 * waits finds it afterwards: in the session, or in the queue, not in both.
 */
@Tag("hostile")
class KilledQueuesTest {
  private static final int KILLS = SOAK ? 30 : 2;
  private static final int SPEAKERS = 8;

  @TempDir Path folder;

  @Test
  void whatWaitedIsInTheSessionOrStillWaits() throws Exception {
    long seed = SOAK ? System.nanoTime() : 1;
    Random random = new Random(seed);
    ServerProcess server = start();
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        String session = "s" + kill;
        Set<String> queued = speakUntilKilled(server, session, random.nextInt(300_000_000));
        server.close();
        server = start();
        String there =
            get(server.ann(), "/api/sessions/" + session + "/messages?limit=1000").body()
                + get(server.ann(), "/api/sessions/" + session + "/queue").body();
        for (String message : queued) {
          assertThat(there)
              .as("seed %s, kill %s", seed, kill)
              .containsOnlyOnce("\"" + message + "\"");
        }
      }
    } finally {
      server.close();
    }
  }

  private ServerProcess start() throws Exception {
    return new ServerProcess(folder, folder.resolve("q.db"), Start.USUAL);
  }

  /** The messages of which their speakers were told that they wait. */
  private static Set<String> speakUntilKilled(ServerProcess server, String session, int nanos)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(SPEAKERS);
    CountDownLatch warm = new CountDownLatch(SPEAKERS);
    Set<String> queued = ConcurrentHashMap.newKeySet();
    List<Future<?>> speakers = new ArrayList<>();
    for (int i = 0; i < SPEAKERS; i++) {
      int number = i;
      speakers.add(
          threads.submit(
              () -> {
                for (int turn = 0; ; turn++) {
                  String message = "message " + number + "-" + turn + ".";
                  if (!speak(server.ann(), session, message, queued)) {
                    return;
                  }
                  warm.countDown();
                }
              }));
    }
    warm.await();
    LockSupport.parkNanos(nanos); // so that it is killed anywhere in a turn
    server.kill();
    threads.shutdown();
    for (Future<?> speaker : speakers) {
      speaker.get();
    }
    assertThat(queued).isNotEmpty();
    return queued;
  }

  /** Says something and reads the events; false if they break off. */
  private static boolean speak(
      AttackedServer who, String session, String message, Set<String> queued) {
    String body =
        "{\"session_id\":\"" + session + "\",\"message\":\"" + message + "\",\"stream\":true}";
    String head = who.head("POST", "/api/chat") + "Content-Length: " + body.length() + "\r\n\r\n";
    try (Socket socket = who.connect()) {
      OutputStream out = socket.getOutputStream();
      out.write((head + body).getBytes(StandardCharsets.UTF_8));
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      String own = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: {\"session_id\"") && own.isEmpty()) {
          own = line.replaceAll(".*\"turn_id\":\"([^\"]*)\".*", "$1");
        } else if (line.equals("event: queued")) {
          if (String.valueOf(lines.readLine()).contains(own)) { // not another one's
            queued.add(message);
          }
        } else if (line.equals("event: done")) {
          return true;
        } else if (line.equals("event: error") || line.contains(" 429 ")) {
          return !String.valueOf(lines.readLine()).isEmpty();
        }
      }
    } catch (IOException e) {
      // killed
    }
    return false;
  }
}
