package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.CompactionOptions;
import dev.clew.agent.CompactionReport;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.agent.Tool;
import dev.clew.openai.OpenAiConversationsSession;
import dev.clew.openai.OpenAiModels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Our own session, model and compactor for OpenAI work against our own server. */
class OwnClientsTest {
  private final ScriptedModel behind = new ScriptedModel();
  private SessionStore store;
  private LiveServer live;
  private OpenAIClient client;

  @BeforeEach
  void start() {
    store = Stores.open("memory:");
    live = new LiveServer(store, settings -> settings.model(behind, "gpt-tiny"));
    client = live.openAi("ann");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private OpenAiConversationsSession session() {
    return OpenAiModels.builder().client(client).conversation();
  }

  private Model model() {
    return OpenAiModels.builder().client(client).modelName("gpt-tiny").responses();
  }

  private static List<String> texts(List<Item> items) {
    return items.stream()
        .map(item -> item.view() instanceof View.Message message ? message.text() : item.type())
        .toList();
  }

  @Test
  void aSessionIsAConversation() {
    OpenAiConversationsSession session = session();
    List<String> all = IntStream.range(0, 130).mapToObj(i -> "n" + i).toList();
    session.addItems(all.stream().map(Item::user).toList());
    assertThat(texts(session.getItems())).isEqualTo(all);
    assertThat(texts(session.getItems(3))).containsExactly("n127", "n128", "n129");
    assertThat(texts(List.of(session.popItem().orElseThrow()))).containsExactly("n129");
    assertThat(session.getItems()).hasSize(129);
    String id = session.conversationId().orElseThrow();
    assertThat(id).startsWith("conv_");
    OpenAiConversationsSession foreign =
        OpenAiModels.builder().client(live.openAi("bob")).conversation(id);
    assertThat(foreign.getItems()).isEmpty();
    session.clearSession();
    assertThat(session.getItems()).isEmpty();
    assertThat(session.conversationId()).isNotEqualTo(Optional.of(id));
  }

  record City(String name) {}

  private static Agent agent() {
    return Agent.builder()
        .name("Assistant")
        .tools(Tool.of("weather", "The weather.", City.class, city -> "sunny in " + city.name()))
        .build();
  }

  private RunResult run(OpenAiConversationsSession session, String text, boolean streamed) {
    Runner runner = Runner.with(model());
    return streamed
        ? runner.runStreamed(agent(), text, session).result()
        : runner.run(agent(), text, session);
  }

  @Test
  void anAgentCallsItsToolsInAConversation_plainAndStreamed() {
    OpenAiConversationsSession session = session();
    for (boolean streamed : List.of(false, true)) {
      behind.calls("call_" + streamed, "weather", "{\"name\":\"Oslo\"}").says("It is sunny.");
      assertThat(run(session, "the weather?", streamed).finalOutput()).isEqualTo("It is sunny.");
    }
    List<String> turn =
        List.of("the weather?", "function_call", "function_call_output", "It is sunny.");
    List<String> both = new ArrayList<>(turn);
    both.addAll(turn);
    assertThat(texts(session.getItems())).isEqualTo(both);
  }

  @Test
  void theResponsesModelAnswersAndStreams() {
    behind.thenText("Good ", "morning.").thenText("Good ", "evening.");
    ModelRequest request = ModelRequest.of("Be kind.", List.of(Item.user("hello")));
    ModelResponse plain = model().respond(request);
    assertThat(texts(plain.output())).containsExactly("Good morning.");
    assertThat(plain.usage().inputTokens()).isEqualTo(30);
    assertThat(behind.lastRequest().instructions()).isEqualTo("Be kind.");
    List<String> pieces = new ArrayList<>();
    ModelResponse streamed =
        model().stream(
            request,
            event -> {
              if (event instanceof ModelEvent.TextDelta delta) {
                pieces.add(delta.text());
              }
            });
    assertThat(pieces).containsExactly("Good ", "evening.");
    assertThat(streamed.usage()).isEqualTo(plain.usage());
  }

  @Test
  void aModelThatFailsBehindTheServerFailsAtTheClient() {
    behind.fails().fails();
    ModelRequest request = ModelRequest.of("", List.of(Item.user("hello")));
    assertThatThrownBy(() -> model().respond(request)).isInstanceOf(ClewException.class);
    assertThatThrownBy(() -> model().stream(request, event -> {}))
        .isInstanceOf(ClewException.class);
  }

  @Test
  void theCompactorMakesAHistoryShort_andTheModelGoesOnFromIt() {
    MemorySession history =
        new MemorySession("h", List.of(Item.user("my cat is Tom"), Item.assistant("nice")));
    behind.thenText("THE CAT IS TOM");
    CompactionReport report =
        CompactionSession.builder(
                history, OpenAiModels.builder().client(client).modelName("gpt-tiny").compactor())
            .build()
            .runCompaction(CompactionOptions.FORCE);
    assertThat(report.compacted()).isTrue();
    List<Item> items = new ArrayList<>(history.getItems());
    assertThat(items.get(items.size() - 1).type()).isEqualTo("compaction");
    assertThat(items.get(items.size() - 1).json()).doesNotContain("TOM");
    items.add(Item.user("what is it called?"));
    model().respond(ModelRequest.of("", items));
    assertThat(behind.lastRequest().input().toString()).contains("THE CAT IS TOM");
  }
}
