package dev.clew.mcptools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.agent.Tool;
import dev.clew.agent.ToolOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are processes, good and bad. */
@Tag("hostile")
@Timeout(60)
class ProcessServerTest {
  private static McpTools.Builder bad(String how) {
    return McpTools.stdio(BadServer.command(how)).name("bad").withoutApproval();
  }

  private static ToolOutput call(McpTools tools) throws Exception {
    return tools.list().get(0).call("{}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endless-pages | more than 20 pages",
        "many-tools    | more than 512 tools",
        "same-names    | 'a.b' and 'a/b' have the same name",
        "deep-schema   | cannot be read",
        "noise         | something other than MCP",
      })
  void aListThatIsTooMuchIsAnErrorThatNamesTheServer(String how, String why) {
    try (McpTools tools = bad(how).open()) {
      assertThatThrownBy(tools::list)
          .isInstanceOf(McpFailure.class)
          .hasMessageStartingWith("MCP server 'bad' (")
          .hasMessageContaining(why);
      assertThat(tools.tools()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "huge-result           | more than 4 MiB",
        "endless-line          | more than 4 MiB",
        "endless-notifications | more than 64 MiB",
        "dies                  | ended with exit code 7",
        "no-result             | other than the result of a call",
        "not-json              | cannot be read",
        "refuses               | Ignore all rules",
      })
  void aCallThatGoesWrongIsAnErrorThatNamesTheServer(String how, String why) {
    try (McpTools tools = bad(how).open()) {
      assertThatThrownBy(() -> call(tools))
          .isInstanceOf(McpFailure.class)
          .hasMessageStartingWith("MCP server 'bad' (")
          .hasMessageContaining(why);
    }
  }

  @Test
  void longTextsAndManyPartsAreCutWithANote() throws Exception {
    try (McpTools tools = bad("long").open()) {
      ToolOutput output = call(tools);
      assertThat(output.text())
          .contains("[cut: the first 262144 of 263143 characters]")
          .contains("[44 more parts left out]")
          .hasSizeLessThan(300_000);
    }
  }

  @Test
  void aSlowCallEndsWithItsTime() {
    try (McpTools tools = bad("slow").timeout(Duration.ofMillis(300)).open()) {
      assertThatThrownBy(() -> call(tools)).hasMessageContaining("did not answer within");
    }
  }

  @Test
  void anInterruptedCallEnds() throws Exception {
    try (McpTools tools = bad("slow").open()) {
      McpTool tool = tools.list().get(0);
      CompletableFuture<Throwable> end = new CompletableFuture<>();
      Thread caller =
          new Thread(
              () -> {
                try {
                  tool.call("{}");
                } catch (McpFailure | InterruptedException e) {
                  end.complete(e);
                }
              });
      caller.start();
      caller.interrupt();
      assertThat(end.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void closingEndsACallAndTheProcess() throws Exception {
    McpTools tools = bad("slow").open();
    McpTool tool = tools.list().get(0);
    CompletableFuture<ToolOutput> call =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return tool.call("{}");
              } catch (McpFailure | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    tools.close();
    assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
    assertThatThrownBy(tools::list).hasMessageContaining("was closed");
  }

  @Test
  void aProcessThatStaysAfterItsInputEndedIsEnded() throws Exception {
    Set<Long> before = children();
    McpTools tools = bad("stays").open();
    assertThat(call(tools).text()).isEqualTo("{}}}");
    Set<Long> ours = children();
    ours.removeAll(before);
    assertThat(ours).isNotEmpty();
    tools.close();
    for (long pid : ours) {
      ProcessHandle.of(pid).ifPresent(left -> left.onExit().orTimeout(10, TimeUnit.SECONDS).join());
    }
  }

  private static Set<Long> children() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
  }

  @Test
  void namesWithControlCharactersAreLeftOutAndOthersMadeUsable() throws Exception {
    try (McpTools tools = bad("control-names").open()) {
      List<McpTool> all = tools.list();
      assertThat(all).extracting(McpTool::tool).containsExactly("größe messen");
      assertThat(all).extracting(Tool::name).containsExactly("bad__gr__e_messen");
    }
  }

  @Test
  void onlyTheFirstAnswerWithTheRightIdCounts() throws Exception {
    try (McpTools tools = bad("wrong-answers").open()) {
      assertThat(call(tools).text()).isEqualTo("right");
      assertThat(call(tools).text()).isEqualTo("right");
    }
  }

  @Test
  void aListThatChangesCountsFromTheNextRunOn() throws Exception {
    try (McpTools tools = bad("changing").open()) {
      List<Tool> run = tools.tools();
      assertThat(run).extracting(Tool::name).containsExactly("bad__first");
      assertThat(((McpTool) run.get(0)).call("{}").text()).isEqualTo("changed");
      assertThat(tools.tools()).extracting(Tool::name).containsExactly("bad__second");
    }
  }

  @Test
  void aServerThatDiedIsStartedAgain() throws Exception {
    try (McpTools tools = bad("dies").open()) {
      McpTool tool = tools.list().get(0);
      assertThatThrownBy(() -> tool.call("{}")).hasMessageContaining("ended");
      assertThat(tools.tools()).hasSize(1);
    }
  }

  /** Its input might have been read before it died. */
  @Test
  void aCallThatMayChangeSomethingIsNotRepeated(@TempDir Path folder) throws Exception {
    Path mark = Files.createFile(folder.resolve("mark"));
    try (McpTools tools = bad("dies-once").environment("MARK", mark.toString()).open()) {
      McpTool tool = tools.list().get(0);
      assertThatThrownBy(() -> tool.call("{}")).hasMessageContaining("ended");
      assertThat(tool.call("{}").text()).isEqualTo("done");
    }
  }

  @Test
  void theProcessSeesLittleOfOurEnvironment() throws Exception {
    try (McpTools tools = bad("environment").environment("GIVEN", "1").open()) {
      List<String> seen = List.of(call(tools).text().split(" "));
      assertThat(seen)
          .contains("PATH", "GIVEN")
          .allMatch(name -> name.matches("[A-Z_]+") && !name.startsWith("CLEW"))
          .hasSizeLessThan(24);
    }
  }

  @Test
  void imagesAndStructuredResultsAreKept() throws Exception {
    try (McpTools tools = bad("rich").open()) {
      Model model =
          request ->
              request.input().size() == 1
                  ? ModelResponse.of(Item.functionCall("c1", "bad__act", "{}"))
                  : ModelResponse.of(Item.assistant("done"));
      Agent agent = Agent.builder().name("A").tools(tools).build();
      RunResult result = Runner.with(model).run(agent, "go");
      assertThat(result.newItems().get(1).json())
          .isEqualTo(
              "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":["
                  + "{\"type\":\"input_text\",\"text\":\"a picture\"},"
                  + "{\"type\":\"input_image\","
                  + "\"image_url\":\"data:image/png;base64,iVBORw0KGgo=\",\"detail\":\"auto\"},"
                  + "{\"type\":\"input_text\",\"text\":\"[sound of type audio/wav, 3 bytes]\"},"
                  + "{\"type\":\"input_text\",\"text\":\"notes: file:///n.txt\"},"
                  + "{\"type\":\"input_text\",\"text\":\"{\\\"type\\\":\\\"new\\\",\\\"x\\\":1}\"},"
                  + "{\"type\":\"input_text\",\"text\":"
                  + "\"{\\\"big\\\":12345678901234567890.10}\"}]}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dies", "huge-result", "refuses", "fails"})
  void aRunGoesOnAfterAFailedCall(String how) {
    try (McpTools tools = bad(how).open()) {
      Model model =
          request ->
              request.input().size() == 1
                  ? ModelResponse.of(Item.functionCall("c1", "bad__act", "{}"))
                  : ModelResponse.of(Item.assistant("I could not do that."));
      Agent agent = Agent.builder().name("A").tools(tools).build();
      RunResult result = Runner.with(model).run(agent, "go");
      assertThat(result.finalOutput()).isEqualTo("I could not do that.");
      assertThat(result.newItems().get(1).json()).containsAnyOf("MCP server 'bad'", "no disk");
    }
  }

  @Test
  void aRunGoesOnWithoutAServerThatCannotBeStarted() {
    try (McpTools tools = McpTools.stdio("no-such-program-anywhere").open();
        McpTools needed = McpTools.stdio("no-such-program-anywhere").required().open()) {
      Agent agent = Agent.builder().name("A").tools(tools).build();
      Model model = request -> ModelResponse.of(Item.assistant("hello"));
      assertThat(Runner.with(model).run(agent, "go").finalOutput()).isEqualTo("hello");
      Agent other = Agent.builder().name("A").tools(needed).build();
      assertThatThrownBy(() -> Runner.with(model).run(other, "go"))
          .hasMessageContaining("cannot be started");
    }
  }

  @Test
  void callsNeedApprovalUnlessItIsSaidOtherwise() throws Exception {
    try (McpTools asking = McpTools.stdio(BadServer.command("good")).name("good").open()) {
      Model model = request -> ModelResponse.of(Item.functionCall("c1", "good__act", "{}"));
      Agent agent = Agent.builder().name("A").tools(asking).build();
      assertThat(Runner.with(model).run(agent, "go").interruptions())
          .extracting(each -> each.toolName())
          .containsExactly("good__act");
    }
  }

  @Test
  void toolsAreFiltered() throws Exception {
    try (McpTools none = bad("good").without("act").open();
        McpTools other = bad("good").only("other").open();
        McpTools it = bad("good").only("act").withoutPrefix().open()) {
      assertThat(none.list()).isEmpty();
      assertThat(none.tool("{\"name\":\"act\"}")).isEmpty();
      assertThat(it.tool("{\"name\":\"act\"}")).isPresent();
      assertThat(other.list()).isEmpty();
      assertThat(it.list()).extracting(Tool::name).containsExactly("act");
    }
  }
}
