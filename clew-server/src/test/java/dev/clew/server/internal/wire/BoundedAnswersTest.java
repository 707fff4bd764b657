package dev.clew.server.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import dev.clew.transcript.ExportFormat;
import dev.clew.transcript.ExportedSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that would be too large end early, and the usual cursor leads to the rest. */
@Tag("hostile")
class BoundedAnswersTest {
  private static final SessionKey KEY = new SessionKey("ann", "conv_large");
  private static final int MOST = 4 << 20;
  private static final int ITEMS = 9;

  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live = new LiveServer(store);
  private final Caller ann = new Caller(live, "ann");

  @BeforeEach
  void fill() {
    for (int i = 0; i < ITEMS; i++) {
      int size = i == 4 ? 9_000_000 : 1_500_000; // one is larger than an answer
      Item item =
          i % 3 == 2
              ? Item.functionCallOutput("c" + i, "x".repeat(size))
              : Item.user(i + "\n" + "y".repeat(size));
      store.session(KEY).addItems(List.of(item));
    }
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private static void assertBounded(String body, int items) {
    assertThat(items == 1 || body.length() < MOST + 100_000)
        .as("%d items, %d bytes", items, body.length())
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"before", "after"})
  void itemsOfASession(String direction) {
    List<Object> positions = new ArrayList<>();
    String cursor = direction.equals("after") ? "&after=-1000" : "";
    boolean more = true;
    while (more) {
      Caller.Answer page = ann.get("/api/sessions/conv_large/items?limit=100" + cursor).is(200);
      List<Map<String, Object>> data = page.data();
      assertBounded(page.body(), data.size());
      assertThat(data).isNotEmpty();
      List<Object> found = new ArrayList<>(data.stream().map(e -> e.get("position")).toList());
      boolean forward = direction.equals("after");
      positions.addAll(forward ? positions.size() : 0, found);
      cursor = "&" + direction + "=" + found.get(forward ? found.size() - 1 : 0);
      more = (boolean) page.json().get("has_more");
    }
    assertThat(positions)
        .isEqualTo(
            store.session(KEY).entries(Range.first(100)).entries().stream()
                .<Object>map(entry -> (int) entry.position())
                .map(position -> Json.readObject("{\"p\":" + position + "}").get("p"))
                .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"asc", "desc"})
  void itemsOfAConversation(String order) {
    List<Object> ids = new ArrayList<>();
    String cursor = "";
    boolean more = true;
    while (more) {
      Caller.Answer page =
          ann.get("/v1/conversations/conv_large/items?limit=100&order=" + order + cursor).is(200);
      assertBounded(page.body(), page.data().size());
      page.data().forEach(item -> ids.add(item.get("id")));
      cursor = "&after=" + page.text("last_id");
      more = (boolean) page.json().get("has_more");
    }
    assertThat(ids).hasSize(ITEMS).doesNotHaveDuplicates();
  }

  @Test
  void messages() {
    Caller.Answer page = ann.get("/api/sessions/conv_large/messages?limit=100").is(200);
    assertBounded(page.body(), page.data().size());
    assertThat(page.json()).containsEntry("has_more", true);
    assertThat(page.data()).isNotEmpty();
  }

  @Test
  void aLinkDoesNotShowMoreThanAnAnswerHolds() {
    ann.post("/api/sessions/conv_large/shares", "{}").refused(400, "session_too_large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/sessions?limit=100", "/v1/conversations?limit=100"})
  void listsOfSessionsWithMuchMetadata(String path) {
    for (int i = 0; i < 30; i++) {
      store
          .session(new SessionKey("ann", "conv_" + i))
          .update(
              SessionUpdate.none().metadata(Map.of("m", "m".repeat(i % 2 == 0 ? 900_000 : 10))));
    }
    List<Object> ids = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    while (cursor != null) {
      Caller.Answer page = ann.get(path + cursor).is(200);
      assertBounded(page.body(), page.data().size());
      page.data().forEach(one -> ids.add(one.getOrDefault("session_id", one.get("id"))));
      String next = page.text("next_cursor");
      cursor = next == null ? null : "&cursor=" + Caller.enc(next);
      pages++;
    }
    assertThat(ids).hasSize(31).doesNotHaveDuplicates();
    assertThat(pages).isGreaterThan(3);
  }

  @ParameterizedTest
  @EnumSource(ExportFormat.class)
  void anExportIsWholeHoweverLargeItIs(ExportFormat format) {
    String file = ann.get("/api/sessions/conv_large/export?format=" + format.wire()).is(200).body();
    SessionInfo info = store.session(KEY).info().orElseThrow();
    List<Entry> entries = store.session(KEY).entries(Range.first(100)).entries();
    if (format == ExportFormat.JSON) {
      ExportedSession read = ExportedSession.parse(file);
      assertThat(read.toJson()).isEqualTo(format.write(info, entries));
    } else {
      assertThat(file).isEqualTo(format.write(info, entries));
    }
  }
}
