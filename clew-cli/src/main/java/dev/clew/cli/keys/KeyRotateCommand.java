package dev.clew.cli.keys;

import dev.clew.cli.command.Action;
import dev.clew.cli.command.Clew;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew key rotate}: a new key, and everything wrapped with it. Used once, by one thread. */
@Command(
    name = "rotate",
    description = {
      "Adds a new key and wraps the keys of all owners with it.",
      "The store stays in use meanwhile, and no item is rewritten. If interrupted, "
          + "complete it with --resume."
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
      description = "Complete an interrupted rotation, without adding a key.")
  boolean resume;

  KeyRotateCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    return KeyWork.rotate(clew, resume);
  }
}
