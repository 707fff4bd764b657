package dev.clew.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.okhttp.OpenAIOkHttpClient;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Session;
import dev.clew.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A conversation at the provider as a session. */
class OpenAiConversationsSessionTest {
  private final TestServer server = new TestServer();
  private final OpenAiConversationsSession session = builder().conversation();

  private OpenAiBuilder builder() {
    return OpenAiModels.builder(Map.of())
        .baseUrl(server.baseUrl())
        .apiKey("sk-test-key-12345678")
        .timeout(Duration.ofSeconds(20));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static List<Item> users(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> Item.user("m" + i)).toList();
  }

  private static List<String> texts(List<Item> items) {
    return items.stream().map(item -> ((dev.clew.View.Message) item.view()).text()).toList();
  }

  private static List<String> names(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
  }

  private List<String> requests() {
    return server.received().stream()
        .map(received -> received.method() + " " + received.path())
        .toList();
  }

  @Test
  void readingCreatesNothing() {
    assertThat(session.getItems()).isEmpty();
    assertThat(session.getItems(5)).isEmpty();
    assertThat(session.popItem()).isEmpty();
    session.clearSession();
    session.addItems(List.of());

    assertThat(session.conversationId()).isEmpty();
    assertThat(server.received()).isEmpty();
  }

  @Test
  void theFirstItemsMakeTheConversation() {
    session.addItems(List.of(Item.user("Hello")));

    assertThat(session.conversationId()).contains("conv_1");
    assertThat(session.id()).isEqualTo("conv_1");
    assertThat(requests())
        .containsExactly("POST /v1/conversations", "POST /v1/conversations/conv_1/items");
    assertThat(server.received().get(0).body()).isEqualTo("{\"items\":[]}");
    assertThat(texts(session.getItems())).containsExactly("Hello");
  }

