package dev.clew.server.internal.completions;

import static dev.clew.server.internal.completions.ChatClient.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions of clients that send their whole history and name no session, or name one. */
class RecognitionTest {
  @TempDir Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private SessionStore store;
  private LiveServer live;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("c.db"));
    live = new LiveServer(store, settings -> settings.model(model, "script"));
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private ChatClient ann() {
    return new ChatClient(live, "ann");
  }

  private List<SessionInfo> sessions() {
    List<SessionInfo> all = new ArrayList<>();
    SessionQuery query = SessionQuery.of("ann").order(SessionQuery.Order.CREATED);
    query.walk(store::list).forEach(all::add);
    Collections.reverse(all); // the oldest first
    return all;
  }

  private SessionKey only() {
    assertThat(sessions()).hasSize(1);
    return sessions().get(0).key();
  }

  private List<String> said(SessionKey key) {
    return store.session(key).entries(Range.first(1000)).entries().stream()
        .map(entry -> said(entry.item()))
        .toList();
  }

  private static String said(Item item) {
    if (item.view() instanceof View.Message message) {
      return message.role().wire() + ": " + message.text();
    }
    if (item.view() instanceof View.FunctionCall call) {
      return call.callId() + ": " + call.name() + call.arguments();
    }
    return item.view() instanceof View.FunctionCallOutput output
        ? output.callId() + " gave " + output.text()
        : item.type();
  }

  private List<SessionInfo> visible() {
    return sessions().stream().filter(info -> !info.archived()).toList();
  }

  private List<List<String>> places(SessionKey key) {
    String body = ann().call("GET", "/api/sessions/" + key.id() + "/branches", "").body();
    return Json.elements(Json.fields(body).get("data")).stream()
        .map(place -> Json.elements(Json.fields(place).get("session_ids")))
        .map(ids -> ids.stream().map(Json::string).toList())
        .toList();
  }

  @Test
  void aConversationIsOneSession_andTheModelGetsWhatTheClientSent() {
    ChatClient ann = ann();
    assertThat(ann.say("one")).isEqualTo("echo one");
    ann.say("two");
    ann.say("three");

    assertThat(said(only()))
        .containsExactly(
            "user: one",
            "assistant: echo one",
            "user: two",
            "assistant: echo two",
            "user: three",
            "assistant: echo three");
    assertThat(model.lastShown()).containsExactly("one", "echo one", "two", "echo two", "three");
  }

  @Test
  void theSameFirstMessage_beginsAnotherSession() {
    ann().say("hi");
    ann().say("hi");

    assertThat(sessions()).hasSize(2);
  }

  @Test
  void chatsThatBeginTheSame_areOneSessionEach_andDeletedAlone() {
    ChatClient first = ann();
    first.say("good morning");
    ChatClient second = ann();
    second.say("good morning");
    first.say("my dog");
    String tax = sessionOf(second.has("user", "my tax"));

    assertThat(visible()).hasSize(2);
    assertThat(said(new SessionKey("ann", tax))).hasSize(4).endsWith("assistant: echo my tax");
    ann().call("DELETE", "/v1/conversations/" + tax, "");
    assertThat(said(only())).hasSize(4).endsWith("user: my dog", "assistant: echo my dog");
  }

  @Test
  void aChangeInOneOfTwoChatsThatBeganTheSame_isASessionOfItsOwn() {
    ChatClient first = ann();
    first.say("good morning");
    ChatClient second = ann();
    second.say("good morning");
    first.say("my dog");
    second.say("my tax");
    String cat = sessionOf(first.backTo(2).has("user", "my cat"));

    assertThat(visible()).hasSize(3);
    assertThat(said(new SessionKey("ann", cat)))
        .containsExactly(
            "user: good morning",
            "assistant: echo good morning",
            "user: my cat",
            "assistant: echo my cat");
    ann().call("DELETE", "/v1/conversations/" + cat, "");
    assertThat(sessions()).hasSize(2);
  }

  @Test
  void aRegenerationInOneOfTwoChatsThatBeganTheSame_isABranchOfThatOne() {
    ChatClient first = ann();
    first.say("good morning");
    ChatClient second = ann();
    second.say("good morning");
    first.say("my dog");
    second.say("my tax");
    model.says("another");
    String branch = sessionOf(first.backTo(3));

    assertThat(places(new SessionKey("ann", branch))).hasSize(1);
    ann().call("DELETE", "/v1/conversations/" + branch, "");
    assertThat(said(only())).endsWith("user: my tax", "assistant: echo my tax");
  }

  @Test
  void theSameAnswerRegenerated_staysOneConversation() {
    ChatClient ann = ann();
    ann.say("one");
    ann.backTo(2).say("two");
    ann.backTo(3).ask();
    ann.say("three");
    ann.backTo(4).say("four");
    ann.backTo(4).say("five");

    assertThat(visible()).hasSize(1);
  }

  @Test
  void theContinuedAnswerOfOneOfTwoChats_isASessionOfItsOwn() {
    ChatClient first = ann();
    first.say("good morning");
    ann().say("good morning");
    model.says(" and more");
    first.ask();

    assertThat(visible()).hasSize(3);
    assertThat(said(sessions().get(2).key()))
        .containsExactly("user: good morning", "assistant: echo good morning and more");
  }

  @Test
  void howeverManyChatsBeginTheSame_eachContinues() {
    List<ChatClient> chats = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ChatClient chat = ann();
      chat.say("good morning");
      chats.add(chat);
    }
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20; i++) {
        chats.get(i).say("round " + round + " of " + i);
      }
    }
    assertThat(visible().stream().map(info -> said(info.key())).filter(all -> all.size() == 6))
        .hasSize(20);
  }

  private static String sessionOf(ChatClient chat) {
    return chat.send().headers().firstValue("X-Clew-Session").orElseThrow();
  }

  @Test
  void anotherOwnersHistory_isNotRecognized() {
    ChatClient ann = ann();
    ann.say("one");
    ChatClient bob = new ChatClient(live, "bob");
    ann.messages().forEach(bob::add);
    bob.say("two");

    assertThat(said(only())).hasSize(2);
  }

  @Test
  void theSameHistoryAgain_isARegeneration_asABranch() {
    ChatClient ann = ann();
    ann.say("one");
    ann.say("two");
    model.says("another");
    ann.backTo(3).ask();

    assertThat(said(sessions().get(0).key())).endsWith("user: two", "assistant: echo two");
    SessionKey branch = visible().get(0).key();
    assertThat(visible()).hasSize(1);
    assertThat(said(branch))
        .containsExactly("user: one", "assistant: echo one", "user: two", "assistant: another");
    assertThat(places(branch)).hasSize(1);
    assertThat(places(branch).get(0)).hasSize(2).contains(branch.id());
  }

  @Test
  void anEditedMessage_isABranch_andEachBranchContinues() {
    ChatClient ann = ann();
    ann.say("one");
    ChatClient edited = ann.copy();
    ann.say("two");
    ann.say("three");
    edited.say("two!");
    edited.say("four");
    ann.backTo(2).say("two?");

    List<SessionInfo> all = sessions();
    assertThat(all).hasSize(3);
    assertThat(said(all.get(0).key())).hasSize(6);
    assertThat(said(all.get(1).key()))
        .containsExactly(
            "user: one",
            "assistant: echo one",
            "user: two!",
            "assistant: echo two!",
            "user: four",
            "assistant: echo four");
    assertThat(said(all.get(2).key())).endsWith("user: two?", "assistant: echo two?");
    assertThat(places(all.get(2).key())).hasSize(1);
    assertThat(places(all.get(2).key()).get(0)).hasSize(3);
  }

  @Test
  void anEditedAnswer_isABranchWithTheClientsText() {
    ChatClient ann = ann();
    ann.say("one");
    ann.say("two");
    ann.backTo(3).has("assistant", "my own words").say("three");

    assertThat(said(visible().get(0).key()))
        .containsExactly(
            "user: one",
            "assistant: echo one",
            "user: two",
            "assistant: my own words",
            "user: three",
            "assistant: echo three");
  }

  @Test
  void aWindowOfTheHistory_continuesTheSession() {
    ChatClient ann = ann();
    for (int i = 0; i < 6; i++) {
      ann.say("message " + i);
    }
    List<String> latest = new ArrayList<>(ann.messages().subList(7, 12));
    ChatClient windowed = ann();
    latest.forEach(windowed::add);
    windowed.say("seven");
    windowed.messages().subList(0, 2).clear();
    windowed.say("eight");

    assertThat(said(only()))
        .hasSize(16)
        .endsWith("user: seven", "assistant: echo seven", "user: eight", "assistant: echo eight");
  }

  @Test
  void aSummaryInPlaceOfOldMessages_continuesTheSession() {
    ChatClient ann = ann();
    for (int i = 0; i < 6; i++) {
      ann.say("message " + i);
    }
    ChatClient shorter = ann().has("user", "What was said before: some messages.");
    ann.messages().subList(8, 12).forEach(shorter::add);
    shorter.say("seven");

    assertThat(said(only())).hasSize(14);
  }

  @Test
  void aCutInTheMiddle_continuesTheSession() {
    ChatClient ann = ann();
    for (int i = 0; i < 8; i++) {
      ann.say("message " + i);
    }
    ChatClient cut = ann();
    ann.messages().subList(0, 4).forEach(cut::add);
    ann.messages().subList(10, 16).forEach(cut::add);
    cut.say("nine");

    assertThat(said(only())).hasSize(18).endsWith("user: nine", "assistant: echo nine");
  }

  @Test
  void aFewCommonWordsAtTheEnd_areNoWindow() {
    ChatClient ann = ann();
    ann.say("one");
    ann.say("yes");
    ChatClient other = ann().has("user", "something else").has("assistant", "sure");
    other.has("user", "yes").has("assistant", "echo yes");
    other.say("go on");

    assertThat(sessions()).hasSize(2);
    assertThat(said(sessions().get(1).key())).hasSize(6);
  }

  @Test
  void instructions_areRecordedOnce_andAgainWhenTheyChange() {
    ChatClient ann = ann().has("system", "Be brief.");
    ann.say("one");
    ann.say("two");
    ann.messages().set(0, message("system", "Be polite."));
    ann.say("three");
    ann.say("four");

    assertThat(said(only()))
        .containsExactly(
            "system: Be brief.",
            "user: one",
            "assistant: echo one",
            "user: two",
            "assistant: echo two",
            "system: Be polite.",
            "user: three",
            "assistant: echo three",
            "user: four",
            "assistant: echo four");
  }

  @Test
  void whiteSpaceAndReasoning_makeNoDifference() {
    ChatClient ann = ann();
    model.says("First line. \nSecond   line.\n");
    ann.say("one\r\n");
    ann.messages().set(0, message("user", "one"));
    ann.messages().set(1, message("assistant", "<think>hm</think>\n\nFirst line.\nSecond line."));
    ann.say("two");

    assertThat(said(only())).hasSize(4);
  }

  @Test
  void rewrittenIdsOfCalls_makeNoDifference_andTheRecordKeepsItsOwn() {
    ChatClient ann = ann();
    model.answers(
        Item.functionCall("call_a", "get", "{\"x\": 1, \"a\": 2}"),
        Item.functionCall("call_b", "get", "{}"));
    model.says("both");
    ann.has("user", "get them").askForMessage();
    ann.backTo(1)
        .add(
            "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"0\",\"type\":"
                + "\"function\",\"function\":{\"name\":\"get\",\"arguments\":\"{\\\"a\\\":2,\\\"x\\\":1}\"}},"
                + "{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"get\",\"arguments\":\"{}\"}}]}")
        .add("{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"B\"}")
        .add("{\"role\":\"tool\",\"tool_call_id\":\"0\",\"content\":\"A\"}");
    assertThat(ann.ask()).isEqualTo("both");

    assertThat(said(only()))
        .containsExactly(
            "user: get them",
            "call_a: get{\"x\": 1, \"a\": 2}",
            "call_b: get{}",
            "call_b gave B",
            "call_a gave A",
            "assistant: both");
  }

  @Test
  void anUnansweredCall_getsAnOutputThatSaysSo() {
    ChatClient ann = ann();
    model.calls("call_a", "get", "{}");
    ann.has("user", "get it").askForMessage();
    ann.say("never mind");

    assertThat(said(only()))
        .contains("call_a gave No result.", "user: never mind", "assistant: echo never mind");
  }

  @Test
  void anAnswerThatTheClientBegan_isOneAnswerInTheRecord() {
    ChatClient ann = ann();
    ann.say("one");
    model.says(" and more");
    assertThat(ann.ask()).isEqualTo(" and more");

    assertThat(said(visible().get(0).key()))
        .containsExactly("user: one", "assistant: echo one and more");
    ann.backTo(1).has("assistant", "echo one and more").say("two");
    assertThat(said(visible().get(0).key())).hasSize(4);
  }

  @Test
  void twoAtOnce_loseNothing() {
    ChatClient ann = ann();
    ann.say("one");
    ScriptedModel.Held first = model.thenHold("slow", " answer");
    ChatClient slow = ann.copy().has("user", "two");
    CompletableFuture<String> later = CompletableFuture.supplyAsync(slow::ask);
    Eventually.open("the first has begun", first.begun);
    ann.say("two");
    first.release();
    assertThat(Eventually.value(later)).isEqualTo("slow answer");

    List<SessionInfo> all = sessions();
    assertThat(all).hasSize(2);
    assertThat(said(all.get(0).key())).endsWith("user: two", "assistant: echo two");
    assertThat(said(all.get(1).key())).endsWith("user: two", "assistant: slow answer");
  }

  @Test
  void aSessionThatWasDeletedMeanwhile_staysDeleted() {
    ChatClient ann = ann();
    ann.say("one");
    SessionKey key = only();
    ScriptedModel.Held held = model.thenHold("slow", " answer");
    CompletableFuture<String> later =
        CompletableFuture.supplyAsync(ann.copy().has("user", "two")::ask);
    Eventually.open("it has begun", held.begun);
    ann.call("DELETE", "/api/sessions/" + key.id(), "");
    held.release();
    Eventually.value(later);

    assertThat(sessions()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"DELETE /v1/conversations/", "DELETE /api/sessions/", "DELETE /api/chat/"})
  void deletedOrCleared_leavesNoDigestAndNoCompletion(String how) {
    ChatClient ann = ann().with("\"store\":true");
    ann.say("one");
    ann.say("two");
    assertThat(names()).hasSize(5);
    ann.call("DELETE", how.substring("DELETE ".length()) + only().id(), "");

    assertThat(names()).isEmpty();
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (String prefix : List.of("chat/", "chats/", "completion/")) {
      store.documents().walk("ann", prefix).forEach(each -> names.add(each.name()));
    }
    return names;
  }

  @Test
  void aForkThatIsDeleted_leavesTheDigestsOfItsSource() {
    ChatClient ann = ann();
    ann.say("one");
    SessionKey key = only();
    ann.call("POST", "/api/sessions/" + key.id() + "/fork", "{\"session_id\":\"copy\"}");
    ann.call("DELETE", "/api/sessions/copy", "");
    ann.say("two");

    assertThat(said(only())).hasSize(4);
  }

  @Test
  void aTurnThatWasUndone_isRecordedAgainWithTheNextOne_becauseTheModelSeesIt() {
    ChatClient ann = ann();
    ann.say("one");
    ann.say("two");
    ann.call("POST", "/api/sessions/" + only().id() + "/undo", "");
    assertThat(names()).hasSize(2);
    ann.say("three");

    assertThat(said(only())).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"store\":false",
        "header",
        "local",
        "task",
        "title",
        "librechat",
        "continue",
        "tiny"
      })
  void whatIsNotToBeKept_leavesNoTrace(String how) {
    ChatClient ann = ann();
    String text = "hello";
    switch (how) {
      case "header" -> ann.header("Clew-Store", "false");
      case "local" -> ann.header("X-OpenWebUI-Chat-Id", "local:17");
      case "task" ->
          ann.header("X-OpenWebUI-Chat-Id", "17").header("X-OpenWebUI-Task", "title_generation");
      case "title" -> {
        ann.header("X-OpenWebUI-Chat-Id", "17");
        text = "### Task:\nGenerate a title.\n<chat_history>\nUSER: hi\n</chat_history>";
      }
      case "librechat" -> {
        ann.header("X-Clew-Session", "17");
        text =
            "Provide a concise, 5-word-or-less title for the conversation, using title case.\n\nUser: hi";
      }
      case "continue" ->
          text = "Given the following... please reply with a title for the chat that is 3-4 words.";
      case "tiny" -> ann.with("\"max_tokens\":16");
      default -> ann.with(how);
    }
    assertThat(ann.say(text)).isEqualTo("echo " + text);

    assertThat(sessions()).isEmpty();
    assertThat(names()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "### Task:\nYou are an autocompletion system.\n<chat_history>\n\n</chat_history>\n<text>a</text>",
        "### Task:\nSummarize the conversation.\n### Messages Being Compacted:\nUSER: hi",
        "Your task is to reflect the speaker's likely facial expression through a fitting emoji.",
        "You have been provided with a set of responses from various models to the latest user"
            + " query: \"hi\"\n\nResponses from models: hello",
        "Query: History:\nUSER: hi\nQuery: hi",
        "Analyze this conversation and provide:\n1. The detected language of the conversation"
      })
  void whatAProgramAsksForItself_isNotKept(String prompt) {
    ChatClient ann = ann().header("X-OpenWebUI-Chat-Id", "17");
    ann.say("hello");
    ann.backTo(0).say(prompt);
    ann().say(prompt);
    assertThat(said(only())).containsExactly("user: hello", "assistant: echo hello");
  }

  private static String withPassages(String question, int i) {
    return "### Task:\nRespond to the user query using the provided context.\n<context>\n<source id=\"1\">"
        + i
        + " <chat_history> </context></source>\n</context>\n\n"
        + question;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void passagesOfFiles_areBeforeTheNewestQuestionOnly(boolean named) {
    ChatClient ann = named ? ann().header("X-OpenWebUI-Chat-Id", "17") : ann();
    List<String> history = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String question = "When does part " + i + " begin?";
      ann.backTo(0);
      history.forEach(ann::add);
      ann.say(withPassages(question, i));
      history.add(ChatClient.message("user", question));
      history.add(ann.messages().get(ann.messages().size() - 1));
    }
    SessionKey key = only();
    assertThat(said(key))
        .hasSize(8)
        .contains("user: " + withPassages("When does part 3 begin?", 3));
    assertThat(ann.call("GET", "/api/sessions/" + key.id(), "").body())
        .contains("When does part 0 begin?")
        .doesNotContain("Respond to the user query");
  }

  @Test
  void aNamedSession_isContinued_whoeverWroteIt() {
    SessionKey key = new SessionKey("ann", "trip");
    store
        .session(key)
        .addItems(
            List.of(
                Item.user("where?"),
                Item.assistant("Oslo"),
                Item.user("when?"),
                Item.assistant("May")));
    ChatClient ann = ann().header("X-Clew-Session", "trip");
    ann.has("user", "where?").has("assistant", "Oslo").has("user", "when?").has("assistant", "May");
    ann.say("how?");
    assertThat(said(key)).hasSize(6).endsWith("user: how?", "assistant: echo how?");
    ann.say("why?");
    assertThat(said(key)).hasSize(8);
    assertThat(sessions()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Clew-Session", "Clew-Session"})
  void anIdThatIsTooLong_isRefusedWithTheHeaderThatWasSent(String header) {
    HttpResponse<String> refused = ann().header(header, "x".repeat(513)).has("user", "hi").send();
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("Invalid '" + header + "'", "1 to 512");
  }

  @Test
  void aNamedSessionWithAnotherHistory_getsABranchFromItsBeginning() {
    ChatClient ann = ann().header("X-Clew-Session", "trip");
    ann.say("one");
    ChatClient other = ann().header("X-Clew-Session", "trip");
    other.say("something else");
    other.say("and more");

    assertThat(sessions()).hasSize(2);
    SessionKey branch = visible().get(0).key();
    assertThat(said(branch))
        .containsExactly(
            "user: something else",
            "assistant: echo something else",
            "user: and more",
            "assistant: echo and more");
    assertThat(places(branch)).hasSize(1);
  }

  @Test
  void idsOfClients_nameSessions_andReachNoOthers() {
    ann().header("X-OpenWebUI-Chat-Id", "17").say("one");
    ann().header("session_id", "17").say("one");
    ann().with("\"metadata\":{\"thread_id\":\"a b\"}").say("one");
    ann().header("X-OpenWebUI-Chat-Id", "{{CHAT_ID}}").say("one");

    List<String> ids = sessions().stream().map(info -> info.key().id()).toList();
    assertThat(ids).hasSize(4).startsWith("openwebui-17", "chat-17");
    assertThat(ids.get(2)).startsWith("chat-").doesNotContain(" ");
    assertThat(ids.get(3)).doesNotContain("CHAT_ID");
  }

  @Test
  void theAnswerSaysWhichSessionItIsIn_andTheResponsesApiContinuesIt() {
    ChatClient ann = ann().has("system", "Be brief.");
    ann.has("user", "one");
    String id = ann.send().headers().firstValue("X-Clew-Session").orElseThrow();
    String body = "{\"model\":\"script\",\"input\":\"two\",\"conversation\":\"" + id + "\"}";
    assertThat(ann.call("POST", "/v1/responses", body).statusCode()).isEqualTo(200);

    assertThat(model.lastShown()).containsExactly("Be brief.", "one", "echo one", "two");
    ann.has("assistant", "echo one").has("user", "two").has("assistant", "echo two");
    ann.say("three");
    assertThat(said(only())).hasSize(7);
  }

  @Test
  void withoutRecognition_onlyNamedSessionsAndStoredCompletionsAreKept() {
    try (LiveServer other =
        new LiveServer(
            store, settings -> settings.model(model, "script").recognizesSessions(false))) {
      new ChatClient(other, "ann").say("one");
      assertThat(sessions()).isEmpty();
      new ChatClient(other, "ann").header("X-Clew-Session", "trip").say("one");
      new ChatClient(other, "ann").with("\"store\":true").say("one");
      assertThat(sessions()).hasSize(2);
    }
  }

  @Test
  void tokensAreNotedBesideTheAnswer() {
    ann().say("one");

    Entry answer = store.session(only()).entries(Range.latest(1)).entries().get(0);
    assertThat(answer.notes())
        .containsAllEntriesOf(Map.of("input_tokens", 30L, "output_tokens", 8L));
  }

  @Test
  void aSpeakersName_isNotedBesideTheMessage() {
    ann().add("{\"role\":\"user\",\"name\":\"Ada\",\"content\":\"hi\"}").ask();

    Entry first = store.session(only()).entries(Range.first(1)).entries().get(0);
    assertThat(first.notes()).containsEntry("name", "Ada");
    assertThat(first.item().json()).doesNotContain("Ada");
  }
}
