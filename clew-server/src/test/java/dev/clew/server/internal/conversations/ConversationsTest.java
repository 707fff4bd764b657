package dev.clew.server.internal.conversations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.UnauthorizedException;
import com.openai.models.conversations.Conversation;
import com.openai.models.conversations.ConversationCreateParams;
import com.openai.models.conversations.ConversationUpdateParams;
import com.openai.models.conversations.items.ConversationItem;
import com.openai.models.conversations.items.ItemCreateParams;
import com.openai.models.conversations.items.ItemListParams;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.ResponseInputItem;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The official client works against the Conversations API of a server over SQLite. */
class ConversationsTest {
  @TempDir Path folder;
  private SessionStore store;
  private LiveServer live;
  private OpenAIClient ann;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("c.db"));
    live = new LiveServer(store);
    ann = live.openAi("ann");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private static ResponseInputItem message(String text) {
    return ResponseInputItem.ofEasyInputMessage(
        EasyInputMessage.builder().role(EasyInputMessage.Role.USER).content(text).build());
  }

  private String conversationOf(int items) {
    String id = ann.conversations().create().id();
    List<Item> all = IntStream.range(0, items).mapToObj(i -> Item.user("item " + i)).toList();
    if (!all.isEmpty()) {
      store.session(new SessionKey("ann", id)).addItems(all);
    }
    return id;
  }

  private static String text(ConversationItem item) {
    return item.asMessage().content().get(0).asInputText().text();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 21, 100, 101, 250})
  void everyPagerGoesThroughAllItems_inBothOrders(int items) {
    String id = conversationOf(items);
    List<String> expected =
        new ArrayList<>(IntStream.range(0, items).mapToObj(i -> "item " + i).toList());
    List<String> ascending = new ArrayList<>();
    ann.conversations()
        .items()
        .list(id, ItemListParams.builder().order(ItemListParams.Order.ASC).build())
        .autoPager()
        .forEach(item -> ascending.add(text(item)));
    assertThat(ascending).isEqualTo(expected);
    List<String> descending = new ArrayList<>();
    ann.conversations()
        .items()
        .list(id, ItemListParams.builder().limit(100).build())
        .autoPager()
        .forEach(item -> descending.add(text(item)));
    Collections.reverse(expected);
    assertThat(descending).isEqualTo(expected);
  }

  @Test
  void unknownFieldsAreIgnored_orRefusedIfStrict() {
    String body = "{\"colour\":1,\"items\":[],\"metadata\":{}}";
    String bearer = "Bearer " + live.token("ann");
    HttpResponse<String> made =
        live.send("POST", "/v1/conversations", body, "Authorization", bearer);
    assertThat(made.statusCode()).isEqualTo(200);
    String id = Json.string(Json.fields(made.body()).get("id"));
    try (LiveServer strict = new LiveServer(store, settings -> settings.strict(true))) {
      for (String path : List.of("", "/" + id, "/" + id + "/items")) {
        HttpResponse<String> refused =
            strict.send("POST", "/v1/conversations" + path, body, "Authorization", bearer);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
            .contains("\"code\":\"unknown_parameter\"", "\"param\":\"colour\"");
      }
      String inside =
          "{\"items\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"user\",\"content\":"
              + "[{\"type\":\"input_text\",\"text\":\"x\",\"colour\":1}]}]}";
      String path = "/v1/conversations/" + id + "/items";
      assertThat(strict.send("POST", path, inside, "Authorization", bearer).body())
          .contains("\"param\":\"items[1].content[0].colour\"");
      assertThat(live.send("POST", path, inside, "Authorization", bearer).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void aPagerGoesOnBehindAnItemThatWasDeletedMeanwhile() {
    String id = ann.conversations().create().id();
    store
        .session(new SessionKey("ann", id))
        .addItems(
            IntStream.range(0, 30)
                .mapToObj(
                    i ->
                        Item.parse(
                            "{\"id\":\"msg_own"
                                + i
                                + "\",\"type\":\"message\",\"role\":\"user\",\"content\":\"item "
                                + i
                                + "\"}"))
                .toList());
    var first =
        ann.conversations()
            .items()
            .list(id, ItemListParams.builder().order(ItemListParams.Order.ASC).limit(10).build());
    ann.conversations()
        .items()
        .delete(
            "msg_own9",
            com.openai.models.conversations.items.ItemDeleteParams.builder()
                .conversationId(id)
                .build());
    assertThat(first.nextPage().items()).extracting(ConversationsTest::text).startsWith("item 10");
  }

  @Test
  void aConversationIsCreatedRetrievedUpdatedAndDeleted() {
    Conversation made =
        ann.conversations()
            .create(
                ConversationCreateParams.builder()
                    .metadata(
                        ConversationCreateParams.Metadata.builder()
                            .putAdditionalProperty("topic", JsonValue.from("demo"))
                            .build())
                    .addItem(message("hello"))
                    .build());
    assertThat(made.id()).matches("conv_[0-9a-f]{48}");
    assertThat(ann.conversations().retrieve(made.id())._metadata().toString())
        .contains("topic=demo");
    Conversation updated =
        ann.conversations()
            .update(
                made.id(),
                ConversationUpdateParams.builder()
                    .metadata(
                        ConversationUpdateParams.Metadata.builder()
                            .putAdditionalProperty("other", JsonValue.from("x"))
                            .build())
                    .build());
    assertThat(updated._metadata().toString()).contains("other=x").doesNotContain("topic");
    assertThat(ann.conversations().delete(made.id()).deleted()).isTrue();
    assertThatThrownBy(() -> ann.conversations().retrieve(made.id()))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("Conversation with id '" + made.id() + "' not found.");
    assertThatThrownBy(() -> ann.conversations().delete(made.id()))
        .isInstanceOf(NotFoundException.class);
  }

  @Test
  void createdItemsComeBackInOrderWithIdsAndCanBeRetrievedAndDeleted() {
    String id = ann.conversations().create().id();
    var created =
        ann.conversations()
            .items()
            .create(
                id,
                ItemCreateParams.builder().items(List.of(message("one"), message("two"))).build());
    assertThat(created.data()).extracting(ConversationsTest::text).containsExactly("one", "two");
    assertThat(created.hasMore()).isFalse();
    String first = created.data().get(0).asMessage().id();
    assertThat(created.firstId()).isEqualTo(first);
    var get =
        com.openai.models.conversations.items.ItemRetrieveParams.builder()
            .conversationId(id)
            .build();
    assertThat(text(ann.conversations().items().retrieve(first, get))).isEqualTo("one");
    assertThat(
            ann.conversations()
                .items()
                .delete(
                    first,
                    com.openai.models.conversations.items.ItemDeleteParams.builder()
                        .conversationId(id)
                        .build())
                .id())
        .isEqualTo(id);
    assertThatThrownBy(() -> ann.conversations().items().retrieve(first, get))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("not found in conversation");
  }

  @Test
  void theListIsWalkedInBothOrders() {
    for (int i = 0; i < 40; i++) {
      ann.conversations().create();
    }
    Caller caller = new Caller(live, "ann");
    List<Object> newestFirst = new ArrayList<>();
    List<Object> oldestFirst = new ArrayList<>();
    Map.of("desc", newestFirst, "asc", oldestFirst)
        .forEach(
            (order, ids) -> {
              String path = "/v1/conversations?limit=3&order=" + order;
              Caller.Answer page = caller.get(path).is(200);
              page.data().forEach(one -> ids.add(one.get("id")));
              while ((boolean) page.json().get("has_more")) {
                page = caller.get(path + "&after=" + page.text("last_id")).is(200);
                page.data().forEach(one -> ids.add(one.get("id")));
              }
            });
    Collections.reverse(oldestFirst);
    assertThat(newestFirst).hasSize(40).doesNotHaveDuplicates().isEqualTo(oldestFirst);
  }

  @Test
  void anyUsersSessionIsAConversationOfItsOwnerAndOfNobodyElse() {
    store.session(new SessionKey("ann", "feishu:oc/1 2")).addItems(List.of(Item.user("hi")));
    String listed =
        live.send("GET", "/v1/conversations", "", "Authorization", "Bearer " + live.token("ann"))
            .body();
    assertThat(listed).contains("\"id\":\"conv_x");
    String id = listed.replaceAll(".*\"id\":\"(conv_x[^\"]*)\".*", "$1");
    assertThat(ann.conversations().items().list(id).items())
        .extracting(ConversationsTest::text)
        .containsExactly("hi");
    OpenAIClient bob = live.openAi("bob");
    assertThatThrownBy(() -> bob.conversations().retrieve(id))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("Conversation with id '" + id + "' not found.");
  }

  @Test
  void aLimitOverAHundredAndAnUnknownCursorAreRefusedAsOpenAiDoes() {
    String id = conversationOf(1);
    assertThatThrownBy(
            () ->
                ann.conversations().items().list(id, ItemListParams.builder().limit(1000).build()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(
            "Invalid 'limit': integer above maximum value. Expected a value <= 100,"
                + " but got 1000 instead.");
    assertThatThrownBy(
            () ->
                ann.conversations()
                    .items()
                    .list(id, ItemListParams.builder().after("msg_unknown").build()))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(
            () ->
                ann.conversations()
                    .items()
                    .list("conv_none", ItemListParams.builder().limit(1000).build()))
        .isInstanceOf(NotFoundException.class);
  }

  @Test
  void aWrongKeyIsRefusedWithOpenAisCode() {
    var answer = live.send("GET", "/v1/conversations/x", "", "Authorization", "Bearer clew_no");
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("\"code\":\"invalid_api_key\"");
    assertThat(UnauthorizedException.class).isNotNull();
  }

  @Test
  void malformedItemsAreRefusedWithTheirPlaceAndNothingIsWritten() {
    String id = conversationOf(0);
    Map<String, String> bad =
        Map.of(
            "{\"items\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"king\",\"content\":\"\"}]}",
            "\"param\":\"items[1].role\"",
            "{\"items\":[{\"role\":\"user\"}]}",
            "\"param\":\"items[0].content\"",
            "{\"items\":{}}",
            "\"code\":\"invalid_type\"",
            "{\"items\":",
            "\"code\":\"invalid_json\"",
            "{}",
            "\"code\":\"missing_required_parameter\"");
    String token = "Bearer " + live.token("ann");
    bad.forEach(
        (body, expected) -> {
          var answer =
              live.send("POST", "/v1/conversations/" + id + "/items", body, "Authorization", token);
          assertThat(answer.statusCode()).as(body).isEqualTo(400);
          assertThat(answer.body()).contains(expected);
        });
    assertThat(store.session(new SessionKey("ann", id)).getItems()).isEmpty();
  }

  @Test
  void aKeyThatCameWithOtherItemsIsRefusedInTheWordsOfResponses() {
    String path = "/v1/conversations/" + conversationOf(0) + "/items";
    String body = "{\"items\":[{\"role\":\"user\",\"content\":\"one\"}]}";
    Caller caller = new Caller(live, "ann");
    String first = caller.post(path, body, "Idempotency-Key", "k").is(200).body();
    assertThat(caller.post(path, body, "Idempotency-Key", "k").is(200).body()).isEqualTo(first);
    Caller.Answer reused = caller.post(path, body.replace("one", "two"), "Idempotency-Key", "k");
    assertThat(Caller.object(reused.is(400).json().get("error")))
        .containsEntry("code", "idempotency_key_reused")
        .containsEntry("param", "Idempotency-Key")
        .containsEntry(
            "message", "This Idempotency-Key was used for another request; use a new one.");
    assertThat(caller.get(path).is(200).data()).hasSize(1);
  }
}
