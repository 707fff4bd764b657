package dev.clew.cli.session;

import dev.clew.cli.command.Clew;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code clew sessions}: the name before the commands about whole sessions. Stateless. */
@Command(
    name = "sessions",
    description = "Lists, shows, renames, forks and deletes sessions.",
    footer = {
      "",
      "Examples:",
      "  clew sessions list",
      "  clew sessions show trip",
      "  clew sessions delete trip --yes"
    })
public final class SessionsCommand {
  private SessionsCommand() {}

  public static CommandLine withSubcommands(Clew clew) {
    return new CommandLine(new SessionsCommand())
        .addSubcommand(new SessionsListCommand(clew))
        .addSubcommand(new SessionsShowCommand(clew))
        .addSubcommand(new SessionsRenameCommand(clew))
        .addSubcommand(new SessionsForkCommand(clew))
        .addSubcommand(new SessionsDeleteCommand(clew))
        .addSubcommand(new SessionsDecompressCommand(clew));
  }
}
