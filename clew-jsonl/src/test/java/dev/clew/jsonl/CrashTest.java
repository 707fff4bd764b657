package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with eight writers is killed again and again, with appends under way. */
class CrashTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");
  private static final int KILLS = SOAK ? 1_000 : 20;
  private static final int ACKNOWLEDGED_BEFORE_A_KILL = 1_000;
  private static final int WRITERS = 8;
  private static final int BATCH = 3;
  private static final int KILLS_A_FOLDER = 5;

  @TempDir Path folders;
  private Path folder;

  /**
   * Writes to sessions of its threads and to one that they share, until it is killed. Says what it
   * begins and what is acknowledged, each in one write to a pipe.
   */
  static final class Writer {
    public static void main(String[] args) {
      JsonlStore store = JsonlStore.open(Path.of(args[0]));
      FileOutputStream out = new FileOutputStream(FileDescriptor.out);
      IntStream.range(0, WRITERS)
          .forEach(
              number -> {
                String client = args[1] + "." + number;
                new Thread(() -> write(store, number, client, out), client).start();
              });
    }

    private static void write(SessionStore store, int number, String client, FileOutputStream out) {
      for (int turn = 0; ; turn++) {
        String session = turn % 4 == 0 ? "shared" : "own-" + number;
        String batch = client + "." + turn;
        say(out, "begin " + session + " " + batch);
        store.session(session).commit(append(batch));
        say(out, "ok " + session + " " + batch);
      }
    }

    private static void say(FileOutputStream out, String line) {
      try {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Commit append(String batch) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      items.add(Item.user(batch + "#" + i));
    }
    return Commit.append(items).operationId(batch);
  }

  /** What the processes said, by session. */
  private final Map<String, List<String>> acknowledged = new ConcurrentHashMap<>();

  private final Map<String, Set<String>> begun = new ConcurrentHashMap<>();
  private int underWay;

  @Test
  void killedUnderLoad_nothingAcknowledgedIsLostOrTwiceOrHalfOrOutOfOrder() throws Exception {
    Duration slowest = Duration.ZERO;
    for (int kill = 0; kill < KILLS; kill++) {
      if (kill % KILLS_A_FOLDER == 0) {
        folder = folders.resolve("from-kill-" + kill);
        acknowledged.clear();
      }
      runAndKill("p" + kill);
      long start = System.nanoTime();
      try (JsonlStore store = JsonlStore.open(folder)) {
        store.session("shared").getItems(20);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        slowest = took.compareTo(slowest) > 0 ? took : slowest;
        repeatWhatWasUnderWay(store);
        check(store);
      }
    }
    assertThat(underWay).as("appends under way at the kills").isPositive();
    System.out.println("figure: JSONL kills = " + KILLS);
    System.out.println("figure: slowest reopening after a kill, ms = " + slowest.toMillis());
    assertThat(slowest).isLessThan(Duration.ofSeconds(1));
  }

  private void runAndKill(String name) throws Exception {
    CountDownLatch enough = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    try (ChildJvm child =
        ChildJvm.start(
            Writer.class,
            line -> {
              take(line);
              if (line.startsWith("ok") && count.incrementAndGet() == ACKNOWLEDGED_BEFORE_A_KILL) {
                enough.countDown();
              }
            },
            folder.toString(),
            name)) {
      assertThat(enough.await(60, TimeUnit.SECONDS)).as("appends are acknowledged").isTrue();
      child.kill();
    }
    underWay += begun.values().stream().mapToInt(Set::size).sum();
  }

  private void take(String line) {
    String[] words = line.split(" ", -1);
    Set<String> open = begun.computeIfAbsent(words[1], session -> new HashSet<>());
    if (words[0].equals("begin")) {
      open.add(words[2]);
    } else {
      open.remove(words[2]);
      acknowledged.computeIfAbsent(words[1], session -> new ArrayList<>()).add(words[2]);
    }
  }

  /** With the operation id of the first try, so it must be there once whatever came of that. */
  private void repeatWhatWasUnderWay(JsonlStore store) {
    begun.forEach(
        (session, batches) -> {
          for (String batch : batches) {
            store.session(session).commit(append(batch));
            acknowledged.computeIfAbsent(session, same -> new ArrayList<>()).add(batch);
          }
          batches.clear();
        });
  }

  private void check(JsonlStore store) {
    acknowledged.forEach(
        (session, batches) -> {
          List<String> found = wholeBatches(store.session(session).getItems());
          assertThat(found).as(session).doesNotHaveDuplicates();
          assertThat(new HashSet<>(found)).as(session).isEqualTo(new HashSet<>(batches));
          byClient(batches)
              .forEach((client, own) -> assertThat(byClient(found).get(client)).isEqualTo(own));
        });
  }

  private static List<String> wholeBatches(List<Item> items) {
    assertThat(items.size() % BATCH).isZero();
    List<String> batches = new ArrayList<>();
    for (int i = 0; i < items.size(); i += BATCH) {
      String first = text(items.get(i));
      String batch = first.substring(0, first.indexOf('#'));
      for (int j = 0; j < BATCH; j++) {
        assertThat(text(items.get(i + j))).isEqualTo(batch + "#" + j);
      }
      batches.add(batch);
    }
    return batches;
  }

  private static Map<String, List<String>> byClient(List<String> batches) {
    Map<String, List<String>> clients = new LinkedHashMap<>();
    for (String batch : batches) {
      String client = batch.substring(0, batch.lastIndexOf('.'));
      clients.computeIfAbsent(client, same -> new ArrayList<>()).add(batch);
    }
    return clients;
  }

  private static String text(Item item) {
    String json = item.json();
    int start = json.indexOf("\"text\":\"") + "\"text\":\"".length();
    return json.substring(start, json.indexOf('"', start));
  }
}
