package dev.clew.cli.keys;

import dev.clew.cli.command.Clew;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code clew key}: the name before the commands about keys. Stateless. */
@Command(
    name = "key",
    description = {
      "Creates, lists, rotates, retires and restores the keys of an encrypted " + "store.",
      "Without its keys an encrypted store cannot be read: keep a copy of them " + "elsewhere."
    },
    footer = {
      "",
      "Examples:",
      "  clew key create --key file:clew.key",
      "  clew --store sqlite:safe.db --key file:clew.key key list",
      "  clew --store sqlite:safe.db --key file:clew.key key rotate",
      "  clew --store sqlite:safe.db --key file:clew.key key retire 1234567890"
    })
public final class KeyCommand {
  private KeyCommand() {}

  public static CommandLine withSubcommands(Clew clew) {
    return new CommandLine(new KeyCommand())
        .addSubcommand(new KeyCreateCommand(clew))
        .addSubcommand(new KeyListCommand(clew))
        .addSubcommand(new KeyRotateCommand(clew))
        .addSubcommand(new KeyRetireCommand(clew))
        .addSubcommand(new KeyRestoreCommand(clew));
  }
}
