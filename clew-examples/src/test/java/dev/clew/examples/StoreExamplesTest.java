package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.manage.SessionManager;
import dev.clew.memory.MemoryStore;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of stores, and of many sessions in one. */
class StoreExamplesTest {
  private static final String UNKNOWN =
      "I do not know: you have not told me your name in this conversation.";

  @TempDir Path folder;

  @Test
  void openSqlite_opensTheSameFileInEachWay() {
    Path path = folder.resolve("data/conversations.db");
    try (SessionStore file = OpenSqlite.file(path);
        SessionStore url = OpenSqlite.byUrl(path);
        SessionStore own = OpenSqlite.ownTables(path);
        SessionStore memory = OpenSqlite.inMemory()) {
      file.session("s").addItems(List.of(Item.user("a")));
      own.session("s").addItems(List.of(Item.user("b")));

      assertThat(url.session("s").getItems()).containsExactly(Item.user("a"));
      assertThat(url.session("s").settings().limit()).isEqualTo(OptionalInt.of(50));
      assertThat(own.session("s").getItems()).containsExactly(Item.user("b"));
      assertThat(memory.session("s").getItems()).isEmpty();
    }
  }

  @Test
  void customTables_remembersFromOneRunOfTheProgramToTheNext() {
    Path file = folder.resolve("conversations/agents.db");
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    CustomTables.talk(file, first::add);
    CustomTables.talk(file, second::add);

    assertThat(first.get(1)).contains("我不知道");
    assertThat(second.get(1)).isEqualTo("助手: 你叫张三。");
    try (SessionStore store =
        SqliteStore.builder(file.toString())
            .sessionsTable("chat_sessions")
            .messagesTable("chat_messages")
            .open()) {
      assertThat(store.session("user_123_chat").getItems()).hasSize(12);
    }
  }

  @Test
  void sessionLifecycle_hasTheHistoryOfTheUserWhenItIsOpenedAgain() {
    Path file = folder.resolve("c.db");
    try (SessionStore store = SqliteStore.open(file)) {
      SessionLifecycle.chat(store, "ada", "My name is Ada.");
    }
    try (SessionStore store = SqliteStore.open(file)) {
      assertThat(SessionLifecycle.chat(store, "ada", "What is my name?"))
          .isEqualTo("(2 items before) Your name is Ada.");
      assertThat(SessionLifecycle.chat(store, "bob", "What is my name?"))
          .isEqualTo("(0 items before) " + UNKNOWN);
    }
  }

  @Test
  void swapStores_talksTheSameOnAll() {
    assertThat(SwapStores.urls(folder))
        .hasSize(4)
        .allSatisfy(
            url ->
                assertThat(SwapStores.talk(url))
                    .containsExactly("Nice to meet you, Ada.", "Your name is Ada."));
  }

  @Test
  void concurrentWriters_loseNothingAndTearNoBatchApart()
      throws InterruptedException, ExecutionException {
    try (SessionStore store = SqliteStore.open(folder.resolve("c.db"))) {
      ConcurrentWriters.write(store, "shared", 4, 10);
      List<Item> items = store.session("shared").getItems();

      assertThat(items).hasSize(80).doesNotHaveDuplicates();
      for (int i = 0; i < items.size(); i += 2) {
        String text = items.get(i).json().replace("user", "assistant").replace("input", "output");
        assertThat(items.get(i + 1).json()).isEqualTo(text);
      }
    }
  }

  @Test
  void retryOnFailure_writesOnceAlthoughTheAnswerGotLost() {
    try (SessionStore store =
        RetryOnFailure.patient(RetryOnFailure.unreliable(new MemoryStore()))) {
      store.session("chat").addItems(List.of(Item.user("Hello")));
      assertThat(store.session("chat").getItems()).containsExactly(Item.user("Hello"));
    }
  }

  @Test
  void retryOnFailure_repeatsWhatCouldNotBeReached() {
    AtomicInteger calls = new AtomicInteger();
    SessionStore down =
        BackendStore.decorate(
            new MemoryStore(),
            backend ->
                new ForwardingBackend(backend) {
                  @Override
                  public Receipt commit(SessionKey key, Commit transaction) {
                    if (calls.incrementAndGet() < 3) {
                      throw new ClewException.StoreUnavailable("down", null);
                    }
                    return super.commit(key, transaction);
                  }
                });
    try (SessionStore store = RetryOnFailure.patient(down)) {
      store.session("chat").addItems(List.of(Item.user("Hello")));
      assertThat(calls).hasValue(3);
      assertThat(store.session("chat").getItems()).hasSize(1);
    }
  }

  @Test
  void manyUsers_haveSessionsOfTheirOwn() {
    try (SessionStore store = new MemoryStore()) {
      ManyUsers service = new ManyUsers(store);
      service.handle("user_001", "work", "My name is Ada.");
      assertThat(service.handle("user_001", "work", "What is my name?"))
          .isEqualTo("Your name is Ada.");
      assertThat(service.handle("user_001", "personal", "What is my name?")).isEqualTo(UNKNOWN);
      assertThat(service.handle("user_002", "work", "What is my name?")).isEqualTo(UNKNOWN);
      assertThat(store.session(new SessionKey("user_001", "work")).getItems()).hasSize(4);
      assertThat(service.removeOlderThan(Duration.ofDays(30))).isZero();
    }
  }

  @Test
  void chatManager_showsMessagesOfUserAndAssistant() {
    try (SessionStore store = new MemoryStore()) {
      SessionManager sessions = new SessionManager(store);
      sessions.addMessage("feishu:oc_xxx", "system", "Be brief.");
      sessions.addMessage("feishu:oc_xxx", "user", "Hello");
      assertThat(ChatManager.history(sessions, "feishu:oc_xxx")).containsExactly("user: Hello");
    }
  }

  @Test
  void messengerBot_answersAMessageThatIsDeliveredTwiceOnce() {
    try (SessionStore store = new MemoryStore()) {
      MessengerBot bot = new MessengerBot(store);
      MessengerBot.Message message =
          new MessengerBot.Message("om_1", "group", "oc_5", "ou_ada", "My name is Ada.");
      assertThat(bot.onMessage(message)).isEqualTo("Nice to meet you, Ada.");
      assertThat(bot.onMessage(message)).isEqualTo("Nice to meet you, Ada.");
      assertThat(store.session("feishu:oc_5").getItems())
          .containsExactly(Item.user("My name is Ada."), Item.assistant("Nice to meet you, Ada."));
      assertThat(store.session("feishu:ou_ada").getItems()).isEmpty();

      MessengerBot.Message other =
          new MessengerBot.Message("om_2", "private", "oc_9", "ou_ada", "Who am I?");
      assertThat(bot.onMessage(other)).isEqualTo(UNKNOWN);
      assertThat(store.session("feishu:ou_ada").getItems()).hasSize(2);
    }
  }
}
