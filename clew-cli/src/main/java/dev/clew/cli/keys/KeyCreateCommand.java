package dev.clew.cli.keys;

import dev.clew.cli.command.Action;
import dev.clew.cli.command.Clew;
import picocli.CommandLine.Command;

/** {@code clew key create}: new keys for a new store. Used once, by one thread. */
@Command(
    name = "create",
    description = {
      "Creates a key for a new encrypted store.",
      "With --key file:PATH it is written to a new file that only you can read, "
          + "otherwise it is printed, for your vault. An existing file is never "
          + "overwritten. Does not open a store."
    },
    footer = {"", "Examples:", "  clew key create --key file:clew.key", "  clew key create"})
final class KeyCreateCommand implements Action {
  private final Clew clew;

  KeyCreateCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    return KeyWork.create(clew);
  }
}
