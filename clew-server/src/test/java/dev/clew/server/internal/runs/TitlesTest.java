package dev.clew.server.internal.runs;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.models.conversations.items.ItemCreateParams;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.ResponseCreateParams;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.agent.ModelRequest;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.internal.wire.ConversationIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every conversation gets a title, whichever program began it. */
class TitlesTest {
  private static final ScriptedModel MODEL = new ScriptedModel();
  private static final ScriptedModel WRITER = new ScriptedModel();
  private static SessionStore store;
  private static LiveServer plain;
  private static LiveServer writing;
  private static Caller ann;

  @BeforeAll
  static void start() {
    store = Stores.open("memory:");
    plain = new LiveServer(store, settings -> settings.model(MODEL, "m"));
    writing = new LiveServer(store, settings -> settings.model(WRITER, "m").modelTitles(true));
    ann = new Caller(plain, "ann");
  }

  @AfterAll
  static void stop() {
    plain.close();
    writing.close();
    store.close();
  }

  private static SessionKey fresh() {
    return new SessionKey("ann", UUID.randomUUID().toString());
  }

  private static String title(SessionKey key) {
    return store.session(key).info().map(SessionInfo::title).orElse("");
  }

  private static void eventually(SessionKey key, String title) {
    Eventually.ask("the title", () -> title(key), title::equals);
  }

  /** Looking at a session changes nothing in it. */
  private static void shownAs(SessionKey key, String title) {
    SessionInfo before = store.session(key).info().orElseThrow();
    assertThat(before.title()).isEmpty();
    Eventually.ask(
        "the title in the list",
        () ->
            ann.get("/api/sessions?limit=100").is(200).data().stream()
                .filter(session -> session.get("session_id").equals(key.id()))
                .map(session -> String.valueOf(session.get("title")))
                .findFirst()
                .orElse("(none)"),
        title::equals);
    assertThat(ann.get("/api/sessions/" + key.id()).is(200).text("title")).isEqualTo(title);
    assertThat(store.session(key).info()).contains(before);
  }

  @Test
  void aChatHasItsTitleAtOnce_andOneThatSomebodyGaveStays() {
    SessionKey key = fresh();
    ann.say(key.id(), "Where do swallows sleep? Tell me.").is(200);
    assertThat(title(key)).isEqualTo("Where do swallows sleep?");
    ann.send("PATCH", "/api/sessions/" + key.id(), "{\"title\":\"Birds\"}").is(200);
    ann.say(key.id(), "And how do they wake up?").is(200);
    assertThat(title(key)).isEqualTo("Birds");
  }

  @Test
  void aTitleThatNobodyChoseGoesWithTheHistory_andTheNextIsOfWhatIsSaidThen() {
    SessionKey key = fresh();
    ann.say(key.id(), "Where do ravens sleep?").is(200);
    ann.send("DELETE", "/api/chat/" + key.id(), "").is(200);
    assertThat(store.session(key).info().orElseThrow().title()).isEmpty();
    assertThat(ann.get("/api/sessions?limit=100").is(200).body()).doesNotContain("ravens");
    ann.say(key.id(), "Bread without salt").is(200);
    eventually(key, "Bread without salt");
    ann.post("/api/sessions/" + key.id() + "/undo", "").is(200);
    assertThat(title(key)).isEmpty();
  }

  @Test
  void aTitleThatNobodyChoseIsNotLeftInAFileEither(@TempDir Path folder) throws IOException {
    try (SessionStore files = Stores.open("jsonl:" + folder);
        LiveServer live = new LiveServer(files)) {
      Caller caller = new Caller(live, "ann");
      caller.say("s", "Where do ravens sleep?").is(200);
      caller.send("DELETE", "/api/chat/s", "").is(200);
      Path file = folder.resolve("@ann").resolve("s.jsonl");
      assertThat(Files.readString(file)).doesNotContain("ravens");
    }
  }

  @Test
  void oneThatWasTakenOverByABranchOrWrittenByAModelGoesToo() {
    SessionKey key = fresh();
    Caller other = new Caller(writing, "ann");
    WRITER.says("They sleep.").says("Sleeping birds");
    other.say(key.id(), "Where do swallows sleep? Tell me.").is(200);
    eventually(key, "Sleeping birds");
    long first = store.session(key).entries(Range.first(1)).entries().get(0).position();
    SessionKey branch =
        new SessionKey(
            "ann",
            ann.post("/api/sessions/" + key.id() + "/branches", "{\"at\":" + (first + 1) + "}")
                .is(200)
                .text("session_id"));
    assertThat(title(branch)).isEqualTo("Sleeping birds");
    for (SessionKey cleared : List.of(key, branch)) {
      ann.send("DELETE", "/api/chat/" + cleared.id(), "").is(200);
      assertThat(title(cleared)).isEmpty();
    }
  }

  @Test
  void aTitleThatSomebodyChoseStaysWhenTheHistoryGoes() {
    SessionKey key = fresh();
    ann.say(key.id(), "Where do swallows sleep?").is(200);
    String title = "{\"title\":\"Where do swallows sleep?\"}"; // the same, but chosen
    ann.send("PATCH", "/api/sessions/" + key.id(), title).is(200);
    ann.send("DELETE", "/api/chat/" + key.id(), "").is(200);
    assertThat(title(key)).isEqualTo("Where do swallows sleep?");
    SessionKey named = fresh();
    ann.say(named.id(), "Salt").is(200);
    store.session(named).update(SessionUpdate.none().title("Spices")); // by another program
    ann.post("/api/sessions/" + named.id() + "/undo", "").is(200);
    assertThat(title(named)).isEqualTo("Spices");
  }

