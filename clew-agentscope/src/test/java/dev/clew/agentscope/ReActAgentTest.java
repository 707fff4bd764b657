package dev.clew.agentscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.tck.FaultyStore;
import dev.clew.testservers.StoreKind;
import io.agentscope.core.ReActAgent;
import io.agentscope.core.agent.RuntimeContext;
import io.agentscope.core.message.ContentBlock;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ToolUseBlock;
import io.agentscope.core.model.ChatModelBase;
import io.agentscope.core.model.ChatResponse;
import io.agentscope.core.model.GenerateOptions;
import io.agentscope.core.model.ToolSchema;
import io.agentscope.core.state.AgentState;
import io.agentscope.core.state.AgentStateStore;
import io.agentscope.core.tool.Tool;
import io.agentscope.core.tool.ToolParam;
import io.agentscope.core.tool.Toolkit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/** Agents that keep their states in a store. */
class ReActAgentTest {
  private static final String KEY = "agent_state";

  private static final SessionKey TRIP = new SessionKey("ann", "trip");

  @TempDir Path folder;

  /** Calls the tool when the user asks for the weather, and else says what it sees. */
  private static final class Scripted extends ChatModelBase {
    private final List<List<Msg>> seen = new ArrayList<>();
    private Runnable whenAsked = () -> {};

    @Override
    protected Flux<ChatResponse> doStream(
        List<Msg> messages, List<ToolSchema> tools, GenerateOptions options) {
      whenAsked.run();
      seen.add(List.copyOf(messages));
      Msg last = messages.get(messages.size() - 1);
      ContentBlock answer =
          last.getTextContent().startsWith("Weather")
              ? ToolUseBlock.builder()
                  .id("call_" + seen.size())
                  .name("get_weather")
                  .input(Map.of("city", "Oslo"))
                  .content("{\"city\":\"Oslo\"}")
                  .build()
              : TextBlock.builder().text("I saw " + said().size()).build();
      return Flux.just(ChatResponse.builder().id("r").content(List.of(answer)).build());
    }

    /** What it saw last, but for the system prompt. */
    List<Msg> said() {
      return seen.get(seen.size() - 1).stream()
          .filter(message -> message.getRole() != MsgRole.SYSTEM)
          .toList();
    }

    @Override
    public String getModelName() {
      return "scripted";
    }
  }

  /** A tool of the agents. */
  public static final class Weather {
    /** The weather. */
    @Tool(name = "get_weather", description = "The weather in a city", readOnly = true)
    public String weather(@ToolParam(name = "city", description = "the city") String city) {
      return "18 degrees in " + city;
    }
  }

  private static String ask(AgentStateStore states, Scripted model, String text) {
    Toolkit toolkit = new Toolkit();
    toolkit.registerTool(new Weather());
    ReActAgent agent =
        ReActAgent.builder()
            .name("guide")
            .sysPrompt("Answer briefly.")
            .model(model)
            .toolkit(toolkit)
            .stateStore(states)
            .build();
    RuntimeContext context = RuntimeContext.builder().userId("ann").sessionId("trip").build();
    Msg answer = agent.call(text, context).block();
    return answer == null ? "" : answer.getTextContent();
  }

  private static List<String> types(StoredSession session) {
    return session.getItems().stream().map(Item::type).toList();
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void anAgentContinuesASession(StoreKind kind) {
    String url = kind.url(folder);
    Scripted model = new Scripted();
    try (SessionStore store = Stores.open(url)) {
      assertThat(ask(ClewAgentStateStore.of(store), model, "Hello")).isEqualTo("I saw 1");
      assertThat(ask(ClewAgentStateStore.of(store), model, "Weather, please")).isEqualTo("I saw 5");
      StoredSession session = store.session(TRIP);
      assertThat(types(session))
          .containsExactly(
              "message", "message", "message", "function_call", "function_call_output", "message");
      assertThat(session.getItems().get(4).json()).contains("18 degrees in Oslo");
      if (kind == StoreKind.MEMORY) {
        assertThat(ask(ClewAgentStateStore.of(store), model, "Bye")).isEqualTo("I saw 7");
      }
    }
    if (kind != StoreKind.MEMORY) {
      try (SessionStore store = Stores.open(url)) {
        assertThat(ask(ClewAgentStateStore.of(store), model, "Bye")).isEqualTo("I saw 7");
      }
    }
  }

  @Test
  void aTurnWritesOnlyWhatIsNew() {
    try (SessionStore store = Stores.open("memory:")) {
      AgentStateStore states = ClewAgentStateStore.of(store);
      Scripted model = new Scripted();
      IntStream.range(0, 20).forEach(i -> ask(states, model, "Hello " + i));
      Range all = Range.latest(1_000).withCompacted();
      assertThat(store.session(TRIP).entries(all).entries()).hasSize(40);
      assertThat(model.said()).hasSize(39);
    }
  }

  @Test
  void whatReplicasSayIsAllKept() {
    try (SessionStore store = Stores.open("memory:")) {
      ClewAgentStateStore one = ClewAgentStateStore.of(store);
      ClewAgentStateStore other = ClewAgentStateStore.of(store);
      Scripted model = new Scripted();
      ask(one, model, "Hello");
      AgentState mine = one.get("ann", "trip", KEY, AgentState.class).orElseThrow();
      AgentState theirs = other.get("ann", "trip", KEY, AgentState.class).orElseThrow();
      mine.contextMutable().add(message("Mine"));
      theirs.contextMutable().add(message("Theirs"));
      one.save("ann", "trip", KEY, mine);
      other.save("ann", "trip", KEY, theirs);
      ask(one, model, "Bye");
      assertThat(model.said())
          .extracting(Msg::getTextContent)
          .containsExactly("Hello", "I saw 1", "Mine", "Theirs", "Bye");
    }
  }

  @Test
  void aSessionThatCouldNotBeLoadedIsNotReplaced() {
    try (SessionStore store = Stores.open("memory:")) {
      FaultyStore faulty = new FaultyStore(store);
      ClewAgentStateStore states = ClewAgentStateStore.of(faulty);
      Scripted model = new Scripted();
      ask(states, model, "Hello");
      AgentState summarized = states.get("ann", "trip", KEY, AgentState.class).orElseThrow();
      summarized.setSummary("Ann says hello");
      states.save("ann", "trip", KEY, summarized);

      faulty.failBefore(call -> true);
      model.whenAsked = faulty::heal;
      assertThat(ask(states, model, "Are you there?")).isEqualTo("I saw 1");
      assertThat(ask(states, model, "Bye")).isEqualTo("I saw 5");
      assertThat(states.get("ann", "trip", KEY, AgentState.class).orElseThrow().getSummary())
          .isEqualTo("Ann says hello");
    }
  }

  private static Msg message(String text) {
    return Msg.builderForRole(MsgRole.USER)
        .name("ann")
        .content(List.of(TextBlock.builder().text(text).build()))
        .build();
  }
}
