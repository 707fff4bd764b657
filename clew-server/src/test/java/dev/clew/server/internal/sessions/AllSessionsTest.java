package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Stores;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.LimitSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything as one file, out of the server and into it. */
class AllSessionsTest {
  private static final int MANY = 1_500;

  @TempDir Path folder;
  private SessionStore store;
  private LiveServer live;
  private Caller ann;
  private Caller bob;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("all.db"));
    live =
        new LiveServer(
            store,
            settings ->
                settings
                    .model(new ScriptedModel(), "script")
                    .limits(LimitSettings.DEFAULT.requestsPerMinute(200)));
    ann = new Caller(live, "ann");
    bob = new Caller(live, "bob");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private SessionKey key(String id) {
    return new SessionKey("ann", id);
  }

  private static List<Object> described(SessionStore store, SessionKey key) {
    SessionInfo info = store.session(key).info().orElseThrow();
    return List.of(
        info.title(),
        info.createdAt().toEpochMilli(),
        info.updatedAt().toEpochMilli(),
        store.session(key).getItems());
  }

  @Test
  void whatGoesOutComesIn_manyMoreThanRequestsAreAllowed() {
    for (int i = 0; i < MANY; i++) {
      store.session(key("s" + i)).addItems(List.of(Item.user("Q " + i), Item.assistant("\n" + i)));
    }
    store.session(key("s3")).update(SessionUpdate.none().title("Three").tags(Set.of("t")));
    store.session(key("empty")).update(SessionUpdate.none().title("Empty"));
    Item large = Item.user("x".repeat(1 << 20));
    store.session(key("large")).addItems(List.of(large, large, large, large, large));

    String file = ann.get("/api/export").is(200).body();
    assertThat(file.lines()).hasSize(MANY + 2);
    Answer report = bob.post("/api/import", file).is(200);
    assertThat(report.json())
        .containsEntry("imported", MANY + 2L)
        .containsEntry("items", 2L * MANY + 5)
        .containsEntry("refused", 0L);
    for (String id : List.of("s0", "s3", "empty", "large", "s" + (MANY - 1))) {
      assertThat(described(store, new SessionKey("bob", id))).isEqualTo(described(store, key(id)));
    }
    assertThat(bob.get("/api/sessions?tag=t").data()).hasSize(1);
  }

  @Test
  void branchesStayOneConversation_besideTheOnesTheyWereCopiedFrom() {
    ann.say("root", "one").is(200);
    long at = store.session(key("root")).entries(Range.first(2)).entries().get(1).position();
    ann.post("/api/sessions/root/branches", "{\"at\":" + at + "}").is(200);
    String file = ann.get("/api/export").is(200).body();
    ann.post("/api/import", file).is(200);
    assertThat(ann.get("/api/sessions").data()).hasSize(2);
    assertThat(ann.get("/api/sessions?archived=true").data()).isEmpty();
    assertThat(store.list(SessionQuery.of("ann")).sessions()).hasSize(4);
    String row = String.valueOf(ann.get("/api/sessions").data().get(0).get("session_id"));
    ann.send("DELETE", "/api/sessions/" + row, "").is(200);
    assertThat(store.list(SessionQuery.of("ann")).sessions()).hasSize(2);
  }

  @Test
  void whatIsNoConversationIsRefusedByItsLine_andTheRestComesIn() {
    List<String> lines = new ArrayList<>();
    lines.add("{\"session_id\":\"a\",\"items\":[{\"role\":\"user\",\"content\":\"hi\"}]}");
    lines.add("{\"hello\":1}");
    lines.add("");
    lines.add("no JSON");
    lines.add("{\"session_id\":\"b\",\"items\":[{\"role\":\"user\",\"content\":\"hi\"}]}");
    lines.add("{\"session_id\":\"c\",\"items\":[" + "1".repeat(40 << 20) + "]}");
    Answer report = ann.post("/api/import", String.join("\n", lines)).is(200);
    assertThat(report.json())
        .containsEntry("imported", 2L)
        .containsEntry("refused", 3L)
        .containsEntry("session_id", "b");
    assertThat(Caller.objects(report.json().get("faults")))
        .extracting(fault -> fault.get("line"))
        .containsExactly(2L, 4L, 6L);
    assertThat(ann.post("/api/import", "").is(200).json()).containsEntry("imported", 0L);
  }

  @Test
  void aFileIsNamedLikeItsConversation() {
    store.session(key("s")).update(SessionUpdate.none().title("C# / größer?"));
    assertThat(
            ann.get("/api/sessions/s/export?format=md")
                .is(200)
                .response()
                .headers()
                .firstValue("content-disposition"))
        .hasValue(
            "attachment; filename=\"s.md\"; filename*=UTF-8''C%23%20%20%20gr%C3%B6%C3%9Fer.md");
  }

  @Test
  void aFileOfSomethingElseIsRefused() {
    for (String body : List.of("{\"hello\":1}", "[{\"a\":1}]", "{\"a\":1}\n{\"b\":2}")) {
      ann.post("/api/sessions/import", body).refused(400, "invalid_export");
    }
    assertThat(ann.get("/api/sessions").data()).isEmpty();
  }
}
