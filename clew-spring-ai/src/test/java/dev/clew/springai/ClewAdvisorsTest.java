package dev.clew.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.memory.MemoryStore;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import reactor.core.publisher.Flux;

/** A whole turn of a {@code ChatClient} with a tool. */
@Tag("spring-ai-2")
class ClewAdvisorsTest {
  private final MemoryStore store = new MemoryStore();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void callsAndResultsAreKeptAndEachIsShownOnce() {
    ChatMemory memory = ClewChatMemory.of(store);
    ScriptedModel model = new ScriptedModel();
    model.says(
        AssistantMessage.builder()
            .content("")
            .toolCalls(List.of(new ToolCall("a", "function", "weather", "{}")))
            .build());
    model.says(new AssistantMessage("rain"));
    model.says(new AssistantMessage("an umbrella"));

    assertThat(Client.ask(memory, model, "weather?")).isEqualTo("rain");
    assertThat(store.session("trip").getItems())
        .containsExactly(
            Item.user("weather?"),
            Item.functionCall("a", "weather", "{}"),
            Item.functionCallOutput("a", "it rains"),
            Item.assistant("rain"));
    assertThat(model.types(1))
        .containsExactly(
            MessageType.SYSTEM, MessageType.USER, MessageType.ASSISTANT, MessageType.TOOL);

    assertThat(Client.ask(memory, model, "what to take?")).isEqualTo("an umbrella");
    assertThat(model.types(2))
        .containsExactly(
            MessageType.SYSTEM,
            MessageType.USER,
            MessageType.ASSISTANT,
            MessageType.TOOL,
            MessageType.ASSISTANT,
            MessageType.USER);
  }

  @Test
  void theCallsOfATurnThatFailedAreNotShownAgain() {
    ChatMemory memory = ClewChatMemory.of(store);
    memory.add("trip", new UserMessage("weather?"));
    memory.add(
        "trip",
        AssistantMessage.builder()
            .content("")
            .toolCalls(List.of(new ToolCall("a", "function", "weather", "{}")))
            .build());
    ScriptedModel model = new ScriptedModel();
    model.says(new AssistantMessage("hello"));
    assertThat(Client.ask(memory, model, "hi")).isEqualTo("hello");
    assertThat(model.types(0))
        .containsExactly(MessageType.SYSTEM, MessageType.USER, MessageType.USER);
    assertThat(store.session("trip").getItems()).hasSize(4);
  }

  @Test
  void aStreamIsKeptToo() {
    ChatMemory memory = ClewChatMemory.of(store);
    ScriptedModel model = new ScriptedModel();
    model.says(
        AssistantMessage.builder()
            .content("")
            .toolCalls(List.of(new ToolCall("a", "function", "weather", "{}")))
            .build());
    model.says(new AssistantMessage("rain"));
    assertThat(Client.stream(memory, model, "weather?")).isEqualTo("rain");
    assertThat(store.session("trip").getItems())
        .containsExactly(
            Item.user("weather?"),
            Item.functionCall("a", "weather", "{}"),
            Item.functionCallOutput("a", "it rains"),
            Item.assistant("rain"));
  }

  private ClewChatMemory leased() {
    return ClewChatMemory.builder(store).turnLease(Duration.ofMinutes(1)).build();
  }

  private void assertNobodyWaits() {
    assertThat(store.leases().holder(SessionKey.of("trip"), "turn")).isEmpty();
  }

  /** The first turn is answered when the second waits for it. */
  private void assertTheSecondTurnSeesTheFirst(ClewChatMemory memory, List<Advisor> advisors)
      throws InterruptedException {
    ScriptedModel model = new ScriptedModel();
    model.says(new AssistantMessage("a1"));
    model.says(new AssistantMessage("a2"));
    Thread second = new Thread(() -> Client.ask(advisors, model, "q2"));
    model.beforeAnswer(
        () -> {
          if (second.getState() == Thread.State.NEW) {
            second.start();
            while (second.isAlive() && second.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait();
            }
          }
        });
    Client.ask(advisors, model, "q1");
    second.join(60_000);
    assertThat(model.texts(1)).containsExactly("rules", "q1", "a1", "q2");
    assertThat(memory.get("trip")).hasSize(4);
    assertNobodyWaits();
  }

