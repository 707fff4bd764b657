package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell.Result;
import dev.clew.cli.command.Clew;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Surroundings;
import dev.clew.cli.terminal.SystemTerminal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completion in shells, tried in a real one where the machine has it, and the manual page. */
class CompletionCommandTest {
  @TempDir Path folder;
  private final Shell shell = new Shell();

  private String completed(String script, String... words) throws Exception {
    Path file = Files.writeString(folder.resolve("completion"), script);
    String line =
        "compopt() { :; }; source " // a builtin that works during completion only
            + file
            + "; COMP_WORDS=("
            + String.join(" ", words)
            + "); COMP_CWORD="
            + (words.length - 1)
            + "; _complete_clew; echo \"${COMPREPLY[*]}\"";
    Process bash = new ProcessBuilder("bash", "-c", line).redirectErrorStream(true).start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return out;
  }

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    String script = shell.run("completion", "bash").out();
    assertThat(completed(script, "clew", "sess")).isEqualTo("sessions\n");
    assertThat(completed(script, "clew", "sessions", "re")).isEqualTo("rename\n");
    assertThat(completed(script, "clew", "sessions", "list", "--lim")).isEqualTo("--limit\n");
  }

  @Test
  void zshLoadsTheSame_andFishHasItsOwn() {
    assertThat(shell.run("completion", "zsh").out())
        .isEqualTo(shell.run("completion", "bash").out())
        .contains("bashcompinit");
    assertThat(shell.run("completion", "fish").out())
        .contains(
            "complete -c clew -n '__fish_use_subcommand' -a sessions",
            "complete -c clew -n '__fish_seen_subcommand_from sessions; and"
                + " __fish_seen_subcommand_from list' -l limit -x")
        .doesNotContain("null");
  }

  @Test
  void anotherShellIsRefused() {
    Result result = shell.run("completion", "tcsh");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("tcsh");
  }

  @Test
  void theManualPageTellsEveryCommandOnce() {
    Clew clew =
        new Clew(
            new Surroundings(
                System.in,
                new Output(System.out),
                new Output(System.err),
                shell.env,
                SystemTerminal.of(shell.env),
                (url, opening) -> shell.store));
    String page = ManPage.of(CommandTree.of(clew));
    assertThat(page).startsWith(".TH CLEW 1\n").contains(".SS \"clew sessions list\"");
    assertThat(page.split("\\.B \\\\-\\\\-store", -1)).hasSize(2);
    assertThat(page.lines()).noneMatch(line -> line.startsWith("'"));
  }
}
