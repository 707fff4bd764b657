package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.View;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ToolSpec;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.EventReader;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Functions in namespaces, as the Codex client sends them. */
class NamespacesTest {
  private static final String AGENTS =
      "{\"type\":\"namespace\",\"name\":\"multi_agent_v1\",\"description\":\"Tools for sub-agents.\","
          + "\"tools\":[{\"type\":\"function\",\"name\":\"spawn_agent\",\"description\":\"Begins"
          + " one.\",\"strict\":false,\"parameters\":{\"type\":\"object\",\"properties\":{}}}]}";
  private static final String TOOLS =
      "{\"type\":\"function\",\"name\":\"spawn_agent\",\"strict\":false}," + AGENTS;
  private static final String FLAT = "multi_agent_v1__spawn_agent";
  private static final String CALLED =
      "\"call_id\":\"c1\",\"name\":\"spawn_agent\",\"namespace\":\"multi_agent_v1\"";

  private final MemoryStore store = MemoryStore.builder().build();
  private final ScriptedModel model = new ScriptedModel();
  private final LiveServer live = new LiveServer(store, settings -> settings.model(model, "tiny"));
  private final Caller ann = new Caller(live, "ann");

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private static String body(String tools, String input, String more) {
    return "{\"model\":\"tiny\",\"store\":false,\"instructions\":\"Be brief.\",\"input\":"
        + input
        + ",\"tools\":["
        + tools
        + "]"
        + more
        + "}";
  }

  private Caller.Answer ask(String tools, String input) {
    return ann.post("/v1/responses", body(tools, input, ""));
  }

  private static Map<String, Object> only(Caller.Answer answer) {
    List<Map<String, Object>> output = Caller.objects(answer.is(200).json().get("output"));
    assertThat(output).hasSize(1);
    return output.get(0);
  }

  @Test
  void aModelOfFunctionsSeesOneNameForEach_andTheClientSeesBoth() {
    model.calls("c1", FLAT, "{}").calls("c2", "spawn_agent", "{}");
    Caller.Answer first = ask(TOOLS, "\"go\"");
    assertThat(only(first))
        .containsEntry("type", "function_call")
        .containsEntry("name", "spawn_agent")
        .containsEntry("namespace", "multi_agent_v1");
    assertThat(first.body()).as("the tools that were given").contains(AGENTS);
    assertThat(model.lastRequest().tools())
        .extracting(ToolSpec::name)
        .containsExactly("spawn_agent", FLAT);
    assertThat(model.lastRequest().settings().get("tools")).isEmpty();
    assertThat(model.lastRequest().instructions())
        .isEqualTo(
            "Be brief.\n\nThe tools whose names begin with multi_agent_v1__: Tools for sub-agents.");

    String input =
        "[{\"type\":\"function_call\","
            + CALLED
            + ",\"arguments\":\"{}\"},"
            + "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"done\"}]";
    assertThat(only(ask(TOOLS, input)))
        .as("a function of its own")
        .containsEntry("name", "spawn_agent")
        .doesNotContainKey("namespace");
    Item shown = model.lastRequest().input().get(0);
    assertThat(((View.FunctionCall) shown.view()).name()).isEqualTo(FLAT);
    assertThat(shown.json()).doesNotContain("namespace");
  }

  @Test
  void theEventsOfACallNameItsNamespace() {
    model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.ItemStarted(Item.functionCall("c1", FLAT, "")));
          listener.accept(new ModelEvent.ArgumentsDelta("c1", "{}"));
          return ScriptedModel.counted(Item.functionCall("c1", FLAT, "{}"));
        });
    try (EventReader events =
        live.events(
            "POST",
            "/v1/responses",
            body(TOOLS, "\"go\"", ",\"stream\":true"),
            "Authorization",
            ann.bearer())) {
      assertThat(events.until("response.output_item.added").data()).contains(CALLED);
      assertThat(events.until("response.function_call_arguments.done").data())
          .contains("\"name\":\"spawn_agent\"");
      Map<String, String> done = events.until("response.output_item.done").fields();
      assertThat(Json.fields(done.get("item")))
          .containsEntry("name", "\"spawn_agent\"")
          .containsEntry("namespace", "\"multi_agent_v1\"");
      assertThat(events.until("response.completed").data()).contains("multi_agent_v1");
    }
  }

  @Test
  void aModelThatKnowsNamespacesGetsThemAsTheyAre() {
    model.takes("namespace");
    Item call = Item.parse("{\"type\":\"function_call\"," + CALLED + ",\"arguments\":\"{}\"}");
    model.thenItems(call);
    assertThat(only(ask(AGENTS, "\"go\""))).containsEntry("namespace", "multi_agent_v1");
    assertThat(model.lastRequest().tools()).isEmpty();
    assertThat(model.lastRequest().settings().get("tools"))
        .hasValue(List.of(Json.readObject(AGENTS)));
    String output = "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"done\"}";
    ask(AGENTS, "[" + call.json() + "," + output + "]").is(200);
    assertThat(model.lastRequest().input().get(0).json()).contains(CALLED);
  }

  @Test
  void whatTheModelCannotCallIsRefusedByName() {
    for (String type : List.of("custom", "mcp", "namespace")) {
      String inner = "{\"type\":\"" + type + "\",\"name\":\"patch\",\"tools\":[]}";
      String within = "{\"type\":\"namespace\",\"name\":\"files\",\"tools\":[" + inner + "]}";
      assertThat(ask(within, "\"go\"").is(400).body())
          .contains("unsupported_value", "tools[0].tools[0]", "'patch' (" + type + ")");
    }
    String same = "{\"type\":\"function\",\"name\":\"" + FLAT + "\"}";
    assertThat(ask(same + "," + AGENTS, "\"go\"").is(400).body())
        .contains("two functions are '" + FLAT + "'");
    ask("{\"type\":\"namespace\",\"tools\":[]}", "\"go\"").is(400);
    assertThat(model.requests()).isEmpty();
  }
}
