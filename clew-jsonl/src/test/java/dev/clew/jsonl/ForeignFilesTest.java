package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.StoredSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that other programs wrote are sessions as they are. */
class ForeignFilesTest {
  private static final String SAMPLE =
      """
      {"type":"metadata","data":{"created_at":1234567890,"updated_at":1234567999,"activeSkill":"maps"}}
      {"type":"message","data":{"role":"user","content":"Hello","timestamp":1234567890}}
      {"type": "message", "data": {"role": "assistant", "content": "Hi there!", "timestamp": 1234567891}}
      """;

  @TempDir Path folder;

  private StoredSession write(String name, String text, JsonlStore store) throws IOException {
    Files.writeString(folder.resolve(name + ".jsonl"), text);
    return store.session(name);
  }

  @Test
  void aFileOfMessages_isReadAsItIsAndNotTouched() throws IOException {
    try (JsonlStore store = JsonlStore.open(folder)) {
      StoredSession session = write("feishu:oc_xxx", SAMPLE, store);
      List<Entry> entries = session.entries(Range.first(10)).entries();
      SessionInfo info = session.info().orElseThrow();

      assertThat(session.getItems())
          .containsExactly(
              Item.parse("{\"role\":\"user\",\"content\":\"Hello\"}"),
              Item.parse("{\"role\":\"assistant\",\"content\":\"Hi there!\"}"));
      assertThat(entries).extracting(Entry::position).containsExactly(1L, 2L);
      assertThat(entries.get(1).addedAt()).isEqualTo(Instant.ofEpochSecond(1234567891));
      assertThat(info.createdAt()).isEqualTo(Instant.ofEpochSecond(1234567890));
      assertThat(info.updatedAt()).isEqualTo(Instant.ofEpochSecond(1234567999));
      assertThat(info.metadata()).isEqualTo(Map.of("activeSkill", "maps"));
      assertThat(info.version()).isPositive();
      assertThat(store.list(SessionQuery.of("")).sessions()).containsExactly(info);
      assertThat(folder.resolve("feishu:oc_xxx.jsonl")).hasContent(SAMPLE);
    }
  }

  @Test
  void aFileWithoutALastLineEndOrWithoutMetadata_isRead() throws IOException {
    try (JsonlStore store = JsonlStore.open(folder)) {
      assertThat(write("a", SAMPLE.strip(), store).getItems()).hasSize(2);
      assertThat(write("b", SAMPLE.substring(SAMPLE.indexOf('\n') + 1), store).getItems())
          .hasSize(2);
      assertThat(write("c", "", store).getItems()).isEmpty();
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(2);
    }
  }

  @Test
  void messagesWithoutAWrapperAndIsoTimes_areRead() throws IOException {
    String text =
        """
        {"_type":"metadata","created_at":"2026-01-01T08:00:00.5","metadata":{"k":1}}
        {"role":"user","content":"Hello","timestamp":"2026-01-01T08:00:01+01:00"}
        {"role":"tool","content":"done","tool_call_id":"c1","timestamp":"2026-01-01 08:00:02"}
        """;
    try (JsonlStore store = JsonlStore.open(folder)) {
      StoredSession session = write("n", text, store);
      assertThat(session.getItems())
          .containsExactly(
              Item.parse("{\"role\":\"user\",\"content\":\"Hello\"}"),
              Item.parse("{\"role\":\"tool\",\"content\":\"done\",\"tool_call_id\":\"c1\"}"));
      assertThat(session.entries(Range.first(9)).entries())
          .extracting(Entry::addedAt)
          .containsExactly(
              Instant.parse("2026-01-01T07:00:01Z"), Instant.parse("2026-01-01T08:00:02Z"));
      assertThat(session.info().orElseThrow().metadata()).isEqualTo(Map.of("k", 1L));
    }
  }

