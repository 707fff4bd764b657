package dev.clew.openai;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.tck.SessionContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;

/**
 * The contract of every session, on a conversation whose ids are looked away from: those that its
 * items are given, and its own, which it forgets when it is cleared.
 */
class ConversationContractTest extends SessionContract {
  private final TestServer server = new TestServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected Session open() {
    return new WithoutNewIds(
        OpenAiModels.builder(Map.of()).baseUrl(server.baseUrl()).conversation());
  }

  /** Items as they were before the provider gave them ids. */
  private record WithoutNewIds(OpenAiConversationsSession session) implements Session {
    private static final Pattern NEW_ID = Pattern.compile("^\\{\"id\":\"item_[0-9]+\",?");

    private static Item without(Item item) {
      return Item.stored(NEW_ID.matcher(item.json()).replaceFirst("{"));
    }

    @Override
    public String id() {
      return "the same";
    }

    @Override
    public List<Item> getItems() {
      return session.getItems().stream().map(WithoutNewIds::without).toList();
    }

    @Override
    public List<Item> getItems(int limit) {
      return session.getItems(limit).stream().map(WithoutNewIds::without).toList();
    }

    @Override
    public void addItems(List<Item> items) {
      session.addItems(items);
    }

    @Override
    public Optional<Item> popItem() {
      return session.popItem().map(WithoutNewIds::without);
    }

    @Override
    public void clearSession() {
      session.clearSession();
    }
  }
}
