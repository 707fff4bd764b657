package dev.clew.cli.keys;

import dev.clew.cli.command.Action;
import dev.clew.cli.command.Clew;
import picocli.CommandLine.Command;

/** {@code clew key list}: the keys and how much each wraps. Used once, by one thread. */
@Command(
    name = "list",
    description = {
      "Lists the keys, never their secrets.",
      "It shows which key is the newest, and how many owner keys each of them "
          + "wraps in the store."
    },
    footer = {"", "Examples:", "  clew --store sqlite:safe.db --key file:clew.key key list"})
final class KeyListCommand implements Action {
  private final Clew clew;

  KeyListCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    return KeyWork.list(clew);
  }
}
