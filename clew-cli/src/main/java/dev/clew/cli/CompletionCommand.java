package dev.clew.cli;

import dev.clew.cli.command.Action;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code clew completion}: a script that lets a shell complete our commands. Used once. */
@Command(name = "completion")
final class CompletionCommand extends Action {
  /** The shells that are known. */
  enum Kind {
    BASH,
    ZSH,
    FISH
  }

  @Parameters(paramLabel = "SHELL")
  @Nullable Kind shell;

  @Override
  protected int run() {
    CommandLine all = CommandTree.of(clew);
    String script = shell == Kind.FISH ? FishCompletion.of(all) : AutoComplete.bash("clew", all);
    if (clew.json) {
      clew.answer(
          new JsonObject()
              .put("shell", String.valueOf(shell).toLowerCase(Locale.ROOT))
              .put("script", script));
    } else {
      clew.out().print(script);
    }
    return ExitCode.OK;
  }
}
