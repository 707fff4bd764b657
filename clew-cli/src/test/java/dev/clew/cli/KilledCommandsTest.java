package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.backup.BackupStore;
import dev.clew.copy.SessionWalk;
import dev.clew.json.Json;
import dev.clew.spi.Compression;
import dev.clew.tck.SampleSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that are killed and interrupted at random moments while they remove and compress by
 * policies, erase and import.
 */
class KilledCommandsTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");
  private static final int SESSIONS = SOAK ? 3_000 : 100;
  private static final int KILLS = SOAK ? 20 : 2;
  private static final int ITEMS = 4;

  @TempDir Path folder;
  private final Random random = new Random(7);

  private ClewProcess clew(String... args) throws IOException {
    return ClewProcess.startLast(folder, Map.of(), args);
  }

  private SessionStore open() {
    return Stores.open(ClewProcess.store(folder));
  }

  private static List<Item> said(String who, int session) {
    return SampleSessions.items(who + " in session " + session, ITEMS);
  }

  private static void fill(SessionStore store, String owner) {
    for (int i = 0; i < SESSIONS; i++) {
      store.session(new SessionKey(owner, "s" + i)).addItems(said(owner, i));
    }
  }

  private interface Check {
    void run() throws Exception;
  }

  /**
   * Runs a command again and again, each time ended when some more of its work is to be seen, and
   * looks at what it left. A signal must have come in time at least once.
   *
   * @return what the last one printed if it was faster than its signal
   */
  private Optional<String> kill(LongSupplier left, Check nothingIsHalf, String... args)
      throws Exception {
    int landed = 0;
    Optional<String> answer = Optional.empty();
    for (int i = 0; i < KILLS && left.getAsLong() > 0; i++) {
      long before = left.getAsLong();
      long enough = before - 1 - random.nextInt((int) Math.max(1, before / KILLS));
      try (ClewProcess process = clew(args)) {
        String signal = i % 2 == 0 ? "KILL" : "INT";
        boolean ended = process.killWhen(signal, () -> left.getAsLong() <= enough);
        landed += ended ? 1 : 0;
        answer = ended ? Optional.empty() : Optional.of(process.line());
        assertThat(process.err()).doesNotContain("Exception");
      }
      nothingIsHalf.run();
    }
    assertThat(landed).isPositive();
    return answer;
  }

  /** Runs a command to its end, here: a process more would only cost time. */
  private String finish(String... args) {
    Shell shell = new Shell().onRealStores();
    shell.env.put("CLEW_STORE", ClewProcess.store(folder));
    Shell.Result result = shell.run(args);
    assertThat(result.code()).as(result.err()).isZero();
    return result.out();
  }

  private static long sessions(SessionStore store, String owner) {
    return new SessionWalk(store, owner, Optional.empty()).sessions();
  }

  private static List<SessionInfo> all(SessionStore store, String owner) {
    List<SessionInfo> all = new ArrayList<>();
    new SessionWalk(store, owner, Optional.empty()).forEach(all::add);
    return all;
  }

  @Test
  void retention_removesWholeSessions_eachArchivedBefore_andEndsWhenItIsRunAgain()
      throws Exception {
    Path archive = folder.resolve("archive");
    String[] run = {"retention", "run", "--yes", "--json", "--archive", archive.toString()};
    try (SessionStore store = open()) {
      fill(store, "ann");
      assertThat(finish("retention", "set", "few", "--count", "10")).contains("policy few");
      kill(() -> sessions(store, "ann") - 10, () -> assertWholeOrArchived(store, archive), run);
      finish(run);
      assertThat(sessions(store, "ann")).isEqualTo(10);
      assertWholeOrArchived(store, archive);
    }
  }

  @Test
  void retention_compressesWithoutLosingAnything_andEndsWhenItIsRunAgain() throws Exception {
    String[] run = {"retention", "run", "--yes", "--json"};
    try (SessionStore store = open()) {
      fill(store, "ann");
      Map<String, SampleSessions.Copy> before = SampleSessions.all(store);
      finish("retention", "set", "cold", "--count", "0", "--compress");
      kill(
          () -> plain(store),
          () -> assertThat(SampleSessions.all(store)).containsAllEntriesOf(before),
          run);
      finish(run);
      assertThat(plain(store)).isZero();
      assertThat(SampleSessions.all(store)).containsAllEntriesOf(before);
      assertThat(finish("doctor")).contains("everything is in order");
    }
  }

  private static long plain(SessionStore store) {
    return all(store, "ann").stream()
        .filter(info -> Compression.of(store).isWorthwhile(info.key()))
        .count();
  }

  private static void assertWholeOrArchived(SessionStore store, Path folder) throws IOException {
    Map<String, List<Item>> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> !path.toString().endsWith(".part")).toList()) {
        try (BackupStore archive = BackupStore.open(file)) {
          archive.verify(bytes -> {});
          read(archive, found);
        }
      }
    }
    read(store, found);
    assertThat(found).hasSize(SESSIONS);
    found.forEach(
        (id, items) -> assertThat(items).isEqualTo(said("ann", Integer.parseInt(id.substring(1)))));
  }

  private static void read(SessionStore store, Map<String, List<Item>> into) {
    for (SessionInfo info : all(store, "ann")) {
      into.put(info.key().id(), store.session(info.key()).getItems());
    }
  }

  @Test
  void erase_countsEverythingThatWasThere_andEndsWhenItIsRunAgain() throws Exception {
    String[] run = {"erase", "--owner", "ann", "--yes", "--json"};
    try (SessionStore store = open()) {
      fill(store, "ann");
      store.session(new SessionKey("bob", "b")).addItems(said("bob", 0));
      Optional<String> answer =
          kill(
              () -> sessions(store, "ann"),
              () -> {
                for (SessionInfo info : all(store, "ann")) {
                  String id = info.key().id();
                  assertThat(said("ann", Integer.parseInt(id.substring(1))))
                      .containsAll(store.session(info.key()).getItems());
                }
              },
              run);
      // Nothing is left of an owner to erase again.
      Map<String, Object> certificate = Json.readObject(answer.orElseGet(() -> finish(run)));
      assertThat(Shell.object(certificate, "erased"))
          .containsEntry("sessions", (long) SESSIONS)
          .containsEntry("items", (long) SESSIONS * ITEMS);
      assertThat((List<?>) certificate.get("leftovers")).isEmpty();
      assertThat(sessions(store, "ann")).isZero();
      assertThat(store.session(new SessionKey("bob", "b")).getItems()).isEqualTo(said("bob", 0));
    }
  }

  @Test
  void import_writesWholeConversations_andEndsWhenItIsRunAgain() throws Exception {
    Path file = Files.writeString(folder.resolve("conversations.json"), chatGpt());
    String[] run = {"import", file.toString(), "--owner", "ann", "--json"};
    try (SessionStore store = open()) {
      kill(
          () -> SESSIONS - sessions(store, "ann"),
          () -> all(store, "ann").forEach(info -> assertThat(info.itemCount()).isEqualTo(ITEMS)),
          run);
      finish(run);
      assertThat(finish(run)).contains("\"already_there\":" + SESSIONS, "\"items\":0");
      assertThat(all(store, "ann"))
          .hasSize(SESSIONS)
          .allSatisfy(
              info -> {
                assertThat(info.itemCount()).isEqualTo(ITEMS);
                assertThat(info.title()).isEqualTo("Title of " + info.key().id());
              });
    }
  }

  /** An export of ChatGPT, each conversation a line of messages. */
  private static String chatGpt() {
    StringBuilder json = new StringBuilder("[");
    for (int i = 0; i < SESSIONS; i++) {
      json.append(i == 0 ? "\n" : ",\n")
          .append("{\"conversation_id\":\"c")
          .append(i)
          .append("\",\"title\":\"Title of c")
          .append(i)
          .append("\",\"current_node\":\"m")
          .append(ITEMS - 1)
          .append("\",\"mapping\":{");
      for (int m = 0; m < ITEMS; m++) {
        json.append(m == 0 ? "" : ",")
            .append("\"m%d\":{\"id\":\"m%d\",\"parent\":".formatted(m, m))
            .append(m == 0 ? "null" : "\"m%d\"".formatted(m - 1))
            .append(",\"message\":{\"id\":\"m%d\",\"author\":{\"role\":\"user\"},".formatted(m))
            .append(
                "\"content\":{\"content_type\":\"text\",\"parts\":[\"said %d\"]}}}".formatted(m));
      }
      json.append("}}");
    }
    return json.append("\n]\n").toString();
  }
}
