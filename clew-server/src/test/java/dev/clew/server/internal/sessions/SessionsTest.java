package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionUpdate;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.ChatServers;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller's sessions: listed, described, read, forked, taken back, searched, deleted. */
class SessionsTest {
  @TempDir Path folder;
  private ChatServers servers;
  private LiveServer live;
  private Caller ann;

  @BeforeEach
  void start() {
    servers = new ChatServers(folder);
    live = servers.serve(new ScriptedModel());
    ann = new Caller(live, "ann");
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  /** Later than what was made before it, by the clock as well. */
  private void history(String id, int turns) {
    long before = System.currentTimeMillis();
    while (System.currentTimeMillis() == before) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < turns; i++) {
      servers.session(id).addItems(List.of(Item.user("ask " + i), Item.assistant("answer " + i)));
    }
  }

  private static List<Object> ids(Answer answer) {
    return answer.is(200).data().stream().map(each -> each.get("session_id")).toList();
  }

  @Test
  void sessionsAreListedNewestFirstInPages() {
    IntStream.range(0, 5).forEach(i -> history("s" + i, 1));
    Answer first = ann.get("/api/sessions?limit=2");
    assertThat(ids(first)).containsExactly("s4", "s3");
    assertThat(first.data().get(0))
        .containsEntry("title", "ask 0")
        .containsEntry("item_count", 2L)
        .containsEntry("preview", "answer 0")
        .containsKeys("created_at", "updated_at", "version", "bytes", "tags", "metadata");
    String cursor = Caller.enc(first.text("next_cursor"));
    Answer second = ann.get("/api/sessions?limit=2&cursor=" + cursor);
    assertThat(ids(second)).containsExactly("s2", "s1");
    Answer last = ann.get("/api/sessions?limit=2&cursor=" + Caller.enc(second.text("next_cursor")));
    assertThat(ids(last)).containsExactly("s0");
    assertThat(last.json()).containsEntry("next_cursor", null);
    assertThat(ids(new Caller(live, "bob").get("/api/sessions"))).isEmpty();
  }

  @Test
  void aListIsFilteredAndOrdered() {
    servers.session("a").update(SessionUpdate.none().title("Zebra").tags(Set.of("zoo")));
    servers.session("b").update(SessionUpdate.none().title("apple pie").archived(true));
    servers.session("c").update(SessionUpdate.none().title("Apples").pinned(true));
    assertThat(ids(ann.get("/api/sessions?q=APPLE"))).containsExactlyInAnyOrder("b", "c");
    assertThat(ids(ann.get("/api/sessions?tag=zoo"))).containsExactly("a");
    assertThat(ids(ann.get("/api/sessions?archived=true"))).containsExactly("b");
    assertThat(ids(ann.get("/api/sessions?archived=false"))).doesNotContain("b").hasSize(2);
    assertThat(ids(ann.get("/api/sessions?pinned=true"))).containsExactly("c");
    assertThat(ids(ann.get("/api/sessions?pinned=false"))).doesNotContain("c").hasSize(2);
    assertThat(ids(ann.get("/api/sessions?order=title"))).containsExactly("b", "c", "a");
    assertThat(ids(ann.get("/api/sessions?order=created"))).hasSize(3);
  }

