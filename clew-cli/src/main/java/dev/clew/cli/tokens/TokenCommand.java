package dev.clew.cli.tokens;

import dev.clew.cli.command.Clew;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code clew token}: the name before the commands about tokens. Stateless. */
@Command(
    name = "token",
    description = "Creates, lists and revokes the tokens that programs use to call the server.",
    footer = {
      "",
      "Examples:",
      "  clew token create --owner ann --name laptop",
      "  clew token list",
      "  clew token revoke 3f9a0c21b7de"
    })
public final class TokenCommand {
  private TokenCommand() {}

  public static CommandLine withSubcommands(Clew clew) {
    return new CommandLine(new TokenCommand())
        .addSubcommand(new TokenCreateCommand(clew))
        .addSubcommand(new TokenListCommand(clew))
        .addSubcommand(new TokenRevokeCommand(clew));
  }
}
