package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted in sessions, held against counting everything again. */
class InsightTest {
  private static SessionStore store;
  private static LiveServer live;
  private static Caller ann;

  @BeforeAll
  static void start(@TempDir Path folder) {
    store = Stores.open("sqlite:" + folder.resolve("insight.db"));
    live = new LiveServer(store);
    ann = new Caller(live, "ann");
    Random random = new Random(6);
    for (int session = 0; session < 12; session++) {
      for (int turn = random.nextInt(8); turn > 0; turn--) {
        store
            .session(new SessionKey("ann", "s" + session))
            .commit(Commit.appendDrafts(turn(random)));
      }
    }
    store.session(new SessionKey("bob", "b")).addItems(List.of(Item.user("not ann's")));
  }

  private static List<Draft> turn(Random random) {
    List<Draft> drafts = new ArrayList<>();
    drafts.add(Draft.of(Item.user("question")));
    for (int i = random.nextInt(3); i > 0; i--) {
      String call = "c" + random.nextInt();
      drafts.add(
          new Draft(
              Item.functionCall(call, "tool" + random.nextInt(3), "{}"),
              Map.of("input_tokens", 100 + random.nextInt(50), "output_tokens", 7)));
      if (random.nextInt(4) > 0) {
        drafts.add(Draft.of(Item.functionCallOutput(call, "done")));
      }
    }
    drafts.add(
        new Draft(
            Item.assistant("answer"),
            Map.of("input_tokens", 200, "output_tokens", random.nextInt(90))));
    return drafts;
  }

  @AfterAll
  static void stop() {
    live.close();
    store.close();
  }

  private static List<Entry> entries(String id) {
    return store
        .session(new SessionKey("ann", id))
        .entries(Range.first(10_000).withCompacted())
        .entries();
  }

  private static long count(Stream<Entry> entries, Class<? extends View> kind) {
    return entries.filter(entry -> kind.isInstance(entry.item().view())).count();
  }

  private static long notes(List<Entry> entries, String name) {
    return entries.stream()
        .mapToLong(entry -> ((Number) entry.notes().getOrDefault(name, 0)).longValue())
        .sum();
  }

  private static long number(Object value) {
    return ((Number) value).longValue();
  }

  private static Stream<String> sessions() {
    return ann.get("/api/sessions?limit=100").is(200).data().stream()
        .map(session -> (String) session.get("session_id"));
  }

  @Test
  void theFiguresOfASessionAreThoseOfARecount() {
    sessions()
        .forEach(
            id -> {
              Map<String, Object> told = ann.get("/api/sessions/" + id + "/insight").is(200).json();
              List<Entry> all = entries(id);
              long messages = count(all.stream(), View.Message.class);
              assertThat(number(told.get("items"))).isEqualTo(all.size());
              assertThat(number(told.get("turns"))).isEqualTo(messages / 2);
              assertThat(number(told.get("user_messages"))).isEqualTo(messages / 2);
              assertThat(number(told.get("assistant_messages"))).isEqualTo(messages / 2);
              assertThat(number(told.get("tool_calls")))
                  .isEqualTo(count(all.stream(), View.FunctionCall.class));
              assertThat(number(told.get("input_tokens"))).isEqualTo(notes(all, "input_tokens"));
              assertThat(number(told.get("output_tokens"))).isEqualTo(notes(all, "output_tokens"));
              assertThat(sum(told.get("tools"), "answered"))
                  .isEqualTo(count(all.stream(), View.FunctionCallOutput.class));
              assertThat(sum(told.get("data"), "input_tokens"))
                  .isEqualTo(notes(all, "input_tokens"));
              assertThat(sum(Caller.object(told.get("pauses")).get("ranges"), "count"))
                  .isEqualTo(messages - 1);
              assertThat(Caller.object(told.get("counted")))
                  .containsEntry("partial", false)
                  .extractingByKey("items")
                  .asString()
                  .isEqualTo(String.valueOf(all.size()));
            });
  }

  private static long sum(Object rows, String field) {
    return Caller.objects(rows).stream().mapToLong(row -> number(row.get(field))).sum();
  }

  @Test
  void theFiguresOfTheStoreAreThoseOfARecount_andOfNobodyElse() {
    Map<String, Object> told = ann.get("/api/insight?days=2").is(200).json();
    List<Entry> all = sessions().flatMap(id -> entries(id).stream()).toList();
    assertThat(sum(told.get("data"), "sessions")).isEqualTo(sessions().count());
    assertThat(sum(told.get("data"), "messages"))
        .isEqualTo(count(all.stream(), View.Message.class));
    assertThat(number(told.get("tool_calls")))
        .isEqualTo(count(all.stream(), View.FunctionCall.class));
    List<Map<String, Object>> tools = Caller.objects(told.get("tools"));
    assertThat(tools)
        .extracting(tool -> number(tool.get("calls")))
        .isSortedAccordingTo((a, b) -> Long.compare(b, a));
    for (Map<String, Object> tool : tools) {
      assertThat(number(tool.get("calls")))
          .isEqualTo(
              all.stream()
                  .filter(
                      entry ->
                          entry.item().view() instanceof View.FunctionCall call
                              && call.name().equals(tool.get("name")))
                  .count());
    }
    assertThat(Caller.objects(told.get("data")))
        .allSatisfy(
            day ->
                assertThat(LocalDate.parse((String) day.get("date")))
                    .isAfter(LocalDate.now(ZoneOffset.UTC).minusDays(2)));
    assertThat(Caller.object(told.get("counted"))).containsEntry("partial", false);
  }

  @Test
  void whatACompactionReplacedStillCounts_asDoesTheCompaction() {
    for (int i = 0; i < 4; i++) {
      ann.say("long", "message " + i).is(200);
    }
    assertThat(ann.post("/api/sessions/long/compact", "").is(200).json())
        .containsEntry("compacted", true);
    Map<String, Object> told = ann.get("/api/sessions/long/insight").is(200).json();
    assertThat(number(told.get("turns"))).isEqualTo(4);
    assertThat(number(told.get("compactions"))).isEqualTo(1);
    store.session(new SessionKey("ann", "long")).delete();
  }

  @Test
  void theRangeOfDaysIsBounded() {
    ann.get("/api/insight?days=0").refused(400, "integer_below_min_value");
    ann.get("/api/insight?days=366").refused(400, "integer_above_max_value");
    ann.get("/api/sessions/nowhere/insight").refused(404, "session_not_found");
  }
}