  @Test
  void manyFirstWritersMakeOneConversation() throws Exception {
    int writers = 8;
    CyclicBarrier start = new CyclicBarrier(writers);
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (Item item : users(0, writers)) {
      all.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  start.await(10, TimeUnit.SECONDS);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                session.addItems(List.of(item));
              },
              threads));
    }

    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
    threads.shutdown();

    assertThat(server.conversations.ids()).containsExactly("conv_1");
    assertThat(texts(session.getItems())).containsExactlyInAnyOrderElementsOf(names(0, writers));
  }

  @Test
  void aConversationThatExistsIsContinued() {
    server.conversations.put("conv_old", List.of(Item.user("Before").json()));
    Session old = builder().conversation("conv_old");

    old.addItems(List.of(Item.user("After")));

    assertThat(texts(old.getItems())).containsExactly("Before", "After");
    assertThat(requests()).doesNotContain("POST /v1/conversations");
  }

  @Test
  void aConversationCanBeStartedBeforeItsSession() {
    String id =
        OpenAiConversationsSession.startConversation(
            OpenAIOkHttpClient.builder().baseUrl(server.baseUrl()).apiKey("k").build());

    assertThat(server.conversations.ids()).containsExactly(id);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 21, 99, 100, 101, 200, 250})
  void everySizeIsReadInPagesBothWays(int size) {
    server.conversations.put("c", users(0, size).stream().map(Item::json).toList());
    Session full = builder().conversation("c");

    assertThat(texts(full.getItems())).isEqualTo(names(0, size));
    assertThat(texts(full.getItems(size))).isEqualTo(names(0, size));
    assertThat(texts(full.getItems(Integer.MAX_VALUE))).isEqualTo(names(0, size));
    assertThat(texts(full.getItems(7))).isEqualTo(names(Math.max(0, size - 7), size));
    assertThat(full.getItems(0)).isEmpty();
    assertThatThrownBy(() -> full.getItems(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBatchIsSentInPartsOfTwenty() {
    session.addItems(users(0, 45));

    assertThat(texts(session.getItems())).isEqualTo(names(0, 45));
    assertThat(
            server.received().stream()
                .filter(received -> received.method().equals("POST"))
                .skip(1)
                .map(received -> Json.elements(Json.fields(received.body()).get("items")).size()))
        .containsExactly(20, 20, 5);
  }

  @Test
  void aBatchThatIsRefusedLaterIsTakenBack() {
    session.addItems(users(100, 101));
    server.thenAsUsual().then(TestServer.json(400, TestServer.error("Bad item", "invalid_value")));

    assertThatThrownBy(() -> session.addItems(users(0, 30)))
        .isInstanceOf(ClewException.InvalidItem.class)
        .hasMessageContaining("Bad item");

    assertThat(texts(session.getItems())).containsExactly("m100");
  }

  @Test
  void aBatchThatCannotBeTakenBackSaysWhatIsThere() {
    session.addItems(users(100, 101));
    server
        .thenAsUsual()
        .then(TestServer.json(400, TestServer.error("Bad item", "invalid_value")))
        .thenAsUsual()
        .then(TestServer.json(403, TestServer.error("No", "no")));

    assertThatThrownBy(() -> session.addItems(users(0, 30)))
        .isInstanceOf(ClewException.OutcomeUnknown.class)
        .hasMessageContaining("first 19 items")
        .hasMessageContaining("Bad item");
  }

  @Test
  void idsAreSentOnlyForTypesThatKeepThem() {
    Item message =
        Item.parse("{\"z\":1e400,\"id\":\"msg_1\",\"role\":\"user\",\"content\":\"\\u00e9\"}");
    Item call =
        Item.parse(
            "{\"id\":\"fc_1\",\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"n\","
                + "\"arguments\":\"{}\"}");
    Item reasoning = Item.parse("{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[]}");
    Item search = Item.parse("{\"id\":\"ws_1\",\"type\":\"web_search_call\",\"action\":{}}");
    Item foreign = Item.parse("{\"type\":\"reasoning\",\"summary\":[]}");
    Item unknown = Item.parse("{\"type\":\"vendor:thing\",\"n\":0.10,\"a\":{\"id\":\"x\"}}");

    Item ofFramework = Item.parse("{\"type\":\"adk_event\",\"n\":1}");

    session.addItems(List.of(message, call, reasoning, search, foreign, ofFramework, unknown));

    assertThat(Json.elements(Json.fields(server.last().body()).get("items")))
        .containsExactly(
            "{\"z\":1e400,\"role\":\"user\",\"content\":\"\\u00e9\"}",
            "{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"n\",\"arguments\":\"{}\"}",
            reasoning.json(),
            search.json(),
            unknown.json());
  }

  @Test
  void itemsComeBackByteForByte() {
    String odd =
        "{\"id\":\"x\",\"b\":1e400,\"a\":[0.10,\"\\ud800\\/\",null],\"type\":\"vendor:odd\"}";
    server.conversations.put("c", List.of(odd));

    assertThat(builder().conversation("c").getItems()).extracting(Item::json).containsExactly(odd);
  }

  @Test
  void popItemTakesTheNewest() {
    session.addItems(users(0, 3));

    assertThat(texts(List.of(session.popItem().orElseThrow()))).containsExactly("m2");
    assertThat(texts(session.getItems())).containsExactly("m0", "m1");
  }

  @Test
  void popItemsByManyHandlesGiveEachItemToOneOfThem() throws Exception {
    session.addItems(users(0, 20));
    ConcurrentLinkedQueue<Item> popped = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int i = 0; i < 4; i++) {
      Session other = builder().conversation(session.id());
      all.add(
          CompletableFuture.runAsync(
              () -> {
                for (int n = 0; n < 5; n++) {
                  popped.add(other.popItem().orElseThrow());
                }
              },
              threads));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
    threads.shutdown();

    assertThat(texts(List.copyOf(popped))).containsExactlyInAnyOrderElementsOf(names(0, 20));
    assertThat(session.getItems()).isEmpty();
  }

  @Test
  void aPopWhoseAnswerIsLostTakesOneItemOnly() {
    session.addItems(users(0, 3));
    server.thenAsUsual().then(server.workAndBreakOff());

    assertThatThrownBy(session::popItem).isInstanceOf(ClewException.OutcomeUnknown.class);

    assertThat(texts(session.getItems())).containsExactly("m0", "m1");
  }

  @Test
  void clearSessionDeletesTheConversationAndForgetsIt() {
    session.addItems(users(0, 2));

    session.clearSession();

    assertThat(server.conversations.ids()).isEmpty();
    assertThat(session.conversationId()).isEmpty();
    assertThat(session.getItems()).isEmpty();
    session.addItems(users(5, 6));
    assertThat(session.id()).isNotEqualTo("conv_1");
    assertThat(texts(session.getItems())).containsExactly("m5");
  }

  @Test
  void aDeleteThatFailsKeepsTheId() {
    session.addItems(users(0, 2));
    server.then(TestServer.json(403, TestServer.error("Not yours", "forbidden")));

    assertThatThrownBy(session::clearSession)
        .isInstanceOf(ClewException.Unauthorized.class)
        .hasMessageContaining("Not yours");

    assertThat(session.conversationId()).contains("conv_1");
    assertThat(texts(session.getItems())).containsExactly("m0", "m1");
  }

  @Test
  void aConversationThatIsGoneIsEmptyAndCanBeCleared() {
    OpenAiConversationsSession gone = builder().conversation("conv_gone");

    assertThat(gone.getItems()).isEmpty();
    assertThat(gone.popItem()).isEmpty();
    assertThatThrownBy(() -> gone.addItems(users(0, 1)))
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContaining("conv_gone")
        .hasMessageContaining("Clear the session");
    gone.clearSession();
    gone.addItems(users(0, 1));
    assertThat(texts(gone.getItems())).containsExactly("m0");
  }

  @Test
  void aWriteWhoseAnswerIsLostIsNotRepeated() {
    session.addItems(users(0, 1));
    server.then(server.workAndBreakOff());

    assertThatThrownBy(() -> session.addItems(users(1, 2)))
        .isInstanceOf(ClewException.OutcomeUnknown.class)
        .hasMessageContaining("conv_1");

    assertThat(texts(session.getItems())).containsExactly("m0", "m1");
  }

  @Test
  void aWriteThatFailsInTheServerIsNotRepeated() {
    session.addItems(users(0, 1));
    int before = server.received().size();
    server.then(TestServer.json(500, TestServer.error("Oops", "server_error")));

    assertThatThrownBy(() -> session.addItems(users(1, 2)))
        .isInstanceOf(ClewException.OutcomeUnknown.class)
        .hasMessageContaining("Oops");

    assertThat(server.received()).hasSize(before + 1);
  }

  @Test
  void aWriteThatIsRefusedForNowIsRepeatedByTheClient() {
    session.addItems(users(0, 1));
    server
        .then(TestServer.json(429, TestServer.error("Slow", "x"), "Retry-After-Ms", "1"))
        .then(
            TestServer.json(
                400, TestServer.error("Locked", "conversation_locked"), "Retry-After-Ms", "1"));

    session.addItems(users(1, 2));

    assertThat(texts(session.getItems())).containsExactly("m0", "m1");
  }

  @Test
  void aReadIsRepeatedByTheClient() {
    session.addItems(users(0, 2));
    server.then(TestServer.json(500, TestServer.error("Oops", "x"), "Retry-After-Ms", "1"));

    assertThat(session.getItems()).hasSize(2);
  }

  @Test
  void errorsAreThoseOfASession() {
    Session strict = builder().maxRetries(0).conversation("c");
    server.conversations.put("c", List.of());
    server
        .then(TestServer.json(401, TestServer.error("Bad key", "invalid_api_key")))
        .then(TestServer.json(429, TestServer.error("Slow", "x")))
        .then(TestServer.json(503, TestServer.error("Busy", "x"), "x-request-id", "req_3"))
        .then(TestServer.json(200, "{\"data\":[{\"type\":"))
        .then(TestServer.cut("application/json", "{\"data\":["))
        .then(TestServer.json(400, TestServer.error("Locked", "conversation_locked")))
        .then(TestServer.json(200, "{\"data\":[],\"last_id\":\"\",\"has_more\":true}"));

    assertThatThrownBy(strict::getItems).isInstanceOf(ClewException.Unauthorized.class);
    assertThatThrownBy(strict::getItems).isInstanceOf(ClewException.RateLimited.class);
    assertThatThrownBy(strict::getItems)
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContaining("Busy")
        .hasMessageContaining("req_3");
    assertThatThrownBy(strict::getItems).isInstanceOf(ClewException.StoreUnavailable.class);
    assertThatThrownBy(strict::getItems).isInstanceOf(ClewException.StoreUnavailable.class);
    assertThatThrownBy(strict::getItems).isInstanceOf(ClewException.SessionBusy.class);
    assertThatThrownBy(strict::getItems)
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContaining("from where");
  }

  @Test
  void aNullIsRefusedByItsIndexBeforeAnythingIsSent() {
    List<Item> items = new ArrayList<>(users(0, 2));
    Collections.addAll(items, (Item) null);

    assertThatThrownBy(() -> session.addItems(items))
        .isInstanceOf(ClewException.InvalidItem.class)
        .hasMessageContaining("item 2");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void aClientAndItsSettingsAreNotGivenTwice() {
    assertThatThrownBy(
            () -> builder().client(OpenAIOkHttpClient.builder().apiKey("k").build()).conversation())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a client was given");
  }
}