  @Test
  void somethingIsAddedToTheFile_thenItHasOurKeysAndTheSameMessages() throws IOException {
    try (JsonlStore store = JsonlStore.open(folder)) {
      StoredSession session = write("s", SAMPLE, store);
      List<Item> before = session.getItems();
      session.addItems(List.of(Item.user("new")));
      store.unload(SessionKey.of("s"));

      assertThat(session.getItems(2)).containsExactly(before.get(1), Item.user("new"));
      assertThat(session.getItems()).hasSize(3);
      List<String> lines = Files.readAllLines(folder.resolve("s.jsonl"));
      assertThat(lines).hasSize(4).allMatch(line -> line.contains("\"crc\":\""));
      assertThat(lines.get(1))
          .startsWith(
              "{\"type\":\"message\",\"data\":{\"role\":\"user\",\"content\":\"Hello\",\"timestamp\":1234567890000}");
      assertThat(session.info().orElseThrow().metadata()).isEqualTo(Map.of("activeSkill", "maps"));
    }
  }

  @Test
  void anotherProgramAddsToOurFile_thenItsMessagesComeBehindOurs() throws IOException {
    Path file = folder.resolve("s.jsonl");
    try (JsonlStore store = JsonlStore.open(folder)) {
      store.session("s").addItems(Samples.items("ours", 2));
    }
    Files.writeString(
        file,
        "{\"type\":\"message\",\"data\":{\"role\":\"user\",\"content\":\"theirs\",\"timestamp\":1}}\n",
        StandardOpenOption.APPEND);
    try (JsonlStore store = JsonlStore.open(folder)) {
      StoredSession session = store.session("s");
      assertThat(session.getItems()).hasSize(3);
      assertThat(session.entries(Range.first(9)).entries())
          .extracting(Entry::position)
          .containsExactly(1L, 2L, 3L);
      session.popItem();
      session.addItems(Samples.items("ours again", 1));
      assertThat(session.entries(Range.first(9)).entries())
          .extracting(Entry::position)
          .containsExactly(1L, 2L, 5L); // 4 is the version that the removal made
    }
  }

  @Test
  void linesThatAreNoMessages_areDamagedAndHideNothing() throws IOException {
    String text =
        SAMPLE
            + "{\"type\":\"message\",\"data\":{\"role\":\"user\",\"content\":NaN}}\n"
            + "not json\n"
            + "\n"
            + "{\"type\":\"message\",\"data\":{\"role\":\"user\",\"content\":\"last\"}}\n";
    try (JsonlStore store = JsonlStore.open(folder)) {
      StoredSession session = write("s", text, store);
      assertThat(session.getItems()).hasSize(3);
      assertThat(Samples.findings(store))
          .containsExactly(Finding.Kind.DAMAGED, Finding.Kind.DAMAGED);
      assertThat(session.popItem())
          .contains(Item.parse("{\"role\":\"user\",\"content\":\"last\"}"));
      assertThat(session.popItem())
          .contains(Item.parse("{\"role\":\"assistant\",\"content\":\"Hi there!\"}"));
      assertThat(Samples.findings(store)).containsOnly(Finding.Kind.QUARANTINED);
    }
  }

  @Test
  void aFileWhoseSessionIsInAnother_isNotListedButReported() throws IOException {
    try (JsonlStore store = JsonlStore.open(folder)) {
      store.session("a:b").addItems(Samples.items("text", 3));
      write("a:b", SAMPLE, store);
      write("notes~1", SAMPLE, store);

      assertThat(store.session("a:b").getItems()).hasSize(3);
      assertThat(store.session("notes~1").getItems()).hasSize(2);
      assertThat(store.list(SessionQuery.of("")).sessions())
          .extracting(SessionInfo::itemCount)
          .containsExactlyInAnyOrder(3L, 2L);
      assertThat(Samples.findings(store)).containsExactly(Finding.Kind.BACKEND);
    }
  }

  @Test
  void aCopiedFile_isAnotherSession() throws IOException {
    try (JsonlStore store = JsonlStore.open(folder)) {
      store.session("a").addItems(Samples.items("text", 2));
    }
    Files.copy(folder.resolve("a.jsonl"), folder.resolve("b.jsonl"));
    try (JsonlStore store = JsonlStore.open(folder)) {
      store.session("b").addItems(Samples.items("more", 1));
      assertThat(store.session("a").getItems()).hasSize(2);
      assertThat(store.session("b").getItems()).hasSize(3);
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(2);
    }
  }
}
