package dev.clew.frameworks;

import com.google.adk.agents.LlmAgent;
import com.google.adk.artifacts.InMemoryArtifactService;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.Runner;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.adk.ClewSessionService;
import dev.clew.agentscope.ClewAgentStateStore;
import dev.clew.langchain4j.ClewChatMemoryProvider;
import dev.clew.springai.ClewAdvisors;
import dev.clew.springai.ClewChatMemory;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import io.agentscope.core.ReActAgent;
import io.agentscope.core.agent.RuntimeContext;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.model.ChatModelBase;
import io.agentscope.core.model.GenerateOptions;
import io.agentscope.core.model.ToolSchema;
import io.reactivex.rxjava3.core.Flowable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import reactor.core.publisher.Flux;

/** One turn of a session in each framework. Each returns the texts that its model was shown. */
final class Turns {
  private Turns() {}

  /** In Spring AI, with a call of a tool whose result is rain. */
  static List<String> springAi(SessionStore store, SessionKey key, String question, String answer) {
    List<String> seen = new ArrayList<>();
    Deque<AssistantMessage> script = new ArrayDeque<>();
    script.add(
        AssistantMessage.builder()
            .content("")
            .properties(Map.of("finishReason", "TOOL_CALLS"))
            .toolCalls(List.of(new ToolCall("call_1", "function", "weather", "{}")))
            .build());
    script.add(new AssistantMessage(answer));
    ChatModel model =
        new ChatModel() {
          @Override
          public ChatResponse call(Prompt prompt) {
            seen.clear();
            prompt.getInstructions().stream().map(Message::getText).forEach(seen::add);
            return new ChatResponse(List.of(new Generation(script.remove())));
          }

          @Override
          public ChatOptions getOptions() {
            return ToolCallingChatOptions.builder().build();
          }
        };
    ToolCallback weather =
        new ToolCallback() {
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
            return "rain";
          }
        };
    ChatMemory memory = ClewChatMemory.builder(store).keys(id -> key).build();
    ChatClient.builder(model)
        .defaultAdvisors(ClewAdvisors.insideToolLoop(memory))
        .build()
        .prompt()
        .user(question)
        .tools(weather)
        .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, key.id()))
        .call()
        .content();
    return seen;
  }

  /** An AI service of LangChain4j. */
  interface Assistant {
    String ask(@MemoryId Object id, @UserMessage String question);
  }

  static List<String> langChain4j(
      SessionStore store, SessionKey key, String question, String answer) {
    List<String> seen = new ArrayList<>();
    dev.langchain4j.model.chat.ChatModel model =
        new dev.langchain4j.model.chat.ChatModel() {
          @Override
          public dev.langchain4j.model.chat.response.ChatResponse doChat(
              dev.langchain4j.model.chat.request.ChatRequest request) {
            request.messages().stream().map(ChatMessage::toString).forEach(seen::add);
            return dev.langchain4j.model.chat.response.ChatResponse.builder()
                .aiMessage(
                    AiMessage.builder()
                        .text(answer)
                        .thinking("I have seen it")
                        .attributes(Map.of("thinking_signature", "only mine"))
                        .build())
                .build();
          }
        };
    AiServices.builder(Assistant.class)
        .chatModel(model)
        .chatMemoryProvider(ClewChatMemoryProvider.of(store))
        .build()
        .ask(key, question);
    return seen;
  }

  /** In ADK, by a model of Google that seals its thoughts, in the session of an app. */
  static List<String> adk(
      SessionStore store, String user, String app, String id, String question, String answer) {
    List<String> seen = new ArrayList<>();
    BaseLlm model =
        new BaseLlm("scripted") {
          @Override
          public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
            request.contents().stream().map(Content::toString).forEach(seen::add);
            Part thought =
                Part.builder()
                    .text("Hm")
                    .thought(true)
                    .thoughtSignature("sealed".getBytes(StandardCharsets.UTF_8))
                    .build();
            Content content =
                Content.builder()
                    .role("model")
                    .parts(List.of(thought, Part.fromText(answer)))
                    .build();
            return Flowable.just(LlmResponse.builder().content(content).build());
          }

          @Override
          public BaseLlmConnection connect(LlmRequest request) {
            throw new UnsupportedOperationException();
          }
        };
    Runner runner =
        Runner.builder()
            .agent(LlmAgent.builder().name("guide").model(model).build())
            .appName(app)
            .artifactService(new InMemoryArtifactService())
            .sessionService(ClewSessionService.builder(store).agentName("guide").build())
            .build();
    var unused =
        runner
            .runAsync(user, id, Content.fromParts(Part.fromText(question)))
            .toList()
            .blockingGet();
    return seen;
  }

  static List<String> agentScope(
      SessionStore store, SessionKey key, String question, String answer) {
    List<String> seen = new ArrayList<>();
    ChatModelBase model =
        new ChatModelBase() {
          @Override
          protected Flux<io.agentscope.core.model.ChatResponse> doStream(
              List<Msg> messages, List<ToolSchema> tools, GenerateOptions options) {
            messages.stream().map(message -> message.getContent().toString()).forEach(seen::add);
            return Flux.just(
                io.agentscope.core.model.ChatResponse.builder()
                    .id("a")
                    .content(List.of(TextBlock.builder().text(answer).build()))
                    .build());
          }

          @Override
          public String getModelName() {
            return "scripted";
          }
        };
    ReActAgent agent =
        ReActAgent.builder()
            .name("guide")
            .model(model)
            .stateStore(ClewAgentStateStore.of(store))
            .build();
    RuntimeContext context =
        RuntimeContext.builder().userId(key.owner()).sessionId(key.id()).build();
    agent.call(question, context).block();
    return seen;
  }
}
