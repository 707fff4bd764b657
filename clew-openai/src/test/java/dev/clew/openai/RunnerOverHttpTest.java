package dev.clew.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.Guardrail;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunEvent;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunStream;
import dev.clew.agent.Runner;
import dev.clew.agent.Tool;
import dev.clew.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs with tools over HTTP, on both APIs, with both kinds of memory. */
class RunnerOverHttpTest {
  record City(String name) {}

  private static final Tool WEATHER =
      Tool.of("get_weather", "The weather in a city", City.class, c -> "sunny in " + c.name());
  private static final String CALL =
      "{\"id\":\"fc_1\",\"type\":\"function_call\",\"status\":\"completed\",\"arguments\":"
          + "\"{\\\"name\\\":\\\"Oslo\\\"}\",\"call_id\":\"call_1\",\"name\":\"get_weather\"}";
  private static final String REASONING =
      "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gA\\u003d\"}";

  private final TestServer server = new TestServer();
  private final Agent agent =
      Agent.builder().name("Guide").instructions("Be brief.").tools(WEATHER).build();

  @AfterEach
  void stop() {
    server.close();
  }

  private Runner runner(String api) {
    OpenAiBuilder builder =
        OpenAiModels.builder(Map.of())
            .baseUrl(server.baseUrl())
            .timeout(Duration.ofSeconds(20))
            .maxRetries(0);
    return Runner.with(api.equals("chat") ? builder.chat() : builder.responses());
  }

  private Session session(String memory) {
    return memory.equals("local")
        ? new MemorySession()
        : OpenAiModels.builder(Map.of()).baseUrl(server.baseUrl()).conversation();
  }

  private static String message(String text) {
    return "{\"id\":\"msg_"
        + text.length()
        + "\",\"type\":\"message\",\"status\":\"completed\",\"content\":"
        + "[{\"type\":\"output_text\",\"annotations\":[],\"text\":\""
        + text
        + "\"}],\"role\":\"assistant\"}";
  }

  private static String response(String... output) {
    return "{\"id\":\"resp_1\",\"status\":\"completed\",\"output\":["
        + String.join(",", output)
        + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":2}}";
  }

  private void plan(String api, boolean streamed, String text) {
    if (api.equals("chat")) {
      String call =
          "{\"index\":0,\"id\":\"call_1\",\"type\":\"function\",\"function\":"
              + "{\"name\":\"get_weather\",\"arguments\":\"{\\\"name\\\":\\\"Oslo\\\"}\"}}";
      chat(streamed, "{\"content\":null,\"tool_calls\":[" + call + "]}", "tool_calls");
      chat(streamed, "{\"content\":\"" + text + "\"}", "stop");
    } else {
      responses(streamed, response(REASONING, CALL), "");
      responses(streamed, response(message(text)), text);
    }
  }

  private void chat(boolean streamed, String message, String finish) {
    String rest = message + ",\"finish_reason\":\"" + finish + "\"}]}";
    server.thenModel(
        streamed
            ? TestServer.events("{\"choices\":[{\"delta\":" + rest, "[DONE]")
            : TestServer.json(200, "{\"choices\":[{\"message\":" + rest));
  }

  private void responses(boolean streamed, String response, String text) {
    server.thenModel(
        streamed
            ? TestServer.events(
                "{\"type\":\"response.output_text.delta\",\"delta\":" + Json.quote(text) + "}",
                "{\"type\":\"response.completed\",\"response\":" + response + "}")
            : TestServer.json(200, response));
  }

