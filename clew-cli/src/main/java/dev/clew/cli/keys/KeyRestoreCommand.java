package dev.clew.cli.keys;

import dev.clew.cli.command.Action;
import dev.clew.cli.command.Clew;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code clew key restore}: brings back a key that was retired. Used once, by one thread. */
@Command(
    name = "restore",
    description = {
      "Restores a retired key to the key file.",
      "It is taken from the file that 'clew key retire' left next to the key file. "
          + "Does not open a store."
    },
    footer = {"", "Examples:", "  clew key restore 1234567890 --key file:clew.key"})
final class KeyRestoreCommand implements Action {
  private final Clew clew;

  @Parameters(index = "0", paramLabel = "ID", description = "The key that was retired.")
  String id = "";

  KeyRestoreCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    return KeyWork.restore(clew, id);
  }
}