  @Test
  void pagesOfPinnedSessionsLeaveNoneOut() {
    for (int i = 0; i < 30; i++) {
      servers.session("s" + i).update(SessionUpdate.none().pinned(i % 3 == 0));
    }
    List<Object> found = new ArrayList<>();
    String cursor = "";
    do {
      Answer page = ann.get("/api/sessions?pinned=true&limit=4&cursor=" + Caller.enc(cursor));
      assertThat(page.data().size()).isLessThanOrEqualTo(4);
      found.addAll(ids(page));
      cursor = page.text("next_cursor");
    } while (cursor != null);
    assertThat(found).hasSize(10).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/sessions?limit=0, integer_below_min_value",
    "/api/sessions?limit=101, integer_above_max_value",
    "/api/sessions?limit=-1, integer_below_min_value",
    "/api/sessions?limit=x, invalid_type",
    "/api/sessions?order=size, invalid_value",
    "/api/sessions?archived=yes, invalid_value",
    "/api/sessions?cursor=nonsense, invalid_value",
    "/api/sessions/s/items?limit=1000, integer_above_max_value",
    "/api/sessions/s/items?before=x, invalid_type",
    "/api/sessions/s/items?before=1&after=2, invalid_value",
    "/api/sessions/s/messages?limit=0, integer_below_min_value",
    "/api/sessions/s/export?format=pdf, invalid_value",
    "/api/search, missing_required_parameter",
    "/api/search?q=%20, invalid_value",
    "/api/search?q=x&cursor=y, invalid_value",
    "/api/search?q=x&limit=0, integer_below_min_value",
    "/api/search?q=x&since=yesterday, invalid_value",
    "/api/search?q=x&until=7d, invalid_value",
    "/api/search?q=x&role=tool, invalid_value"
  })
  void aBadQueryIsRefused(String path, String code) {
    history("s", 1);
    ann.get(path).refused(400, code);
  }

  @Test
  void aSessionIsDescribed() {
    history("s", 1);
    Answer patched =
        ann.send(
                "PATCH",
                "/api/sessions/s",
                "{\"title\":\"旅行\",\"tags\":[\"b\",\"a\"],\"metadata\":{\"x\":{\"y\":1}},"
                    + "\"pinned\":true,\"archived\":true,\"ttl_seconds\":3600}")
            .is(200);
    Map<String, Object> info = ann.get("/api/sessions/s").is(200).json();
    assertThat(info).isEqualTo(patched.json());
    assertThat(info)
        .containsEntry("title", "旅行")
        .containsEntry("tags", List.of("a", "b"))
        .containsEntry("metadata", Map.of("x", Map.of("y", 1L)))
        .containsEntry("pinned", true)
        .containsEntry("archived", true)
        .containsEntry("ttl_seconds", 3600L);
    assertThat((String) info.get("expires_at")).matches("\\d{4}-.*\\.\\d{6}Z");
    Map<String, Object> undone =
        ann.send(
                "PATCH",
                "/api/sessions/s",
                "{\"title\":null,\"tags\":null,\"metadata\":null,\"pinned\":false,"
                    + "\"ttl_seconds\":null}")
            .is(200)
            .json();
    assertThat(undone)
        .containsEntry("title", "")
        .containsEntry("tags", List.of())
        .containsEntry("metadata", Map.of())
        .containsEntry("pinned", false)
        .containsEntry("archived", true)
        .containsEntry("ttl_seconds", null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"title\":7}",
        "{\"title\":\"a\\nb\"}",
        "{\"tags\":\"x\"}",
        "{\"tags\":[7]}",
        "{\"tags\":[\"\"]}",
        "{\"metadata\":[]}",
        "{\"pinned\":\"yes\"}",
        "{\"archived\":1}",
        "{\"ttl_seconds\":-5}",
        "{\"ttl_seconds\":1.5}",
        "{\"ttl_seconds\":9223372036854775807}",
        "nonsense"
      })
  void aBadDescriptionIsRefusedAndNothingChanges(String body) {
    history("s", 1);
    String before = ann.get("/api/sessions/s").body();
    assertThat(ann.send("PATCH", "/api/sessions/s", body).is(400).body()).contains("request_id");
    assertThat(ann.get("/api/sessions/s").body()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, ''",
    "PATCH, ''",
    "GET, /items",
    "GET, /messages",
    "POST, /fork",
    "POST, /undo",
    "POST, /regenerate",
    "POST, /stop",
    "POST, /compact",
    "GET, /approvals",
    "GET, /events",
    "GET, /export"
  })
  void anAbsentSessionAndAForeignOneAreTheSame(String method, String path) {
    history("s", 1);
    Caller bob = new Caller(live, "bob");
    String foreign =
        bob.send(method, "/api/sessions/s" + path, "{}").refused(404, "session_not_found").body();
    String absent =
        ann.send(method, "/api/sessions/t" + path, "{}").refused(404, "session_not_found").body();
    assertThat(foreign.replaceAll("req_\\w+", ""))
        .isEqualTo(absent.replace("'t'", "'s'").replaceAll("req_\\w+", ""));
    ann.get("/api/sessions/t").is(404);
    assertThat(servers.items("s")).hasSize(2);
  }

  @Test
  void deletingIsIdempotent_andNobodyElses() {
    history("s", 1);
    Caller bob = new Caller(live, "bob");
    assertThat(bob.send("DELETE", "/api/sessions/s", "").is(200).json())
        .containsEntry("deleted", false);
    assertThat(ann.send("DELETE", "/api/sessions/s", "").is(200).json())
        .containsEntry("session_id", "s")
        .containsEntry("deleted", true);
    assertThat(ann.send("DELETE", "/api/sessions/s", "").is(200).json())
        .containsEntry("deleted", false);
    ann.get("/api/sessions/s").is(404);
  }

  @Test
  void itemsAreReadFromTheEndAndInBothDirections() {
    history("s", 5);
    Answer end = ann.get("/api/sessions/s/items?limit=3").is(200);
    assertThat(end.json()).containsEntry("has_more", true).containsKey("version");
    assertThat(end.data().get(2)).containsOnlyKeys("position", "at", "item");
    assertThat(end.data().toString()).contains("answer 3").contains("ask 4").contains("answer 4");
    Object first = end.data().get(0).get("position");
    Answer before = ann.get("/api/sessions/s/items?limit=100&before=" + first).is(200);
    assertThat(before.data()).hasSize(7);
    assertThat(before.json()).containsEntry("has_more", false);
    Answer after = ann.get("/api/sessions/s/items?limit=1&after=" + first).is(200);
    assertThat(after.data().toString()).contains("ask 4");
    assertThat(after.json()).containsEntry("has_more", true);
  }

  @Test
  void messagesAreWhatUserAndAssistantSaid() {
    servers
        .session("s")
        .addItems(
            List.of(
                Item.system("Be short."),
                Item.user("你好"),
                Item.functionCall("c1", "f", "{}"),
                Item.functionCallOutput("c1", "ok"),
                Item.assistant("Hi!")));
    Answer all = ann.get("/api/sessions/s/messages").is(200);
    assertThat(all.data()).hasSize(2);
    assertThat(all.data().get(0))
        .containsOnlyKeys("role", "content", "timestamp")
        .containsEntry("role", "user")
        .containsEntry("content", "你好");
    assertThat((String) all.data().get(0).get("timestamp"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    assertThat(all.json()).containsEntry("has_more", false);
    Answer last = ann.get("/api/sessions/s/messages?limit=1").is(200);
    assertThat(last.data().get(0)).containsEntry("content", "Hi!");
    assertThat(last.json()).containsEntry("has_more", true);
  }

  @Test
  void aForkHasTheHistoryUpToAPosition() {
    history("s", 3);
    Answer whole = ann.post("/api/sessions/s/fork", "").is(200);
    assertThat(whole.json()).containsEntry("item_count", 6L);
    Object second = ann.get("/api/sessions/s/items").data().get(1).get("position");
    Answer part =
        ann.post("/api/sessions/s/fork", "{\"at\":" + second + ",\"session_id\":\"f/1\"}").is(200);
    assertThat(part.json())
        .containsEntry("session_id", "f/1")
        .containsEntry("item_count", 2L)
        .containsEntry("forked_from", Map.of("session_id", "s", "position", second));
    ann.post("/api/sessions/s/fork", "{\"session_id\":\"f/1\"}").refused(409, "session_exists");
    ann.post("/api/sessions/s/fork", "{\"at\":\"x\"}").refused(400, "invalid_type");
    for (long nothing : new long[] {-1, 0, 1_000_000, Long.MIN_VALUE, Long.MAX_VALUE}) {
      ann.post("/api/sessions/s/fork", "{\"at\":" + nothing + "}").refused(400, "invalid_value");
      ann.post("/api/sessions/s/branches", "{\"at\":" + nothing + "}")
          .refused(400, "invalid_value");
    }
    ann.post("/api/sessions/s/fork", "{\"session_id\":\"a\\nb\"}").refused(400, "invalid_value");
  }

  @Test
  void theLastTurnIsTakenBack() {
    history("s", 2);
    Answer undone = ann.post("/api/sessions/s/undo", "").is(200);
    assertThat(Caller.objects(undone.json().get("removed"))).hasSize(2);
    assertThat(servers.items("s")).hasSize(2);
    ann.post("/api/sessions/s/undo", "").is(200);
    assertThat(Caller.objects(ann.post("/api/sessions/s/undo", "").is(200).json().get("removed")))
        .isEmpty();
    ann.get("/api/sessions/s").is(200);
  }

  @Test
  void wordsAreFoundInPages_andInNobodyElsesSessions() {
    for (int i = 0; i < 5; i++) {
      servers.session("s" + i).addItems(List.of(Item.user("我们去京都旅行 number " + i)));
    }
    Answer first = ann.get("/api/search?q=" + Caller.enc("京都") + "&limit=2").is(200);
    assertThat(first.data()).hasSize(2);
    assertThat(first.data().get(0))
        .containsKeys("session_id", "title", "position", "at", "score", "snippet", "highlights");
    Map<String, Object> place = Caller.objects(first.data().get(0).get("highlights")).get(0);
    String snippet = (String) first.data().get(0).get("snippet");
    assertThat(
            snippet.substring(
                ((Long) place.get("start")).intValue(), ((Long) place.get("end")).intValue()))
        .isEqualTo("京都");
    List<Object> found = new ArrayList<>(ids(first));
    String cursor = first.text("next_cursor");
    while (cursor != null) {
      Answer page =
          ann.get("/api/search?q=" + Caller.enc("京都") + "&limit=2&cursor=" + cursor).is(200);
      found.addAll(ids(page));
      cursor = page.text("next_cursor");
    }
    assertThat(found).containsExactlyInAnyOrder("s0", "s1", "s2", "s3", "s4");
    assertThat(ids(ann.get("/api/search?q=number&session_id=s3"))).containsExactly("s3");
    String here = "/api/search?q=number&session_id=s3";
    assertThat(ids(ann.get(here + "&since=2020-01-01T00:00:00Z&role=user"))).containsExactly("s3");
    for (String other :
        List.of("&until=2020-01-01T00:00:00Z", "&role=system", "&tool=none", "&tag=none")) {
      assertThat(ids(ann.get(here + other))).isEmpty();
    }
    assertThat(ids(new Caller(live, "bob").get("/api/search?q=number"))).isEmpty();
  }
}
