package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Temporary conversations, which nobody finds and which end by themselves. */
class TemporaryTest {
  private static final String TEMPORARY = ",\"temporary\":true";

  private volatile Instant now = Instant.now();
  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };
  private SessionStore store;
  private LiveServer live;
  private Caller ann;

  @BeforeEach
  void start() {
    store = MemoryStore.builder().clock(clock).build();
    live = new LiveServer(store, settings -> settings.model(new ScriptedModel(), "m").clock(clock));
    ann = new Caller(live, "ann");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private void say(String session, String message, String more) {
    String body = Caller.message(session, message);
    ann.post("/api/chat", body.substring(0, body.length() - 1) + more + "}").is(200);
  }

  private List<Object> ids(String path, String name) {
    return ann.get(path).is(200).data().stream().map(row -> row.get(name)).toList();
  }

  @Test
  void noListShowsIt_noSearchFindsIt_andItIsGoneAfterADay() {
    say("kept", "swallows in spring", "");
    say("secret", "swallows in autumn", TEMPORARY);
    say("secret", "and in winter", "");
    assertThat(ids("/api/sessions", "session_id")).containsExactly("kept");
    assertThat(ids("/api/sessions?archived=false", "session_id")).containsExactly("kept");
    assertThat(ids("/v1/conversations", "id")).containsExactly("kept");
    assertThat(ids("/api/sessions?temporary=true", "session_id")).containsExactly("secret");
    Eventually.ask(
        "the index", () -> ids("/api/search?q=spring", "session_id"), hits -> !hits.isEmpty());
    assertThat(ids("/api/search?q=swallows", "session_id")).containsOnly("kept");
    assertThat(ids("/api/search?q=autumn&session_id=secret", "session_id")).isNotEmpty();
    assertThat(ann.get("/api/export").is(200).body()).contains("spring").doesNotContain("autumn");
    Map<String, Object> session = ann.get("/api/sessions/secret").is(200).json();
    assertThat(session).containsEntry("temporary", true).containsEntry("ttl_seconds", 86_400L);
    assertThat((List<?>) session.get("tags")).isEmpty();

    now = now.plus(Duration.ofHours(25));
    ann.get("/api/sessions/secret").refused(404, "session_not_found");
    assertThat(ids("/api/sessions?temporary=true", "session_id")).isEmpty();
    assertThat(ids("/api/search?q=autumn", "session_id")).isEmpty();
    assertThat(ids("/api/sessions", "session_id")).containsExactly("kept");
  }

  @Test
  void anAnswerOfAnotherBranchIsTemporaryToo() {
    say("secret", "swallows", TEMPORARY);
    Object last = ann.get("/api/sessions/secret/items").is(200).data().get(1).get("position");
    String branch =
        ann.post("/api/sessions/secret/branches", "{\"at\":" + last + "}")
            .is(200)
            .text("session_id");
    assertThat(ann.get("/api/sessions/" + branch).is(200).json()).containsEntry("temporary", true);
    assertThat(ids("/api/sessions", "session_id")).isEmpty();
    ann.send("DELETE", "/api/sessions/" + branch, "").is(200);
    ann.get("/api/sessions/secret").refused(404, "session_not_found");
  }

  @Test
  void itCanBeKept() {
    say("secret", "swallows", TEMPORARY);
    ann.send("PATCH", "/api/sessions/secret", "{\"temporary\":false}").is(200);
    assertThat(ids("/api/sessions", "session_id")).containsExactly("secret");
    assertThat(ann.get("/api/sessions/secret").is(200).json())
        .doesNotContainKey("temporary")
        .containsEntry("ttl_seconds", null);
    now = now.plus(Duration.ofDays(30));
    ann.get("/api/sessions/secret").is(200);
  }

  @Test
  void aMessageDoesNotKeepIt() {
    say("secret", "swallows", TEMPORARY);
    say("secret", "and swifts", ",\"temporary\":false");
    assertThat(ids("/api/sessions", "session_id")).isEmpty();
    assertThat(ann.get("/api/sessions/secret").is(200).json())
        .containsEntry("temporary", true)
        .containsEntry("ttl_seconds", 86_400L);
    say("usual", "swallows", ",\"temporary\":false");
    assertThat(ids("/api/sessions", "session_id")).containsExactly("usual");
  }

  @Test
  void whatLastsIsNeverMadeTemporary() {
    say("kept", "swallows", "");
    ann.post("/api/chat", "{\"message\":\"hi\",\"session_id\":\"kept\",\"temporary\":true}")
        .refused(400, "invalid_value");
    ann.send("PATCH", "/api/sessions/kept", "{\"temporary\":true}").refused(400, "invalid_value");
    assertThat(ann.get("/api/sessions/kept/items").is(200).data()).hasSize(2);
    say("secret", "swallows", TEMPORARY);
    ann.send("PATCH", "/api/sessions/secret", "{\"ttl_seconds\":null}").is(200);
    assertThat(ids("/api/sessions", "session_id"))
        .as("what does not end is listed")
        .contains("secret");
  }

  @Test
  void aCopyOfItStays() {
    say("secret", "swallows", TEMPORARY);
    String copy = ann.post("/api/sessions/secret/fork", "").is(200).text("session_id");
    assertThat(ids("/api/sessions", "session_id")).containsExactly(copy);
    now = now.plus(Duration.ofDays(30));
    assertThat(ids("/api/sessions", "session_id")).containsExactly(copy);
  }
}
