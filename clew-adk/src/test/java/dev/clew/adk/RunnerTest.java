package dev.clew.adk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.artifacts.InMemoryArtifactService;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.Session;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.Part;
import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.testservers.StoreKind;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An agent whose runner keeps its sessions in a store. */
class RunnerTest {
  @TempDir Path folder;

  /** Calls the tool when the user asks for a city, and else counts what it sees. */
  private static final class Scripted extends BaseLlm {
    private final List<Integer> seen = new ArrayList<>();
    private List<Content> newest = List.of();

    Scripted() {
      super("scripted");
    }

    @Override
    public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
      List<Content> contents = request.contents();
      seen.add(contents.size());
      newest = contents;
      Part last = contents.get(contents.size() - 1).parts().orElseThrow().get(0);
      Part answer =
          last.text().orElse("").startsWith("I live in ")
              ? Part.fromFunctionCall("remember", Map.of("city", last.text().get().substring(10)))
              : Part.fromText("I saw " + contents.size());
      return Flowable.just(
          LlmResponse.builder()
              .content(Content.builder().role("model").parts(List.of(answer)).build())
              .build());
    }

    @Override
    public BaseLlmConnection connect(LlmRequest request) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Remember extends BaseTool {
    Remember() {
      super("remember", "Remembers a city");
    }

    @Override
    public Optional<FunctionDeclaration> declaration() {
      return Optional.of(FunctionDeclaration.builder().name(name()).build());
    }

    @Override
    public Single<Map<String, Object>> runAsync(Map<String, Object> args, ToolContext context) {
      context.state().put("user:city", args.get("city"));
      context.state().put("asked", 1);
      context.state().put("temp:now", true);
      return Single.just(Map.of("done", true));
    }
  }

  private static List<Event> run(SessionStore store, Scripted model, String text) {
    return run(store, model, new Remember(), text);
  }

  private static List<Event> run(SessionStore store, Scripted model, BaseTool tool, String text) {
    LlmAgent agent = LlmAgent.builder().name("guide").model(model).tools(tool).build();
    Runner runner =
        Runner.builder()
            .agent(agent)
            .appName("app")
            .artifactService(new InMemoryArtifactService())
            .sessionService(ClewSessionService.of(store))
            .memoryService(ClewMemoryService.of(store))
            .build();
    RunConfig config = RunConfig.builder().autoCreateSession(true).build();
    return runner
        .runAsync("ann", "s", Content.fromParts(Part.fromText(text)), config)
        .toList()
        .blockingGet();
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void aRunnerContinuesASession(StoreKind kind) {
    Scripted model = new Scripted();
    String url = kind.url(folder);
    try (SessionStore store = Stores.open(url)) {
      run(store, model, "Hello");
      List<Event> events = run(store, model, "I live in Rome");
      assertThat(events).hasSize(3);
      run(store, model, "Bye");

      // Each run saw everything before it: question and answer, call and result.
      assertThat(model.seen).containsExactly(1, 3, 5, 7);
      Session session =
          ClewSessionService.of(store)
              .getSession("app", "ann", "s", Optional.empty())
              .blockingGet();
      assertThat(session.state())
          .containsOnly(Map.entry("user:city", "Rome"), Map.entry("asked", 1));
      assertThat(session.events()).hasSize(8);
      assertThat(session.events().subList(3, 6))
          .extracting(Event::id)
          .isEqualTo(events.stream().map(Event::id).toList());
    }
  }

  /** Another run writes while this tool works. */
  private static final class Interrupted extends BaseTool {
    private final Runnable meanwhile;

    Interrupted(Runnable meanwhile) {
      super("remember", "Remembers a city");
      this.meanwhile = meanwhile;
    }

    @Override
    public Optional<FunctionDeclaration> declaration() {
      return Optional.of(FunctionDeclaration.builder().name(name()).build());
    }

    @Override
    public Single<Map<String, Object>> runAsync(Map<String, Object> args, ToolContext context) {
      return Single.fromCallable(
          () -> {
            meanwhile.run();
            return Map.of("done", true);
          });
    }
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void aRunThatLostItsSessionLeavesNothingThatAModelRefuses(StoreKind kind) {
    try (SessionStore store = Stores.open(kind.url(folder))) {
      run(store, new Scripted(), "Hello");
      Scripted other = new Scripted();
      Interrupted tool =
          new Interrupted(
              () -> {
                awaitCall(store); // ADK runs a tool while the call is being stored
                run(store, other, "And me?");
              });
      assertThatThrownBy(() -> run(store, new Scripted(), tool, "I live in Rome"))
          .isInstanceOf(ClewException.VersionConflict.class)
          .hasMessageContaining("has appended 2 events");

      // What it wrote before stays: its question and its call, which nobody shows to a model.
      ClewSessionService service = ClewSessionService.of(store);
      assertThat(service.listEvents("app", "ann", "s").blockingGet().events())
          .extracting(Event::stringifyContent)
          .hasSize(6)
          .anySatisfy(text -> assertThat(text).startsWith("Function Call"));
      assertThat(shown(other)).containsExactly("Hello", "I saw 1", "I live in Rome", "And me?");
      Scripted next = new Scripted();
      run(store, next, "Bye");
      assertThat(shown(next))
          .containsExactly("Hello", "I saw 1", "I live in Rome", "And me?", "I saw 4", "Bye");
    }
  }

  private static void awaitCall(SessionStore store) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    ClewSessionService service = ClewSessionService.of(store);
    while (service.listEvents("app", "ann", "s").blockingGet().events().stream()
        .allMatch(event -> event.functionCalls().isEmpty())) {
      assertThat(System.nanoTime()).as("the call is stored in time").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /** The texts of all parts. */
  private static List<String> shown(Scripted model) {
    return model.newest.stream()
        .flatMap(content -> content.parts().orElseThrow().stream())
        .map(part -> part.text().orElse("no text"))
        .toList();
  }
}
