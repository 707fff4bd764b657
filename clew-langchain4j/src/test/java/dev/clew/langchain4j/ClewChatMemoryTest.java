package dev.clew.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.adapter.Turn;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.FaultyStore;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.SystemMessage;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory, alone and in an AI service, and LangChain4j's own one over the store. */
class ClewChatMemoryTest {
  private final MemoryStore store = new MemoryStore();
  private final ScriptedModel model = new ScriptedModel();

  @AfterEach
  void close() {
    store.close();
  }

  /** An AI service. */
  interface Assistant {
    @SystemMessage("rules")
    String ask(@MemoryId Object id, @dev.langchain4j.service.UserMessage String question);
  }

  /** Its tools. */
  static final class Weather {
    @Tool
    String weather() {
      return "it rains";
    }
  }

  private Assistant assistant() {
    return AiServices.builder(Assistant.class)
        .chatModel(model)
        .tools(new Weather())
        .chatMemoryProvider(ClewChatMemoryProvider.of(store))
        .build();
  }

  private static AiMessage calling() {
    return AiMessage.from(
        ToolExecutionRequest.builder().id("a").name("weather").arguments("{}").build());
  }

  private List<Item> items() {
    return store.session("trip").getItems();
  }

  @Test
  void anAiServiceKeepsEverythingOnce() {
    model.says(calling(), AiMessage.from("rain"), AiMessage.from("an umbrella"));
    assertThat(assistant().ask("trip", "weather?")).isEqualTo("rain");
    assertThat(assistant().ask("trip", "what to take?")).isEqualTo("an umbrella");
    assertThat(items())
        .containsExactly(
            Item.system("rules"),
            Item.user("weather?"),
            Item.functionCall("a", "weather", "{}"),
            Item.functionCallOutput("a", "it rains"),
            Item.assistant("rain"),
            Item.user("what to take?"),
            Item.assistant("an umbrella"));
    assertThat(model.asked.get(2)).hasSize(6);
    assertThat(model.asked.get(2).get(0))
        .isInstanceOf(dev.langchain4j.data.message.SystemMessage.class);
  }

  @Test
  void aTurnThatFailedDoesNotSpoilTheNext() {
    model.says(calling());
    Assistant assistant = assistant();
    assertThatThrownBy(() -> assistant.ask("trip", "weather?")).isNotNull();
    store.session("trip").addItems(List.of(Item.functionCall("b", "weather", "{}")));
    model.says(AiMessage.from("hello"));
    assistant.ask("trip", "hi");
    List<ChatMessage> shown = model.asked.get(model.asked.size() - 1);
    assertThat(shown.toString()).contains("id = \"a\"").doesNotContain("id = \"b\"");
    assertThat(items().toString()).contains("\"call_id\":\"b\"");
  }

  private String askInTurn(ClewChatMemoryProvider memories, Assistant assistant, String question) {
    Turn turn = memories.turn("trip");
    try {
      return assistant.ask("trip", question);
    } finally {
      turn.close();
    }
  }

  @Test
  void aTurnSeesTheAnswerThatItWaitedFor_andOneThatFailedKeepsNobodyWaiting() throws Exception {
    ClewChatMemoryProvider memories =
        ClewChatMemoryProvider.builder(store).turnLease(Duration.ofMinutes(1)).build();
    Assistant assistant =
        AiServices.builder(Assistant.class).chatModel(model).chatMemoryProvider(memories).build();
    model.says(AiMessage.from("a1"), AiMessage.from("a2"));
    Thread second = new Thread(() -> askInTurn(memories, assistant, "q2"));
    model.beforeAnswer =
        () -> {
          if (second.getState() == Thread.State.NEW) {
            second.start();
            while (second.isAlive() && second.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait();
            }
          }
        };
    assertThat(askInTurn(memories, assistant, "q1")).isEqualTo("a1");
    second.join(60_000);
    assertThat(model.asked.get(1))
        .containsExactly(
            dev.langchain4j.data.message.SystemMessage.from("rules"),
            UserMessage.from("q1"),
            AiMessage.from("a1"),
            UserMessage.from("q2"));

    assertThatThrownBy(() -> askInTurn(memories, assistant, "q3")).isNotNull();
    assertThat(store.leases().holder(SessionKey.of("trip"), "turn")).isEmpty();
  }

  @Test
  void idsOfSessionsAndOwners() {
    model.says(AiMessage.from("one"), AiMessage.from("two"));
    Assistant assistant = assistant();
    assistant.ask(7, "q");
    assistant.ask(new SessionKey("ann", "trip"), "q");
    assertThat(store.session("7").getItems()).hasSize(3);
    assertThat(store.session(new SessionKey("ann", "trip")).getItems()).hasSize(3);
    assertThatThrownBy(() -> assistant.ask(List.of("no"), "q"))
        .hasStackTraceContaining("cannot name a session; use a String");
  }

