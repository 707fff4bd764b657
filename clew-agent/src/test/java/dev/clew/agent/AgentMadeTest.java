package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What providers would refuse later is refused when an agent or a tool is made. */
class AgentMadeTest {
  record City(String name) {}

  record Tree(List<Tree> branches) {}

  private static Tool named(String name) {
    return Tool.of(name, "The weather in a city", City.class, city -> "sunny");
  }

  @Test
  void anAgentWithoutAName_isTold() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Agent.builder().build())
        .withMessage("an agent needs a name; give it one with name(\"Assistant\")");
    assertThatIllegalArgumentException().isThrownBy(() -> Agent.builder().name(" ").build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"has space", "", "天气", "a.b", "a/b"})
  void aToolNameThatProvidersRefuse_isRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> named(name))
        .withMessage(
            "a tool cannot be named '%s': providers take 1 to 64 letters (A to Z), digits, _ and -",
            name);
    Agent agent = Agent.builder().name("a").build();
    assertThatIllegalArgumentException().isThrownBy(() -> agent.asTool(name, "another agent"));
  }

  /** Each waits for the other here, as two servers that hang would make a run wait. */
  @Test
  @Timeout(60)
  void sourcesOfTools_areAskedSideBySide_andKeepTheirOrder() {
    CyclicBarrier both = new CyclicBarrier(2);
    ToolSource first = () -> met(both, named("first"));
    ToolSource second = () -> met(both, named("second"));
    Agent agent = Agent.builder().name("a").tools(first).tools(second).build();
    assertThat(agent.toolsNow()).extracting(Tool::name).containsExactly("first", "second");
    ToolSource failing =
        () -> {
          throw new IllegalStateException("no server");
        };
    Agent other = Agent.builder().name("a").tools(failing).tools(() -> List.of()).build();
    assertThatIllegalStateException().isThrownBy(other::toolsNow).withMessage("no server");
  }

  private static List<Tool> met(CyclicBarrier both, Tool tool) {
    try {
      both.await();
      return List.of(tool);
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aToolNameOf64Characters_isTheLongest() {
    assertThat(named("x".repeat(64)).name()).hasSize(64);
    assertThatIllegalArgumentException().isThrownBy(() -> named("x".repeat(65)));
  }

  @ParameterizedTest
  @ValueSource(classes = {String.class, int.class, Integer.class, int[].class, List.class})
  void argumentsThatAreNoObject_areRefused(Class<?> type) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tool.of("f", "does it", type, arguments -> "done"))
        .withMessageContaining("tool 'f' takes a " + type.getTypeName())
        .withMessageContaining("use a record");
  }

  @ParameterizedTest
  @ValueSource(classes = {City.class, Tree.class, Map.class})
  void argumentsThatAreAnObject_areTaken(Class<?> type) {
    assertThat(Tool.of("f", "does it", type, arguments -> "done").name()).isEqualTo("f");
  }

  @Test
  void aToolOfOnesOwn_isCheckedByTheAgent() {
    Tool own =
        new Tool() {
          @Override
          public ToolSpec spec() {
            return new ToolSpec("has space", "", "{\"type\":\"object\"}", true);
          }

          @Override
          public Object call(ToolCall call) {
            return "";
          }
        };
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Agent.builder().name("a").tools(own).build())
        .withMessageContaining("'has space'");
  }

  @Test
  void twoToolsOfOneName_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Agent.builder().name("a").tools(named("f"), named("f")).build())
        .withMessage("agent 'a' has two tools named 'f'; rename one");
  }

  @Test
  void anAgentWhoseNameIsTooLongToHandOverTo_isRefused() {
    Agent other = Agent.builder().name("x".repeat(60)).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Agent.builder().name("a").handoffs(other).build())
        .withMessageContaining("transfer_to_xxx");
  }
}
