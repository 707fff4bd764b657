package dev.clew.server.internal.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.ChatSettings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Projects and prompts of an owner. */
class LibraryTest {
  private final ScriptedModel big = new ScriptedModel();
  private final ScriptedModel small = new ScriptedModel();
  private SessionStore store;
  private LiveServer live;
  private Caller ann;
  private Caller bob;

  @BeforeEach
  void start() {
    store = Stores.open("memory:");
    Agent agent = Agent.builder().name("Assistant").instructions("Be kind.").build();
    live =
        new LiveServer(
            store,
            settings ->
                settings
                    .model(big, "big")
                    .andModel(small, "small")
                    .chat(ChatSettings.DEFAULT.agent(agent)));
    ann = new Caller(live, "ann");
    bob = new Caller(live, "bob");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private String project(String fields) {
    return ann.post("/api/projects", fields).is(200).text("project_id");
  }

  private void say(String session, String more) {
    ann.post("/api/chat", "{\"message\":\"hi\",\"session_id\":\"" + session + "\"" + more + "}")
        .is(200);
  }

  private List<String> listed(Caller who, String where) {
    return who.get("/api/sessions?" + where).is(200).data().stream()
        .map(row -> String.valueOf(row.get("session_id")))
        .sorted()
        .toList();
  }

  @Test
  void aProjectTellsItsConversationsWhoAnswersAndHow() {
    String id = project("{\"name\":\"Kyoto\",\"instructions\":\"We travel.\",\"model\":\"small\"}");
    say("s", ",\"project\":\"" + id + "\",\"instructions\":\"In verse.\"");
    assertThat(small.lastRequest().instructions()).isEqualTo("Be kind.\n\nWe travel.\n\nIn verse.");

    ann.send("PATCH", "/api/projects/" + id, "{\"instructions\":\"We stay.\",\"model\":\"\"}")
        .is(200);
    say("s", "");
    assertThat(big.lastRequest().instructions()).isEqualTo("Be kind.\n\nWe stay.\n\nIn verse.");

    say("s", ",\"model\":\"small\"");
    ann.send("PATCH", "/api/projects/" + id, "{\"model\":\"big\"}").is(200);
    say("s", "");
    assertThat(small.requests()).as("its own choice comes first").hasSize(3);
    Map<String, Object> session = ann.get("/api/sessions/s").is(200).json();
    assertThat(session).containsEntry("project", id).containsEntry("instructions", "In verse.");
    assertThat((List<?>) session.get("tags")).isEmpty();
  }

  @Test
  void whatIsToldInAllConversations_comesBeforeWhatTheirProjectAndTheyAreTold() {
    ann.send("PATCH", "/api/preferences", "{\"instructions\":\" In English. \"}").is(200);
    String id = project("{\"name\":\"Kyoto\",\"instructions\":\"We travel.\"}");
    say("s", ",\"project\":\"" + id + "\",\"instructions\":\"In verse.\"");
    assertThat(big.lastRequest().instructions())
        .isEqualTo("Be kind.\n\nIn English.\n\nWe travel.\n\nIn verse.");
    assertThat(bob.get("/api/preferences").is(200).text("instructions")).isEmpty();
    bob.post("/api/import", ann.get("/api/export").is(200).body()).is(200);
    assertThat(bob.get("/api/preferences").is(200).text("instructions")).isEqualTo("In English.");

    ann.send("PATCH", "/api/preferences", "{\"instructions\":null}").is(200);
    say("t", "");
    assertThat(big.lastRequest().instructions()).isEqualTo("Be kind.");
    String tooLong = "{\"instructions\":\"" + "i".repeat(20_001) + "\"}";
    ann.send("PATCH", "/api/preferences", tooLong).refused(400, "string_above_max_length");
  }

  @Test
  void aConversationRemembersTheSettingsOfItsModel() {
    say("s", ",\"model_settings\":{\"temperature\":0.5,\"reasoning_effort\":\"low\"}");
    say("s", "");
    assertThat(big.lastRequest().settings().fields())
        .containsEntry("temperature", 0.5)
        .containsEntry("reasoning", Map.of("effort", "low"))
        .doesNotContainKey("max_output_tokens");
    assertThat(Caller.object(ann.get("/api/sessions/s").is(200).json().get("model_settings")))
        .containsOnlyKeys("temperature", "reasoning_effort");
    ann.send("PATCH", "/api/sessions/s", "{\"model_settings\":{\"max_output_tokens\":7}}").is(200);
    say("s", "");
    assertThat(big.lastRequest().settings().fields())
        .containsEntry("max_output_tokens", 7L)
        .doesNotContainKeys("temperature", "reasoning");
    ann.send("PATCH", "/api/sessions/s", "{\"model_settings\":null}").is(200);
    assertThat(ann.get("/api/sessions/s").is(200).json()).doesNotContainKey("model_settings");
    for (String wrong :
        List.of(
            "{\"temperature\":3}", "{\"reasoning_effort\":\"x\"}", "{\"max_output_tokens\":0}")) {
      assertThat(
              ann.send("PATCH", "/api/sessions/s", "{\"model_settings\":" + wrong + "}").status())
          .isEqualTo(400);
    }
  }

  @Test
  void aConversationIsInOneProject_moves_andStaysWhenTheProjectIsDeleted() {
    String one = project("{\"name\":\"One\"}");
    String two = project("{\"name\":\"Two\"}");
    say("a", ",\"project\":\"" + one + "\"");
    say("b", ",\"project\":\"" + one + "\"");
    say("c", "");
    assertThat(listed(ann, "project=" + one)).containsExactly("a", "b");

    ann.send("PATCH", "/api/sessions/a", "{\"project\":\"" + two + "\",\"tags\":[\"x\"]}").is(200);
    ann.send("PATCH", "/api/sessions/a", "{\"tags\":[\"y\"]}").is(200);
    assertThat(listed(ann, "project=" + one)).containsExactly("b");
    assertThat(listed(ann, "project=" + two)).containsExactly("a");
    assertThat(listed(ann, "tag=y")).containsExactly("a");
    ann.get("/api/sessions?tag=y&project=" + two).refused(400, "invalid_value");

    ann.send("PATCH", "/api/sessions/b", "{\"project\":null}").is(200);
    assertThat(ann.get("/api/sessions/b").is(200).json()).doesNotContainKey("project");
    ann.send("DELETE", "/api/projects/" + two, "").is(200);
    assertThat(listed(ann, "limit=100")).containsExactly("a", "b", "c");
    assertThat(ann.get("/api/sessions/a").is(200).json())
        .doesNotContainKey("project")
        .containsEntry("tags", List.of("y"));
    ann.send("DELETE", "/api/projects/" + two, "").refused(404, "project_not_found");
    ann.send("PATCH", "/api/sessions/b", "{\"project\":\"" + two + "\"}")
        .refused(400, "project_not_found");
  }

  @Test
  void branchesAndCopiesStayInTheProject() {
    String id = project("{\"name\":\"One\"}");
    say("a", ",\"project\":\"" + id + "\"");
    Object last = ann.get("/api/sessions/a/items").is(200).data().get(1).get("position");
    String branch =
        ann.post("/api/sessions/a/branches", "{\"at\":" + last + "}").is(200).text("session_id");
    String copy = ann.post("/api/sessions/a/fork", "").is(200).text("session_id");
    assertThat(listed(ann, "project=" + id)).containsExactlyInAnyOrder(branch, copy);

    ann.send("PATCH", "/api/sessions/" + branch, "{\"project\":null}").is(200);
    assertThat(ann.get("/api/sessions/a").is(200).json()).doesNotContainKey("project");
    assertThat(listed(ann, "project=" + id)).containsExactly(copy);
  }

  @Test
  void anotherOwnersProjectsAndPromptsDoNotExist() {
    String project = project("{\"name\":\"Secret\"}");
    String prompt =
        ann.post("/api/prompts", "{\"name\":\"n\",\"text\":\"t\"}").is(200).text("prompt_id");
    assertThat(bob.get("/api/projects").is(200).data()).isEmpty();
    assertThat(bob.get("/api/prompts").is(200).data()).isEmpty();
    bob.send("PATCH", "/api/projects/" + project, "{\"name\":\"mine\"}")
        .refused(404, "project_not_found");
    bob.send("DELETE", "/api/prompts/" + prompt, "").refused(404, "prompt_not_found");
    bob.post("/api/chat", "{\"message\":\"hi\",\"project\":\"" + project + "\"}")
        .refused(400, "project_not_found");
    assertThat(bob.get("/api/sessions").is(200).data()).isEmpty();
  }

  @Test
  void promptsAreChangedAndDeleted_inOrderOfTheirNames() {
    String id =
        ann.post("/api/prompts", "{\"name\":\"translate\",\"text\":\"Into {language}:\"}")
            .is(200)
            .text("prompt_id");
    ann.post("/api/prompts", "{\"name\":\"explain\",\"text\":\"Explain {it}.\"}").is(200);
    ann.send("PATCH", "/api/prompts/" + id, "{\"text\":\"To {language}:\"}").is(200);
    assertThat(ann.get("/api/prompts").is(200).data())
        .extracting(prompt -> prompt.get("name"), prompt -> prompt.get("text"))
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("explain", "Explain {it}."),
            org.assertj.core.groups.Tuple.tuple("translate", "To {language}:"));
    ann.send("DELETE", "/api/prompts/" + id, "").is(200);
    assertThat(ann.get("/api/prompts").is(200).data()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          projects | {}                                    | missing_required_parameter
          projects | {"name":" "}                          | invalid_value
          projects | {"name":"a\\nb"}                      | invalid_value
          projects | {"name":7}                            | invalid_type
          projects | {"name":"a","model":"nobody"}         | model_not_found
          prompts  | {"name":"a"}                          | missing_required_parameter
          prompts  | {"name":"a","text":" "}               | missing_required_parameter
          prompts  | {"text":"a"}                          | missing_required_parameter
          """)
  void whatIsNoneIsRefused(String kind, String body, String code) {
    ann.post("/api/" + kind, body).refused(400, code);
    assertThat(ann.get("/api/" + kind).is(200).data()).isEmpty();
  }

  @Test
  void namesAndTextsHaveALimit_andSoHasTheLibrary() {
    ann.post("/api/prompts", "{\"name\":\"" + "n".repeat(201) + "\",\"text\":\"t\"}")
        .refused(400, "string_above_max_length");
    ann.post("/api/projects", "{\"name\":\"n\",\"instructions\":\"" + "i".repeat(20_001) + "\"}")
        .refused(400, "string_above_max_length");
    String long1 = "{\"name\":\"n\",\"text\":\"" + "t".repeat(20_000) + "\"}";
    for (int i = 0; i < 52; i++) {
      ann.post("/api/prompts", long1).is(200);
    }
    ann.post("/api/prompts", long1).refused(400, "too_many_prompts");
    for (int i = 0; i < 200; i++) {
      project("{\"name\":\"n\"}");
    }
    ann.post("/api/projects", "{\"name\":\"n\"}").refused(400, "too_many_projects");
  }

  @Test
  void whatManyMakeAtOnceIsAllThere() {
    List<CompletableFuture<Answer>> all =
        IntStream.range(0, 20)
            .mapToObj(i -> ann.sendAsync("POST", "/api/projects", "{\"name\":\"p" + i + "\"}"))
            .toList();
    all.forEach(answer -> Caller.join(answer).is(200));
    assertThat(ann.get("/api/projects").is(200).data()).hasSize(20);
  }

  @Test
  void theyGoOutWithTheOwnersExport_andComeInWithIt() {
    String id = project("{\"name\":\"Kyoto\",\"instructions\":\"We travel.\",\"model\":\"small\"}");
    ann.post("/api/prompts", "{\"name\":\"n\",\"text\":\"t\"}").is(200);
    say("s", ",\"project\":\"" + id + "\"");
    String file = ann.get("/api/export").is(200).body();
    assertThat(file.lines()).hasSize(3);

    for (int times = 0; times < 2; times++) {
      Answer report = bob.post("/api/import", file).is(200);
      assertThat(report.json()).containsEntry("imported", 1L).containsEntry("refused", 0L);
    }
    Map<String, Object> project = bob.get("/api/projects").is(200).data().get(0);
    assertThat(project).containsEntry("instructions", "We travel.").containsEntry("model", "small");
    assertThat(bob.get("/api/prompts").is(200).data()).hasSize(1);
    assertThat(listed(bob, "project=" + project.get("project_id"))).contains("s").hasSize(2);
    Answer bad = bob.post("/api/import", "{\"prompt\":{\"id\":\"../x\",\"name\":\"n\"}}").is(200);
    assertThat(bad.json()).containsEntry("refused", 1L);
  }

  @Test
  void nothingOfThemIsLeftWhenTheOwnerIsErased() {
    project("{\"name\":\"Kyoto\"}");
    ann.post("/api/prompts", "{\"name\":\"n\",\"text\":\"t\"}").is(200);
    assertThat(names()).containsExactly("projects", "prompts");
    store.erase("ann");
    assertThat(names()).isEmpty();
  }

  private List<String> names() {
    return store.documents().list("ann", "", Optional.empty(), 100).stream()
        .map(document -> document.name())
        .toList();
  }

  @Test
  void theTagsOfAllConversationsAreListed() {
    say("a", "");
    say("b", ",\"temporary\":true");
    say("c", ",\"project\":\"" + project("{\"name\":\"One\"}") + "\"");
    for (String id : List.of("a", "b", "c")) {
      ann.send("PATCH", "/api/sessions/" + id, "{\"tags\":[\"x\",\"only " + id + "\"]}").is(200);
    }
    Map<String, Object> tags = ann.get("/api/tags").is(200).json();
    assertThat(Caller.objects(tags.get("data")))
        .containsExactly(
            Map.of("tag", "only a", "sessions", 1L),
            Map.of("tag", "only c", "sessions", 1L),
            Map.of("tag", "x", "sessions", 2L));
    assertThat(tags).containsEntry("partial", false);
    assertThat(Objects.requireNonNull(Json.write(bob.get("/api/tags").json().get("data"))))
        .isEqualTo("[]");
  }
}