  @Test
  void aTitleGoesWithTheMessageItWasMadeOf_andWhatIsLeftNamesTheConversation() {
    String id =
        ann.post(
                "/v1/conversations",
                "{\"items\":[{\"role\":\"user\",\"content\":\"Jackdaws\"},"
                    + "{\"role\":\"user\",\"content\":\"Martins\"}]}")
            .is(200)
            .text("id");
    SessionKey key = ConversationIds.toKey("ann", id);
    assertThat(title(key)).isEqualTo("Jackdaws");
    String path = "/v1/conversations/" + id + "/items";
    for (String left : List.of("Martins", "")) {
      String item = (String) ann.get(path + "?order=asc").data().get(0).get("id");
      ann.send("DELETE", path + "/" + item, "").is(200);
      assertThat(ann.get("/api/sessions?limit=100").is(200).body()).doesNotContain("Jackdaws");
      eventually(key, left);
    }
  }

  @Test
  @Timeout(60) // far more than it needs; by a regular expression that tries again it takes for ever
  void aModelThatWritesNothingButMarksIsReadAtOnce() {
    SessionKey key = fresh();
    WRITER.says("Yes.").says("**“x" + "\"".repeat(1_000_000) + "x”**");
    new Caller(writing, "ann").say(key.id(), "Is that all?").is(200);
    Eventually.ask("the title", () -> title(key), title -> title.startsWith("x\"\"\""));
  }

  @Test
  void soHasAResponse_alsoOneThatFollowsAnother() {
    String first =
        ann.post("/v1/responses", "{\"model\":\"m\",\"input\":\"A walk in the hills\"}")
            .is(200)
            .text("id");
    assertThat(ann.get("/api/sessions?limit=100").is(200).data())
        .anyMatch(
            session ->
                session.get("session_id").equals(first)
                    && session.get("title").equals("A walk in the hills"));
    String follow =
        "{\"model\":\"m\",\"input\":\"and then\",\"previous_response_id\":\"" + first + "\"}";
    ann.post("/v1/responses", follow).is(200);
    String branched = ann.post("/v1/responses", follow).is(200).text("id");
    for (String id : List.of(first, branched)) {
      shownAs(new SessionKey("ann", id), "A walk in the hills");
    }
  }

  @Test
  void soHasAConversationOfTheSdk_whetherItBeginsWithItemsOrWithAResponse() {
    OpenAIClient client = plain.openAi("ann");
    String withItems = client.conversations().create().id();
    client
        .conversations()
        .items()
        .create(
            withItems,
            ItemCreateParams.builder()
                .addItem(
                    EasyInputMessage.builder()
                        .role(EasyInputMessage.Role.USER)
                        .content("Bread without salt")
                        .build())
                .build());
    eventually(ConversationIds.toKey("ann", withItems), "Bread without salt");
    String answered = client.conversations().create().id();
    client
        .responses()
        .create(
            ResponseCreateParams.builder()
                .model("m")
                .conversation(answered)
                .input("Salt without bread")
                .build());
    eventually(ConversationIds.toKey("ann", answered), "Salt without bread");
    String whole =
        ann.post("/v1/conversations", "{\"items\":[{\"role\":\"user\",\"content\":\"At once\"}]}")
            .is(200)
            .text("id");
    assertThat(title(ConversationIds.toKey("ann", whole))).isEqualTo("At once");
  }

  @Test
  void soHasWhatAProgramWroteToTheStore_whenSomebodyLooksAtTheList() {
    SessionKey key = fresh();
    store.session(key).addItems(List.of(Item.user("Written elsewhere"), Item.assistant("Yes.")));
    SessionKey silent = fresh();
    store.session(silent).addItems(List.of(Item.assistant("Nobody asked")));
    shownAs(key, "Written elsewhere");
    shownAs(silent, "");
  }

  @Test
  void aModelWritesIt_fromTheFirstExchange_unlessSomebodyWasFaster() {
    Caller caller = new Caller(writing, "ann");
    SessionKey key = fresh();
    WRITER.thenText("Under roofs.").thenText("“Sleeping swallows”\n");
    caller.say(key.id(), "Where do swallows sleep?").is(200);
    eventually(key, "Sleeping swallows");
    ModelRequest asked = WRITER.lastRequest();
    assertThat(asked.tools()).isEmpty();
    assertThat(((View.Message) asked.input().get(0).view()).text())
        .isEqualTo(
            "<conversation>\nuser: Where do swallows sleep?\nassistant: Under roofs.\n"
                + "</conversation>");
    int requests = WRITER.requests().size();
    caller.say(key.id(), "Thank you").is(200);
    assertThat(WRITER.requests()).hasSize(requests + 1);

    SessionKey other = fresh();
    ScriptedModel.Held held = WRITER.thenText("Ok.").thenHold("A title", " of the model");
    caller.say(other.id(), "Something else").is(200);
    Eventually.open("the model is asked for a title", held.begun);
    store.session(other).update(SessionUpdate.none().title("Mine"));
    held.release();
    SessionKey next = fresh(); // behind which the one before is over
    WRITER.thenText("Ok.").thenText("The next");
    caller.say(next.id(), "Go on").is(200);
    eventually(next, "The next");
    assertThat(title(other)).isEqualTo("Mine");
  }

  @Test
  void aModelThatFailsLeavesTheFirstTitle() {
    Caller caller = new Caller(writing, "ann");
    SessionKey key = fresh();
    WRITER.thenText("Ok.").thenFail(new ClewException.ModelFailed("no power", null, false));
    int before = WRITER.requests().size();
    caller.say(key.id(), "Is anybody there").is(200);
    Eventually.ask(
        "the model was asked", () -> WRITER.requests().size(), size -> size == before + 2);
    assertThat(title(key)).isEqualTo("Is anybody there");
  }
}
