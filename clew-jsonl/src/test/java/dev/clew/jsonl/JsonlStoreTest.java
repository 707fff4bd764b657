package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.Watch;
import dev.clew.tck.TestClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is particular to the JSONL store; the rest is in the contract. */
class JsonlStoreTest {
  @TempDir Path folder;

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(folder.resolve(name));
  }

  @Test
  void aTextMessageIsWrittenInTheShapeOfTheSeed_everythingElseAsItIs() throws IOException {
    try (JsonlStore store =
        JsonlStore.builder(folder)
            .clock(new TestClock(Instant.parse("2025-01-01T00:00:00Z")))
            .open()) {
      StoredSession session = store.session("feishu:oc_xxx");
      session.addItems(List.of(Item.user("Hello"), Item.assistant("Hi \"there\"!")));
      session.addItems(List.of(Item.parse("{\"role\":\"user\",\"content\":\"caf\\u00e9\"}")));
      session.addItems(List.of(Item.parse("{\"role\":\"user\",\"content\":\"x\",\"id\":\"m\"}")));
      session.commit(
          Commit.appendDrafts(
              List.of(new Draft(Item.functionCall("c", "f", "{}"), Map.of("model", "m")))));
    }
    List<String> lines = lines("feishu%3Aoc_xxx.jsonl");

    assertThat(lines.get(0))
        .startsWith(
            "{\"type\":\"metadata\",\"data\":{\"key\":\"feishu:oc_xxx\",\"created_at\":1735689600000,"
                + "\"updated_at\":1735689600000}");
    assertThat(lines.get(1))
        .startsWith(
            "{\"type\":\"message\",\"data\":{\"role\":\"user\",\"content\":\"Hello\","
                + "\"timestamp\":1735689600000},\"form\":\"parts\",\"position\":1,\"part\":[2,3],"
                + "\"crc\":\"");
    assertThat(lines.get(2))
        .startsWith(
            "{\"type\":\"message\",\"data\":{\"role\":\"assistant\",\"content\":\"Hi \\\"there\\\"!\",")
        .contains("\"state\":[2,2,");
    assertThat(lines.get(3))
        .startsWith(
            "{\"type\":\"message\",\"data\":{\"role\":\"user\",\"content\":\"caf\\u00e9\","
                + "\"timestamp\":1735689600000},\"position\":3,\"state\":[");
    assertThat(lines.get(4))
        .startsWith(
            "{\"type\":\"item\",\"data\":{\"role\":\"user\",\"content\":\"x\",\"id\":\"m\"},"
                + "\"timestamp\":1735689600000,\"position\":4");
    assertThat(lines.get(5))
        .startsWith("{\"type\":\"item\",\"data\":{\"type\":\"function_call\",")
        .contains("\"notes\":{\"model\":\"m\"}");
  }

  @Test
  void aFileThatIsMostlyGarbage_isWrittenAnewAndKeepsEverythingThatCounts() throws IOException {
    SessionKey key = SessionKey.of("s");
    try (JsonlStore store = JsonlStore.builder(folder).disk(FaultyDisk.withoutSyncs()).open()) {
      StoredSession session = store.session(key);
      session.addItems(Samples.items("archived", 3));
      session.commit(Commit.replacePrefix(2, Samples.items("summary", 1)));
      session.update(SessionUpdate.none().title("kept"));
      Commit turn = Commit.append(Samples.items("turn", 1)).operationId("turn-1");
      session.commit(turn);
      var before = session.entries(Range.first(99).withCompacted());
      for (int i = 0; i < 400; i++) {
        session.addItems(List.of(Item.user("y".repeat(500))));
        session.popItem();
      }
      assertThat(Files.size(folder.resolve("s.jsonl"))).isLessThan(160_000);
      store.unload(key);
      assertThat(session.entries(Range.first(99).withCompacted())).isEqualTo(before);
      assertThat(session.info().orElseThrow().title()).isEqualTo("kept");
      assertThat(session.commit(turn).repeated()).isTrue();
      long last = before.entries().get(before.entries().size() - 1).position();
      session.addItems(Samples.items("next", 1));
      assertThat(session.entries(Range.latest(1)).entries().get(0).position())
          .isEqualTo(last + 801); // each pop made a version
    }
  }

  @Test
  void aWatcherThatKnowsNothingOfAnOlderSession_isToldToReload() {
    try (JsonlStore store = JsonlStore.open(folder)) {
      store.session("s").addItems(Samples.items("old", 2));
    }
    try (JsonlStore store = JsonlStore.open(folder)) {
      BlockingQueue<SessionEvent> events = new LinkedBlockingQueue<>();
      StoredSession session = store.session("s");
      try (Watch watch = session.watch(0, events::add)) {
        long version = session.info().orElseThrow().version();
        assertThat(assertDoesNotThrow(() -> events.poll(20, TimeUnit.SECONDS)))
            .isEqualTo(new SessionEvent.Reload(version));
        assertThat(watch).isNotNull();
      }
    }
  }

  @Test
  void erasing_leavesNoWordOfTheOwnerInAnyFile() throws IOException {
    try (JsonlStore store = JsonlStore.open(folder)) {
      for (String owner : List.of("ann", "canary".repeat(50), "")) {
        StoredSession session = store.session(new SessionKey(owner, "canary-id"));
        session.addItems(List.of(Item.user("canary one"), Item.user("canary two")));
        session.popItem();
        session.update(SessionUpdate.none().title("canary title"));
        session.commit(Commit.append(Samples.items("x", 1)).operationId("canary-op"));
        store.leases().tryAcquire(session.key(), "canary", "canary", Duration.ofHours(1));
        store
            .documents()
            .put(owner, "canary-record", "\"canary\"", OptionalLong.empty(), Optional.empty());
        Path own = owner.isEmpty() ? folder : folder.resolve(Names.folder(owner));
        Files.writeString(own.resolve("left.jsonl.tmp"), "canary");
        Files.writeString(own.resolve("torn.jsonl"), "{\"type\":\"message\",\"data\":{\"canary");
        Files.writeString(own.resolve("left.quarantine"), "canary");
      }
      store.session("other").update(SessionUpdate.none());
      store.session(new SessionKey("bob", "kept")).addItems(Samples.items("kept", 1));
      store.erase("ann");
      store.erase("canary".repeat(50));
      store.erase("");
      assertThat(store.owners(Optional.empty(), 10)).containsExactly("bob");
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.toList()) {
        assertThat(path.toString()).doesNotContain("canary", "@ann");
        if (Files.isRegularFile(path)) {
          assertThat(Files.readString(path, StandardCharsets.ISO_8859_1)).doesNotContain("canary");
        }
      }
    }
  }

  @Test
  void records_mayHaveAnyWhiteSpaceAndSurvive() {
    String json = "{\n  \"a\": [1,\r\n\t2],  \"b\": \"\\n\"\n}";
    try (JsonlStore store = JsonlStore.open(folder)) {
      store.documents().put("ann", "r", json, OptionalLong.empty(), Optional.empty());
      for (int i = 0; i < 300; i++) {
        store
            .documents()
            .put(
                "",
                "r" + i % 3,
                "\"" + "z".repeat(500) + i + "\"",
                OptionalLong.empty(),
                Optional.empty());
      }
    }
    try (JsonlStore store = JsonlStore.open(folder)) {
      assertThat(store.documents().get("ann", "r").orElseThrow().json()).isEqualTo(json);
      assertThat(store.documents().list("", "", Optional.empty(), 10)).hasSize(3);
      assertThat(store.documents().get("", "r2").orElseThrow().json()).endsWith("z299\"");
      assertThat(folder.resolve(".records.jsonl").toFile())
          .satisfies(f -> assertThat(f.length()).isLessThan(140_000));
      long version = store.documents().get("", "r2").orElseThrow().version();
      assertThat(
              store
                  .documents()
                  .put("", "r2", "1", OptionalLong.of(version), Optional.empty())
                  .version())
          .isGreaterThan(version);
    }
  }

  @Test
  void aUrlOpensTheFolder_andMistakesInItAreNamed() {
    String url =
        "jsonl:" + folder.resolve("by url") + "?limit=2&ttl=30d&cache_sessions=9&cache_mb=1";
    try (SessionStore store = Stores.open(url)) {
      store.session("s").addItems(Samples.items("text", 3));
      assertThat(store.session("s").getItems()).hasSize(2);
      assertThat(store.session("s").info().orElseThrow().timeToLive())
          .contains(Duration.ofDays(30));
    }
    assertThatThrownBy(() -> Stores.open("jsonl:"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jsonl:./sessions");
    assertThatThrownBy(() -> Stores.open("jsonl:x?cache=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cache_mb");
  }

  @Test
  void aFileInThePlaceOfTheFolder_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThatThrownBy(() -> JsonlStore.open(file))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void aUrlWithTwoSlashes_isRefusedWithBothMeanings() {
    assertThatThrownBy(() -> Stores.open("jsonl://sessions"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write jsonl:sessions for a folder here, or jsonl:/sessions");
  }
}
