package dev.clew.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code clew key retire}: takes an old key out of the key file. Used once, by one thread. */
@Command(
    name = "retire",
    description = {
      "Takes a key that wraps nothing in the store any more out of the key file. Copies of the store",
      "from before the rotation cannot be read with that file afterwards."
    },
    footer = {
      "",
      "Examples:",
      "  clew --store sqlite:safe.db --key file:clew.key key retire 1234567890"
    })
final class KeyRetireCommand implements Action {
  private final Clew clew;

  @Parameters(index = "0", paramLabel = "ID", description = "Its id, as 'clew key list' shows.")
  String id = "";

  KeyRetireCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    return KeyWork.retire(clew, id);
  }
}
