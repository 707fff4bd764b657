package dev.clew.cli.retention;

import dev.clew.cli.command.Clew;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code clew retention}: the name before the commands about keeping and removing. Stateless. */
@Command(
    name = "retention",
    description = "Sets how long sessions are kept, applies it, and puts sessions on legal hold.",
    footer = {
      "",
      "Examples:",
      "  clew retention set old --idle 90d",
      "  clew retention set scratch --tag scratch --age 7d",
      "  clew retention set many --count 500",
      "  clew retention set cold --idle 30d --compress",
      "  clew retention show",
      "  clew retention run --dry-run",
      "  clew retention hold trip --owner ann --reason \"case 17\""
    })
public final class RetentionCommand {
  private RetentionCommand() {}

  public static CommandLine withSubcommands(Clew clew) {
    return new CommandLine(new RetentionCommand())
        .addSubcommand(new RetentionShowCommand(clew))
        .addSubcommand(new RetentionSetCommand(clew))
        .addSubcommand(new RetentionRemoveCommand(clew))
        .addSubcommand(new RetentionRunCommand(clew))
        .addSubcommand(new RetentionHoldCommand(clew))
        .addSubcommand(new RetentionReleaseCommand(clew));
  }
}
