package dev.clew.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell;
import dev.clew.cli.terminal.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpServersTest {
  private final Shell shell = new Shell();

  /** The server is another process of ours. */
  @Test
  void theModelUsesTheToolsOfAServer(@TempDir Path folder) {
    String java = ProcessHandle.current().info().command().orElse("java");
    String command =
        String.format(
            "'%s' -cp '%s' dev.clew.cli.Main mcp --write --store 'sqlite:%s'",
            java, System.getProperty("java.class.path"), folder.resolve("notes.db"));
    Shell.Result result =
        shell
            .typing("List conversations, please\n")
            .run(
                "chat",
                "trip",
                "--mcp",
                "notes=" + command,
                "--mcp-only",
                "notes__list_conversations",
                "--mcp-without-approval",
                "notes");
    assertThat(result.code()).isEqualTo(ExitCode.OK);
    assertThat(result.out() + result.err())
        .contains("notes__list_conversations")
        .contains("conversations");
  }

  @Test
  void alwaysHoldsUntilTheToolIsAnotherOne() {
    String java = ProcessHandle.current().info().command().orElse("java");
    String command =
        String.format(
            "'%s' -cp '%s' %s",
            java, System.getProperty("java.class.path"), ChangingServer.class.getName());
    Shell.Result result =
        shell
            .typing("measure it\nalways\nmeasure it\nmeasure it\nn\n")
            .run("chat", "trip", "--mcp", "tape=" + command);
    assertThat(result.code()).isEqualTo(ExitCode.OK);
    String shown = result.out() + result.err();
    assertThat(shown.split("Allow tape__measure", -1)).as(shown).hasSize(3);
    assertThat(shown.split("← 7 metres", -1)).as(shown).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mcp | docs | has no name",
        "--mcp | a b=x | has no name",
        "--mcp | docs=https://u:p@x.example | neither a user nor a fragment",
        "--mcp-only | docs__search | no MCP server 'docs'",
        "--mcp-without-approval | docs | no MCP server 'docs'",
        "--mcp-header | docs=A: b | no MCP server 'docs'",
        "--mcp-env | docs=NO_SUCH_VARIABLE | no variable 'NO_SUCH_VARIABLE'",
      })
  void whatMakesNoSenseIsRefused(String option, String value, String why) {
    Shell.Result result = shell.run("chat", option, value);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains(option).contains(why);
  }

  @ParameterizedTest
  @CsvSource({"--mcp-allow, ftp://x", "--mcp-allow-private, nowhere"})
  void clientsMayBeAllowedWebUrlsOnly(String option, String url) {
    Shell.Result result = shell.run("serve", "--port", "0", option, url);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains(option).contains("begins with https://");
  }
}