  @Test
  void settingTheListWritesOnlyWhatIsNew() {
    ChatMemory memory = ClewChatMemory.of(store, "trip");
    memory.add(UserMessage.from("q1"), AiMessage.from("a1"));
    List<ChatMessage> list = new ArrayList<>(memory.messages());
    list.add(0, dev.langchain4j.data.message.SystemMessage.from("rules"));
    list.add(UserMessage.from("q2"));
    memory.set(list);
    assertThat(memory.messages()).isEqualTo(list);
    assertThat(items()).hasSize(4);
    list = new ArrayList<>(memory.messages());
    list.set(2, AiMessage.from("better"));
    memory.set(list);
    assertThat(memory.messages()).isEqualTo(list);
    assertThat(store.session("trip").entries(Range.latest(100).withCompacted()).items().toString())
        .contains("a1");
    assertThatThrownBy(() -> memory.set(List.of())).isInstanceOf(IllegalArgumentException.class);
    memory.clear();
    assertThat(memory.messages()).isEmpty();
  }

  @Test
  void theirOwnWindowOverTheStoreLosesNothing() {
    ChatMemory memory =
        MessageWindowChatMemory.builder()
            .id("trip")
            .maxMessages(5)
            .chatMemoryStore(ClewChatMemoryStore.of(store))
            .build();
    memory.add(dev.langchain4j.data.message.SystemMessage.from("rules"));
    for (int i = 1; i <= 50; i++) {
      memory.add(UserMessage.from("q" + i));
      memory.add(AiMessage.from("a" + i));
    }
    memory.add(dev.langchain4j.data.message.SystemMessage.from("other rules"));
    assertThat(memory.messages())
        .hasSize(5)
        .contains(
            AiMessage.from("a50"), dev.langchain4j.data.message.SystemMessage.from("other rules"));
    assertThat(items()).hasSize(102);
  }

  @Test
  void theAsynchronousMethodsDoTheSame() throws Exception {
    ClewChatMemory memory = ClewChatMemory.of(store, "trip");
    await(memory.addAsync(List.of(UserMessage.from("q1"), AiMessage.from("a1"))));
    List<ChatMessage> list = new ArrayList<>(await(memory.messagesAsync()));
    list.add(UserMessage.from("q2"));
    await(memory.setAsync(list));
    assertThat(await(memory.messagesAsync())).isEqualTo(list);
    ClewChatMemoryStore all = ClewChatMemoryStore.of(store);
    list = new ArrayList<>(await(all.getMessagesAsync("trip")));
    list.add(AiMessage.from("a2"));
    await(all.updateMessagesAsync("trip", list));
    assertThat(items()).hasSize(4);
    await(all.deleteMessagesAsync("trip"));
    assertThat(await(all.getMessagesAsync("trip"))).isEmpty();
  }

  /** Where the interfaces have asynchronous methods, they are the ones here. */
  @Test
  void theInterfacesFindTheAsynchronousMethods() {
    for (Method method : ChatMemory.class.getMethods()) {
      if (method.getReturnType() == CompletableFuture.class) {
        assertThat(ClewChatMemory.class.getMethods())
            .anyMatch(
                own -> own.getDeclaringClass() == ClewChatMemory.class && isSame(own, method));
      }
    }
    for (Method method : dev.langchain4j.store.memory.chat.ChatMemoryStore.class.getMethods()) {
      assertThat(ClewChatMemoryStore.class.getMethods())
          .anyMatch(
              own -> own.getDeclaringClass() == ClewChatMemoryStore.class && isSame(own, method));
    }
  }

  private static boolean isSame(Method one, Method other) {
    return one.getName().equals(other.getName())
        && List.of(one.getParameterTypes()).equals(List.of(other.getParameterTypes()))
        && one.getReturnType() == other.getReturnType();
  }

  private static <T> T await(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aStoreThatIsAwaySaysSo() {
    FaultyStore faulty = new FaultyStore(store);
    ChatMemory memory = ClewChatMemory.of(faulty, "trip");
    memory.add(UserMessage.from("q"));
    faulty.failBefore(FaultyStore.every("apply"));
    assertThatThrownBy(() -> memory.add(calling(), AiMessage.from("a")))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    assertThat(items()).hasSize(1);
  }

  /** A model that says what it is given to say. */
  private static final class ScriptedModel implements ChatModel {
    private final Deque<AiMessage> script = new ConcurrentLinkedDeque<>();
    private final List<List<ChatMessage>> asked = new CopyOnWriteArrayList<>();
    private volatile Runnable beforeAnswer = () -> {};

    void says(AiMessage... answers) {
      script.addAll(List.of(answers));
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
      asked.add(List.copyOf(request.messages()));
      beforeAnswer.run();
      return ChatResponse.builder().aiMessage(script.remove()).build();
    }
  }
}
