package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After an owner is erased, not a word of that owner is left in any file. */
class EraseTest {
  private static final String CANARY = "zqcanaryx";

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("erase.db");
  }

  private static Item canary(String more) {
    return Item.user(CANARY + " " + more);
  }

  private static SessionKey of(String owner, String id) {
    return new SessionKey(owner, id);
  }

  /** Files that hold the word, in the letters it was written in or as index terms. */
  private List<String> filesWith(String word) throws IOException {
    List<String> found = new ArrayList<>();
    try (var files = Files.list(folder)) {
      for (Path path : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        if (bytes.contains(word)) {
          found.add(path.getFileName() + " at " + bytes.indexOf(word));
        }
      }
    }
    return found;
  }

  /** Puts the canary everywhere an owner's words can be. */
  private static void fill(SqliteStore store, String owner, String id) {
    StoredSession session = store.session(of(owner, id));
    session.addItems(IntStream.range(0, 40).mapToObj(i -> canary(id + " item " + i)).toList());
    session.update(
        SessionUpdate.none()
            .title(CANARY + " title")
            .metadata(Map.of("key", CANARY + " metadata"))
            .tags(Set.of(CANARY + "tag")));
    session.update(SessionUpdate.none().title("another title"));
    List<Entry> entries = session.entries(Range.first(100)).entries();
    session.commit(
        Commit.replacePrefix(
            entries.get(9).position(), List.of(canary("summary"), canary("more of it"))));
    session.commit(Commit.dropPrefix(entries.get(14).position(), List.of(canary("dropped"))));
    session.commit(
        Commit.replaceItem(
            entries.get(20).position(),
            new Draft(canary("edited"), Map.of("note", CANARY + " note"))));
    session.commit(Commit.removeItem(entries.get(25).position()));
    session.commit(
        Commit.append(List.of(canary("tail"), canary("tail 2")))
            .operationId(CANARY + "-operation"));
    session.popItem();
    session.fork(id + "-fork", entries.get(22).position());
    store.leases().tryAcquire(session.key(), CANARY + "-lease", CANARY, Duration.ofHours(1));
    store
        .documents()
        .put(
            owner,
            CANARY + "-record" + id,
            "{\"a\":\"" + CANARY + "\"}",
            OptionalLong.empty(),
            Optional.empty());
  }

  @Test
  void notAByteOfTheOwnerIsLeftInAnyFile() throws Exception {
    try (SqliteStore store = SqliteStore.open(file())) {
      for (int i = 0; i < 6; i++) {
        fill(store, "ann", "s" + i);
        store
            .session(of("bob", "s" + i))
            .addItems(List.of(Item.user("bob's words"), Item.user("more of bob's")));
      }
      putAside(store);
      store.search(SearchQuery.of("ann", CANARY)); // so that its words are indexed
      fill(store, "ann", "not indexed yet");
      assertThat(filesWith(CANARY)).as("they are there before").isNotEmpty();

      store.erase("ann");

      assertThat(filesWith(CANARY)).isEmpty();
      assertNothingLeft(store, "ann");
      for (int i = 0; i < 6; i++) {
        assertThat(store.session(of("bob", "s" + i)).getItems(5)).hasSize(2);
      }
      assertThat(store.search(SearchQuery.of("bob", "bob's")).hits()).hasSize(12);
      List<Object> findings = new ArrayList<>();
      store.check(findings::add);
      assertThat(findings).isEmpty();
    }
    assertThat(filesWith(CANARY)).as("after closing").isEmpty();
  }

  /** A damaged row with the canary that was popped is in quarantine. */
  private void putAside(SqliteStore store) throws SQLException {
    StoredSession session = store.session(of("ann", "damaged"));
    session.addItems(List.of(canary("kept"), canary("popped")));
    try (PythonProgram other = PythonProgram.start(file())) {
      other.run(
          "UPDATE agent_messages SET message_data = '{" + CANARY + "' WHERE session_id = ?",
          "clew:ann:damaged");
    }
    assertThat(session.popItem()).isEmpty();
    session.addItems(List.of(canary("again")));
  }

  private static void assertNothingLeft(SqliteStore store, String owner) {
    assertThat(store.list(SessionQuery.of(owner)).sessions()).isEmpty();
    assertThat(store.owners(Optional.empty(), 100)).doesNotContain(owner);
    assertThat(store.search(SearchQuery.of(owner, CANARY)).hits()).isEmpty();
    assertThat(store.documents().list(owner, "", Optional.empty(), 10)).isEmpty();
    assertThat(store.session(of(owner, "s0")).getItems(5)).isEmpty();
    assertThat(store.session(of(owner, "s0")).info()).isEmpty();
  }

  @Test
  void theDefaultOwnerCanBeErasedWithWhatPythonWrote() throws Exception {
    try (SqliteStore store = SqliteStore.open(file());
        PythonProgram python = PythonProgram.start(file())) {
      fill(store, "", "ours");
      for (int i = 0; i < 50; i++) {
        python.addItems("theirs", "{\"role\": \"user\", \"content\": \"" + CANARY + i + "\"}");
      }
      store.session(of("bob", "s")).addItems(List.of(Item.user("bob's words")));
      store.search(SearchQuery.of("", CANARY));

      store.erase("");

      assertThat(filesWith(CANARY)).isEmpty();
      assertNothingLeft(store, "");
      assertThat(store.session(of("bob", "s")).getItems()).hasSize(1);
    }
  }

  @Test
  void whatPythonPoppedOrClearedEarlierIsGoneToo() throws Exception {
    try (SqliteStore store = SqliteStore.open(file());
        PythonProgram python = PythonProgram.start(file())) {
      for (int i = 0; i < 200; i++) {
        python.addItems(
            "theirs", "{\"role\": \"user\", \"content\": \"" + CANARY + " ".repeat(i) + "\"}");
        python.addItems("cleared", "{\"role\": \"user\", \"content\": \"" + CANARY + "\"}");
      }
      store.session(of("bob", "s")).addItems(List.of(Item.user("bob's words")));
      for (int i = 0; i < 150; i++) {
        python.popItem("theirs");
      }
      python.clearSession("cleared");

      store.erase("");

      assertThat(filesWith(CANARY)).isEmpty();
      assertThat(store.session(of("bob", "s")).getItems()).hasSize(1);
    }
  }

  /** Rows of many sizes beside those of others, so that pages are split, merged and moved. */
  @Test
  void pagesThatWereSplitAndMergedKeepNothingEither() throws Exception {
    for (int seed = 0; seed < Soak.times(3, 100); seed++) {
      Random random = new Random(seed);
      try (SqliteStore store = SqliteStore.open(file())) {
        for (int i = 0; i < 150; i++) {
          String owner = random.nextBoolean() ? "ann" : "bob";
          String word = owner.equals("ann") ? CANARY : "harmless";
          StoredSession session = store.session(of(owner, "s" + random.nextInt(8)));
          switch (random.nextInt(6)) {
            case 0 -> session.popItem();
            case 1 ->
                session.update(SessionUpdate.none().title(word + " ".repeat(random.nextInt(200))));
            case 2 ->
                session
                    .entries(Range.first(1))
                    .entries()
                    .forEach(
                        entry ->
                            session.commit(
                                Commit.replacePrefix(entry.position(), List.of(Item.user(word)))));
            default -> {
              List<Item> batch = new ArrayList<>();
              for (int n = random.nextInt(12); n >= 0; n--) {
                batch.add(Item.user((word + " ").repeat(1 + random.nextInt(300))));
              }
              session.addItems(batch);
            }
          }
          if (random.nextInt(30) == 0) {
            store.search(SearchQuery.of("ann", CANARY));
          }
        }
        List<SessionInfo> bobs = store.list(SessionQuery.of("bob")).sessions();
        store.erase("ann");
        assertThat(filesWith(CANARY)).as("seed %d", seed).isEmpty();
        assertThat(store.list(SessionQuery.of("bob")).sessions()).isEqualTo(bobs);
        store.erase("bob");
      }
    }
  }

  @Test
  void erasingNobodyAndErasingTwiceDoNoHarm() {
    try (SqliteStore store = SqliteStore.open(file())) {
      store.erase("nobody");
      fill(store, "ann", "s0");
      store.erase("ann");
      store.erase("ann");
      assertNothingLeft(store, "ann");
      fill(store, "ann", "s0");
      assertThat(store.session(of("ann", "s0")).getItems()).isNotEmpty();
    }
  }

  @Test
  void ownersWhoseNamesLookAlikeAreLeftAlone() {
    List<String> names = List.of("an", "anna", "ANN", "ann%", "ann:x", "%", "_nn", "a%6En", "");
    try (SqliteStore store = SqliteStore.open(file())) {
      store.session(of("ann", "s")).addItems(List.of(canary("hers")));
      names.forEach(
          name -> store.session(of(name, "ann:s")).addItems(List.of(Item.user("of " + name))));
      store.erase("ann");
      for (String name : names) {
        assertThat(store.session(of(name, "ann:s")).getItems(5)).as(name).hasSize(1);
        assertThat(store.search(SearchQuery.of(name, "of")).hits()).as(name).hasSize(1);
      }
    }
  }

  @Test
  void othersWriteAndReadWhileAnOwnerIsErased() throws Exception {
    try (SqliteStore store = SqliteStore.open(file())) {
      for (int i = 0; i < 4; i++) {
        fill(store, "ann", "s" + i);
      }
      AtomicBoolean done = new AtomicBoolean();
      List<Integer> written =
          Wait.together(
              3,
              thread -> {
                int count = 0;
                if (thread == 0) {
                  store.erase("ann");
                  done.set(true);
                } else {
                  do {
                    store
                        .session(of("bob", "s" + thread))
                        .addItems(List.of(Item.user("item " + count++)));
                    assertThat(store.session(of("bob", "s" + thread)).getItems(5)).isNotEmpty();
                    store.search(SearchQuery.of("bob", "item").limit(1));
                  } while (!done.get());
                }
                return count;
              });
      assertThat(filesWith(CANARY)).isEmpty();
      for (int thread = 1; thread < 3; thread++) {
        assertThat(store.session(of("bob", "s" + thread)).getItems()).hasSize(written.get(thread));
      }
    }
  }
}
