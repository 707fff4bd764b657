package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agent.Model;
import dev.clew.agent.ModelResponse;
import dev.clew.json.Json;
import dev.clew.server.Caller.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one API of the server leaves behind is understood by the other. */
class AcrossApisTest {
  private final ScriptedModel model = new ScriptedModel();
  private SessionStore store;
  private LiveServer live;
  private Caller ann;

  @BeforeEach
  void start() {
    store = Stores.open("memory:");
    live = new LiveServer(store, settings -> settings.model(model, "tiny"));
    ann = new Caller(live, "ann");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private Map<String, Object> used() {
    return Caller.object(ann.get("/api/usage").is(200).json().get("total"));
  }

  @Test
  void whatResponsesUseIsInTheUsageOfTheirOwner() {
    ann.post("/v1/responses", "{\"model\":\"tiny\",\"input\":\"hello\"}").is(200);
    ann.post("/v1/responses", "{\"model\":\"tiny\",\"input\":\"again\",\"store\":false}").is(200);
    Map<String, Object> total =
        Eventually.ask("both turns", this::used, used -> used.get("turns").equals(2L));
    assertThat(total)
        .containsEntry("requests", 2L)
        .containsEntry("input_tokens", 60L)
        .containsEntry("cached_tokens", 20L)
        .containsEntry("output_tokens", 16L)
        .containsEntry("reasoning_tokens", 4L);
    Answer others = new Caller(live, "bob").get("/api/usage").is(200);
    assertThat(Caller.object(others.json().get("total"))).containsEntry("turns", 0L);
  }

  @Test
  void theirTokensAreInItsInsight() {
    String conversation = ann.post("/v1/conversations", "{}").is(200).text("id");
    String body = "{\"model\":\"tiny\",\"input\":\"hello\",\"stream\":%s,\"conversation\":\"%s\"}";
    ann.post("/v1/responses", body.formatted(false, conversation)).is(200);
    ann.stream("POST", "/v1/responses", body.formatted(true, conversation)).rest();
    ann.post("/v1/responses", "{\"model\":\"tiny\",\"input\":\"alone\"}").is(200);
    assertThat(ann.get("/api/sessions/" + conversation + "/insight").is(200).json())
        .containsEntry("turns", 2L)
        .containsEntry("input_tokens", 60L)
        .containsEntry("output_tokens", 16L);
    assertThat(ann.get("/api/insight").is(200).data().get(0))
        .containsEntry("messages", 6L)
        .containsEntry("input_tokens", 90L)
        .containsEntry("output_tokens", 24L);
  }

  @Test
  void anAnswerOfAModelThatTellsNoTokensIsATurnToo() {
    Model silent = request -> ModelResponse.of(Item.assistant("well"));
    try (LiveServer other = new LiveServer(store, settings -> settings.model(silent, "silent"))) {
      ann = new Caller(other, "ann");
      ann.post("/v1/responses", "{\"model\":\"silent\",\"input\":\"hello\"}").is(200);
      Map<String, Object> total =
          Eventually.ask("the turn", this::used, used -> used.get("turns").equals(1L));
      assertThat(total).containsEntry("input_tokens", 0L);
    }
  }

  @Test
  void theTokensOfAResponseStandBesideItsItems() {
    String id = ann.post("/v1/conversations", "{}").is(200).text("id");
    String request = "{\"model\":\"tiny\",\"input\":\"hello\",\"conversation\":\"" + id + "\"}";
    ann.post("/v1/responses", request).is(200);
    Answer items = ann.get("/api/sessions/" + Caller.enc(id) + "/items").is(200);
    List<?> entries = (List<?>) items.json().get("data");
    assertThat(Caller.object(entries.get(0))).doesNotContainKey("notes");
    assertThat(Caller.object(Caller.object(entries.get(1)).get("notes")))
        .containsEntry("input_tokens", 30L)
        .containsEntry("output_tokens", 8L);
  }

  @Test
  void nothingIsKeptOfAConversationThatIsDeleted() {
    ann.say("other", "stays").is(200);
    List<String> before = documents();
    String id = ann.post("/v1/conversations", "{}").is(200).text("id");
    ann.say(id, "hello").is(200);
    ann.post("/api/sessions/" + Caller.enc(id) + "/shares", "").is(200);
    assertThat(documents()).hasSizeGreaterThan(before.size());
    ann.send("DELETE", "/v1/conversations/" + id, "").is(200);
    assertThat(documents()).isEqualTo(before);
  }

  private List<String> documents() {
    return store.documents().list("ann", "", Optional.empty(), 1000).stream()
        .map(record -> record.name())
        .filter(name -> !name.startsWith("usage/"))
        .toList();
  }

  @Test
  void whatManyUseAtOnceIsCountedWhole() {
    List<CompletableFuture<Answer>> all =
        IntStream.range(0, 40)
            .mapToObj(
                i -> ann.sendAsync("POST", "/v1/responses", "{\"model\":\"tiny\",\"input\":\"n\"}"))
            .toList();
    all.forEach(answer -> Caller.join(answer).is(200));
    Map<String, Object> total =
        Eventually.ask("all turns", this::used, used -> used.get("turns").equals(40L));
    assertThat(total).containsEntry("input_tokens", 1200L).containsEntry("output_tokens", 320L);
  }

  @Test
  void whatACompactionUsesIsInTheUsageOfItsOwner_butIsNoTurn() {
    ann.post("/v1/responses/compact", "{\"model\":\"tiny\",\"input\":\"my cat is Tom\"}").is(200);
    assertThat(used()).containsEntry("turns", 0L).containsEntry("input_tokens", 30L);
  }

  /** A conversation that the Responses API has compacted, as a session of the chat. */
  private String compactedSession() {
    model.thenText("THE CAT IS TOM");
    Answer compacted =
        ann.post("/v1/responses/compact", "{\"model\":\"tiny\",\"input\":\"my cat is Tom\"}")
            .is(200);
    List<String> output = Json.elements(Json.fields(compacted.body()).get("output"));
    String sealed = output.get(output.size() - 1);
    assertThat(sealed).contains("\"type\":\"compaction\"").doesNotContain("TOM");
    store.session(new SessionKey("ann", "s")).addItems(List.of(Item.stored(sealed)));
    return "s";
  }

  @Test
  void theChatReadsWhatTheResponsesApiHasSealed() {
    String session = compactedSession();
    ann.say(session, "what is it called?").is(200);
    assertThat(model.lastRequest().input().toString())
        .contains("THE CAT IS TOM", "what is it called?")
        .doesNotContain("clew1.");
    ann.post("/api/sessions/s/compact", "").is(200);
    assertThat(model.lastRequest().input().toString())
        .contains("THE CAT IS TOM")
        .doesNotContain("clew1.");
  }

  @Test
  void theChatRefusesWhatWasSealedForSomebodyElse_andLeavesAnotherProvidersToTheModel() {
    compactedSession();
    Item sealed = store.session(new SessionKey("ann", "s")).getItems().get(0);
    store.session(new SessionKey("bob", "s")).addItems(List.of(sealed));
    Caller bob = new Caller(live, "bob");
    bob.say("s", "what is it called?").refused(400, "invalid_item");

    String theirs = "{\"type\":\"compaction\",\"encrypted_content\":\"gAAAA\"}";
    store.session(new SessionKey("bob", "t")).addItems(List.of(Item.stored(theirs)));
    bob.say("t", "go on").is(200);
    assertThat(model.lastRequest().input().toString()).contains("gAAAA");
  }
}
