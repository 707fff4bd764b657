package dev.clew.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.cli.Shell;
import dev.clew.cli.terminal.ExitCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class McpCommandTest {
  private final Shell shell = new Shell();

  private static String call(String tool, String arguments) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
        + tool
        + "\",\"arguments\":"
        + arguments
        + "}}\n";
  }

  @Test
  void answersOnStandardOutput_untilTheInputEnds() {
    shell.store.session(new SessionKey("ann", "a")).addItems(List.of(Item.user("hers")));
    shell.store.session(new SessionKey("bob", "b")).addItems(List.of(Item.user("his")));
    Shell.Result result =
        shell.typing(call("list_conversations", "{}")).run("mcp", "--owner", "ann");
    assertThat(result.code()).isEqualTo(ExitCode.OK);
    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines()).hasSize(1);
    assertThat(result.out()).contains("hers").doesNotContain("his");
  }

  @Test
  void writesOnlyWhenAsked() {
    String add = call("append_message", "{\"role\":\"user\",\"text\":\"hello\"}");
    assertThat(shell.typing(add).run("mcp").out()).contains("-32602");
    assertThat(shell.typing(add).run("mcp", "--write").out()).contains("structuredContent");
  }
}
