package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.View;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tools that are the annotated methods of an object. */
class MethodToolTest {
  /** An application's own object. */
  static final class Weather {
    @ToolMethod("The weather in a city now")
    public String weather(
        @ToolMethod.Param("its English name") String city, Optional<Integer> day) {
      return city + " in " + day.orElse(0) + " days: sunny";
    }

    @ToolMethod(value = "Calls off the rain", name = "call_off", needsApproval = true)
    @SuppressWarnings("DoNotCallSuggester") // the tool calls it, to fail
    public void callOff(RunContext context) {
      throw new IllegalStateException("the rain does not listen");
    }

    public String notATool() {
      return "";
    }
  }

  private static String outputOf(String name, String arguments) {
    MemorySession session = new MemorySession("s");
    Model model =
        request ->
            request.input().get(request.input().size() - 1).view()
                    instanceof View.FunctionCallOutput
                ? ModelResponse.of(Item.assistant("done"))
                : ModelResponse.of(Item.functionCall("call_1", name, arguments));
    Agent agent = Agent.builder().name("A").tools(Tool.methodsOf(new Weather())).build();
    RunResult unused = Runner.with(model).run(agent, "go", session);
    return session.getItems().stream()
        .map(Item::view)
        .filter(View.FunctionCallOutput.class::isInstance)
        .map(view -> ((View.FunctionCallOutput) view).text())
        .findFirst()
        .orElse("none");
  }

  @Test
  void annotatedMethodsAreTools_inTheOrderOfTheirNames() {
    List<Tool> tools = Tool.methodsOf(new Weather());
    assertThat(tools).extracting(Tool::name).containsExactly("call_off", "weather");
    assertThat(tools.get(1).spec().parameters())
        .contains("\"city\":{\"type\":\"string\",\"description\":\"its English name\"}")
        .contains("\"required\":[\"city\",\"day\"]");
    assertThat(tools.get(0).spec().parameters())
        .as("the context is ours")
        .contains("\"properties\":{}");
  }

  @Test
  void aMethodIsCalledWithTheArgumentsOfTheModel() {
    assertThat(outputOf("weather", "{\"city\":\"Oslo\",\"day\":2}"))
        .isEqualTo("Oslo in 2 days: sunny");
    assertThat(outputOf("weather", "{\"city\":\"Oslo\",\"day\":null}"))
        .isEqualTo("Oslo in 0 days: sunny");
  }

  @Test
  void argumentsThatDoNotFit_areNamedToTheModel() {
    assertThat(outputOf("weather", "{}")).contains("'city' is missing");
    assertThat(outputOf("weather", "{\"city\":\"Oslo\",\"town\":1}")).contains("'town'");
    assertThat(outputOf("weather", "{\"city\":\"Oslo\",\"day\":\"soon\"}")).contains("'day'");
  }

  @Test
  void aMethodMayNeedApproval() {
    Model model = request -> ModelResponse.of(Item.functionCall("call_1", "call_off", "{}"));
    Agent agent = Agent.builder().name("A").tools(Tool.methodsOf(new Weather())).build();
    RunResult result = Runner.with(model).run(agent, "go", new MemorySession("s"));
    assertThat(result.interruptions()).hasSize(1);
  }

  @Test
  void anObjectWithoutToolsIsRefused() {
    assertThatThrownBy(() -> Tool.methodsOf("text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("java.lang.String has no public method with @ToolMethod");
  }
}
