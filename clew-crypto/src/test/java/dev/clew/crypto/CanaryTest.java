package dev.clew.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.jsonl.JsonlStore;
import dev.clew.sqlite.SqliteStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Words that were written are in no byte of any file or log. */
class CanaryTest {
  private static final String CANARY = "Kanarienvogel";
  private static final SessionKey KEY = new SessionKey("ann", "one");

  @TempDir Path folder;

  @Test
  void noByteOfASqliteFileItsLogOrOurLog_tellsWhatWasWritten() throws IOException {
    try (SessionStore store =
        EncryptedStore.over(SqliteStore.open(folder.resolve("store.db")), TestKeys.MASTER)) {
      assertNoCanary(store);
    }
    assertThat(filesWith(CANARY)).isEmpty();
  }

  @Test
  void noByteOfJsonlFiles_tellsWhatWasWritten() throws IOException {
    try (SessionStore store =
        EncryptedStore.over(JsonlStore.builder(folder.resolve("s")).open(), TestKeys.MASTER)) {
      assertNoCanary(store);
    }
    assertThat(filesWith(CANARY)).isEmpty();
  }

  private void assertNoCanary(SessionStore store) throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      write(store);
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain(CANARY);
    // While the store is open, so that what a log of the database holds is looked at too.
    assertThat(filesWith(CANARY)).isEmpty();
    assertThat(filesWith("clew.sealed")).isNotEmpty();
    assertThat(store.session(KEY).find(CANARY + "-id")).isPresent();
    assertThat(store.session(KEY).info().orElseThrow().title()).isEqualTo(CANARY);
    assertThat(store.documents().get("ann", "r").orElseThrow().json()).contains(CANARY);
    assertThat(store.documents().get("ann", "with").orElseThrow().json()).contains(CANARY);
    store.erase("ann");
    assertThat(filesWith("ann")).isEmpty();
  }

  private static void write(SessionStore store) {
    StoredSession session = store.session(KEY);
    Item withId = Item.parse("{\"id\":\"" + CANARY + "-id\",\"x\":\"" + CANARY + "\"}");
    session.commit(
        Commit.appendDrafts(
                List.of(
                    new Draft(Item.user(CANARY), Map.of("model", CANARY)),
                    Draft.of(withId),
                    Draft.of(Item.assistant(CANARY))))
            .operationId("turn-1")
            .document(
                new Commit.DocumentPut(
                    "with",
                    OptionalLong.of(0),
                    Optional.empty(),
                    receipt -> "{\"" + CANARY + "\":" + receipt.version() + "}")));
    session.update(
        SessionUpdate.none().title(CANARY).metadata(Map.of(CANARY, CANARY)).tags(Set.of(CANARY)));
    store.documents().put("ann", "r", "{\"" + CANARY + "\":\"" + CANARY + "\"}");
    List<Long> positions = new ArrayList<>();
    session.entries(Range.first(10)).entries().forEach(entry -> positions.add(entry.position()));
    session.commit(Commit.replaceItem(positions.get(2), Draft.of(Item.user(CANARY + "2"))));
    session.commit(Commit.replacePrefix(positions.get(0), List.of(Item.user(CANARY + "3"))));
    session.commit(
        Commit.replaceSuffix(List.of(Item.user(CANARY + "2")), List.of(Item.user(CANARY + "4"))));
    session.fork("fork", positions.get(1));
    session.popItem();
    session.addItems(List.of(Item.user(CANARY)));
    store.check(finding -> {});
  }

  private List<Path> filesWith(String words) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(words)) {
          found.add(file);
        }
      }
    }
    return found;
  }
}