  @Test
  void aTurnSeesTheAnswerThatItWaitedFor() throws Exception {
    ClewChatMemory memory = leased();
    assertTheSecondTurnSeesTheFirst(memory, ClewAdvisors.insideToolLoop(memory));
    memory.clear("trip");
    assertTheSecondTurnSeesTheFirst(
        memory,
        List.of(
            ClewAdvisors.oneTurnAtATime(memory), MessageChatMemoryAdvisor.builder(memory).build()));
  }

  @Test
  void aTurnThatFailedKeepsNobodyWaiting() {
    ClewChatMemory memory = leased();
    ScriptedModel broken = new ScriptedModel(); // has nothing to say
    List<Advisor> advisors = ClewAdvisors.insideToolLoop(memory);
    assertThatThrownBy(() -> Client.ask(advisors, broken, "q1"))
        .isInstanceOf(NoSuchElementException.class);
    assertNobodyWaits();
    assertThatThrownBy(() -> Client.stream(memory, broken, "q2"))
        .isInstanceOf(NoSuchElementException.class);
    assertNobodyWaits();
    ScriptedModel model = new ScriptedModel();
    model.says(new AssistantMessage("a3"));
    assertThat(Client.stream(memory, model, "q3")).isEqualTo("a3");
    assertNobodyWaits();
    assertThatThrownBy(() -> ClewAdvisors.oneTurnAtATime(ClewChatMemory.of(store)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("turnLease");
  }

  /** In a class of its own, since Spring AI 1.1 lacks what it uses and loads the others. */
  private static final class Client {
    static String ask(ChatMemory memory, ScriptedModel model, String question) {
      return ask(ClewAdvisors.insideToolLoop(memory), model, question);
    }

    static String ask(List<Advisor> advisors, ScriptedModel model, String question) {
      return request(advisors, model, question).call().content();
    }

    static String stream(ChatMemory memory, ScriptedModel model, String question) {
      return request(ClewAdvisors.insideToolLoop(memory), model, question).stream()
          .content()
          .collect(Collectors.joining())
          .block(Duration.ofSeconds(60));
    }

    private static ChatClient.ChatClientRequestSpec request(
        List<Advisor> advisors, ScriptedModel model, String question) {
      return ChatClient.builder(model)
          .defaultAdvisors(advisors)
          .build()
          .prompt()
          .system("rules")
          .user(question)
          .tools(new Weather())
          .advisors(spec -> spec.param(ChatMemory.CONVERSATION_ID, "trip"));
    }
  }

  /** A model that says what it is given to say. */
  private static final class ScriptedModel implements ChatModel {
    private final Deque<AssistantMessage> script = new ConcurrentLinkedDeque<>();
    private final List<List<Message>> asked = new CopyOnWriteArrayList<>();

    private Runnable beforeAnswer = () -> {};

    void beforeAnswer(Runnable action) {
      this.beforeAnswer = action;
    }

    List<String> texts(int call) {
      return asked.get(call).stream().map(Message::getText).toList();
    }

    void says(AssistantMessage answer) {
      script.add(answer);
    }

    List<MessageType> types(int call) {
      return asked.get(call).stream().map(Message::getMessageType).toList();
    }

    @Override
    public ChatResponse call(Prompt prompt) {
      asked.add(List.copyOf(prompt.getInstructions()));
      beforeAnswer.run();
      return new ChatResponse(List.of(new Generation(script.remove())));
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
      return Flux.just(call(prompt));
    }

    @Override
    public ChatOptions getOptions() {
      return ToolCallingChatOptions.builder().build();
    }
  }

  private static final class Weather implements ToolCallback {
    @Override
    public ToolDefinition getToolDefinition() {
      return ToolDefinition.builder()
          .name("weather")
          .description("The weather")
          .inputSchema("{\"type\":\"object\"}")
          .build();
    }

    @Override
    public String call(String input) {
      return "it rains";
    }
  }
}