  private static RunResult run(
      Runner runner, Agent agent, String text, Session session, boolean streamed) {
    if (!streamed) {
      return runner.run(agent, text, session);
    }
    try (RunStream stream = runner.runStreamed(agent, text, session)) {
      StringBuilder heard = new StringBuilder();
      stream.forEach(
          event -> {
            if (event instanceof RunEvent.TextDelta delta) {
              heard.append(delta.text());
            }
          });
      assertThat(heard).hasToString(stream.result().finalOutput());
      return stream.result();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "responses,local,false",
    "responses,local,true",
    "responses,remote,false",
    "responses,remote,true",
    "chat,local,false",
    "chat,local,true",
    "chat,remote,true"
  })
  void twoTurnsWithAToolAreRunAndRemembered(String api, String memory, boolean streamed) {
    Session session = session(memory);
    Runner runner = runner(api);
    plan(api, streamed, "It is sunny.");
    plan(api, streamed, "Still sunny.");

    assertThat(run(runner, agent, "Weather in Oslo?", session, streamed).finalOutput())
        .isEqualTo("It is sunny.");
    assertThat(run(runner, agent, "And now?", session, streamed).finalOutput())
        .isEqualTo("Still sunny.");

    assertThat(server.asked()).hasSize(4);
    String last = server.asked().get(3).body();
    assertThat(last)
        .contains("Be brief.", "Weather in Oslo?", "It is sunny.", "And now?", "get_weather")
        .containsSubsequence("call_1", "sunny in Oslo", "It is sunny.", "And now?", "call_1");
    assertThat(session.getItems().stream().map(item -> item.view().getClass()))
        .filteredOn(type -> type != View.Reasoning.class)
        .hasSize(8);
    if (api.equals("responses") && memory.equals("local")) {
      // What the model wrote goes back to it as it was.
      assertThat(last).contains(REASONING, CALL, message("It is sunny."));
    }
  }

  @Test
  void aRunThatTheProviderRemembersSendsOnlyWhatIsNew() {
    plan("responses", false, "It is sunny.");

    runner("responses")
        .run(agent, RunInput.text("Weather in Oslo?"), RunConfig.DEFAULT.conversationId("conv_7"));

    Map<String, String> second = Json.fields(server.asked().get(1).body());
    assertThat(second).containsEntry("conversation", "\"conv_7\"");
    assertThat(Json.elements(second.get("input")))
        .containsExactly(Item.functionCallOutput("call_1", "sunny in Oslo").json());
  }

  @Test
  void aCancelledRunEndsTheRequestAndKeepsItsText() throws Exception {
    Session session = session("local");
    server.thenModel(
        server.hangAfter(
            "text/event-stream",
            TestServer.eventText(
                "{\"type\":\"response.output_text.delta\",\"delta\":\"Once upon\"}")));

    try (RunStream stream = runner("responses").runStreamed(agent, "Tell me", session)) {
      List<RunEvent> heard = new ArrayList<>();
      for (RunEvent event : stream) {
        heard.add(event);
        if (event instanceof RunEvent.TextDelta) {
          stream.cancel();
        }
      }
      assertThat(heard).contains(new RunEvent.TextDelta("Once upon"));
      assertThatThrownBy(stream::result).isInstanceOf(CancellationException.class);
    }

    assertThat(server.awaitClientGone()).isTrue();
    assertThat(session.getItems()).hasSize(2);
    assertThat(session.getItems().get(1).json()).contains("Once upon", "incomplete");
  }

  @Test
  void whatAGuardrailStopsIsNotKeptInAConversation() {
    Session session = session("remote");
    session.addItems(List.of(Item.user("Hello")));
    Agent careful =
        Agent.builder()
            .name("Careful")
            .inputGuardrail(Guardrail.of("no-secrets", (context, items) -> Optional.of("a secret")))
            .build();

    assertThatThrownBy(() -> runner("responses").run(careful, "My PIN is 1234", session))
        .isInstanceOf(ClewException.GuardrailTripped.class);

    assertThat(session.getItems()).hasSize(1);
  }

  @Test
  void aModelThatFailsInTheMiddleLeavesWhatWasDone() {
    Session session = session("remote");
    responses(false, response(CALL), "");
    server.thenModel(TestServer.json(500, TestServer.error("Oops", "server_error")));

    assertThatThrownBy(() -> runner("responses").run(agent, "Weather in Oslo?", session))
        .isInstanceOf(ClewException.ModelFailed.class);

    assertThat(session.getItems()).hasSize(3);
  }
}
