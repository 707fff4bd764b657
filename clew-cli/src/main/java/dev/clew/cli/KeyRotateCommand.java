package dev.clew.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew key rotate}: a new key, and everything wrapped with it. Used once, by one thread. */
@Command(
    name = "rotate",
    description = {
      "Adds a new key to the key file and wraps the keys of all owners with it, while others go on",
      "reading and writing. No item is touched. Interrupted, it is completed with --resume."
    },
    footer = {
      "",
      "Examples:",
      "  clew --store sqlite:safe.db --key file:clew.key key rotate",
      "  clew --store sqlite:safe.db --key file:clew.key key rotate --resume"
    })
final class KeyRotateCommand implements Action {
  private final Clew clew;

  @Option(
      names = "--resume",
      description = "Add no key; wrap with the newest what is wrapped with another.")
  boolean resume;

  KeyRotateCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    return KeyWork.rotate(clew, resume);
  }
}
