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
      "Others can read and write meanwhile, and no item is touched. If it is "
          + "interrupted, complete it with --resume."
    },
    footer = {
      "",
      "Examples:",
      "  clew --store sqlite:safe.db --key file:clew.key key rotate",
      "  clew --store sqlite:safe.db --key file:clew.key key rotate --resume"
    })
final class KeyRotateCommand implements Action {
  private final Clew clew;

  @Option(names = "--resume", description = "Add no key; complete a rotation that was interrupted.")
  boolean resume;

  KeyRotateCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    return KeyWork.rotate(clew, resume);
  }
}
