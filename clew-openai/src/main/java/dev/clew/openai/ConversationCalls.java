package dev.clew.openai;

import com.openai.models.conversations.ConversationCreateParams;
import com.openai.models.conversations.ConversationDeleteParams;
import com.openai.models.conversations.items.ItemCreateParams;
import com.openai.models.conversations.items.ItemDeleteParams;
import com.openai.models.conversations.items.ItemListParams;
import com.openai.models.responses.ResponseIncludable;
import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The calls of the Conversations API that a session needs. Thread-safe. */
record ConversationCalls(Api api) {
  private static final int MOST_IN_A_PAGE = 100;

  String place() {
    return api.place();
  }

  /** Makes a conversation. If the answer is lost and it is made twice, one stays empty. */
  String make() {
    String answer =
        api.call(
            "{\"items\":[]}",
            true,
            client ->
                client.conversations().withRawResponse().create(ConversationCreateParams.none()));
    return id(answer);
  }

  /** The newest items, newest first. */
  List<Item> newest(String conversation, int limit) {
    return read(conversation, limit, ItemListParams.Order.DESC);
  }

  /** Every item, oldest first. */
  List<Item> all(String conversation) {
    return read(conversation, Integer.MAX_VALUE, ItemListParams.Order.ASC);
  }

  private List<Item> read(String conversation, int limit, ItemListParams.Order order) {
    List<Item> items = new ArrayList<>();
    String after = "";
    boolean more = true;
    while (more && items.size() < limit) {
      int wanted = Math.min(MOST_IN_A_PAGE, limit - items.size());
      Map<String, String> page = Json.fields(list(conversation, wanted, order, after));
      List<String> data = ResponsesAnswer.elements(page.get("data"));
      items.addAll(ResponsesAnswer.items(data));
      more = "true".equals(page.get("has_more"));
      if (more) {
        after = next(page, data, after);
      }
    }
    return items.subList(0, Math.min(limit, items.size()));
  }

  /** The cursor of the next page, which must be another one than that of this page. */
  private static String next(Map<String, String> page, List<String> data, String after) {
    String last = Json.string(page.get("last_id"));
    if ((last == null || last.isEmpty()) && !data.isEmpty()) {
      last = id(data.get(data.size() - 1));
    }
    if (last == null || last.isEmpty() || last.equals(after)) {
      throw ApiFailure.malformed("a page that has more, but does not say from where");
    }
    return last;
  }

  private String list(String conversation, int limit, ItemListParams.Order order, String after) {
    ItemListParams.Builder params =
        ItemListParams.builder()
            .conversationId(conversation)
            .limit((long) limit)
            .order(order)
            // Without being asked for them it leaves out the addresses of images.
            .addInclude(ResponseIncludable.MESSAGE_INPUT_IMAGE_IMAGE_URL);
    if (!after.isEmpty()) {
      params.after(after);
    }
    return api.call(
        null,
        true,
        client -> client.conversations().items().withRawResponse().list(params.build()));
  }

  /** Adds items and returns the ids they were given. */
  List<String> add(String conversation, List<String> items) {
    ItemCreateParams params =
        ItemCreateParams.builder().conversationId(conversation).items(List.of()).build();
    String answer =
        api.call(
            new JsonObject().array("items", items).json(),
            false,
            client -> client.conversations().items().withRawResponse().create(params));
    return ResponsesAnswer.elements(Json.fields(answer).get("data")).stream()
        .map(ConversationCalls::id)
        .toList();
  }

  /**
   * Deletes an item.
   *
   * @param repeatable whether the call may be repeated
   */
  void deleteItem(String conversation, String item, boolean repeatable) {
    ItemDeleteParams params =
        ItemDeleteParams.builder().conversationId(conversation).itemId(item).build();
    api.call(
        null,
        repeatable,
        client -> client.conversations().items().withRawResponse().delete(params));
  }

  void delete(String conversation) {
    ConversationDeleteParams params =
        ConversationDeleteParams.builder().conversationId(conversation).build();
    api.call(null, true, client -> client.conversations().withRawResponse().delete(params));
  }

  /** The id that an object carries. */
  static String id(String json) {
    String id = Json.string(Json.fields(json).get("id"));
    if (id == null || id.isEmpty()) {
      throw ApiFailure.malformed("an object without an id");
    }
    return id;
  }
}
