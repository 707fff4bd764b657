package dev.clew.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
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

  /** In a class of its own, since Spring AI 1.1 lacks what it uses and loads the others. */
  private static final class Client {
    static String ask(ChatMemory memory, ScriptedModel model, String question) {
      return request(memory, model, question).call().content();
    }

    static String stream(ChatMemory memory, ScriptedModel model, String question) {
      return request(memory, model, question).stream()
          .content()
          .collect(Collectors.joining())
          .block(Duration.ofSeconds(60));
    }

    private static ChatClient.ChatClientRequestSpec request(
        ChatMemory memory, ScriptedModel model, String question) {
      return ChatClient.builder(model)
          .defaultAdvisors(ClewAdvisors.insideToolLoop(memory))
          .build()
          .prompt()
          .system("rules")
          .user(question)
          .tools(new Weather())
          .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, "trip"));
    }
  }

  /** A model that says what it is given to say. */
  private static final class ScriptedModel implements ChatModel {
    private final Deque<AssistantMessage> script = new ArrayDeque<>();
    private final List<List<Message>> asked = new ArrayList<>();

    void says(AssistantMessage answer) {
      script.add(answer);
    }

    List<MessageType> types(int call) {
      return asked.get(call).stream().map(Message::getMessageType).toList();
    }

    @Override
    public ChatResponse call(Prompt prompt) {
      asked.add(List.copyOf(prompt.getInstructions()));
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
