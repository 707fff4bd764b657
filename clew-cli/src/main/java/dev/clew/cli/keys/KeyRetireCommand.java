package dev.clew.cli.keys;

import dev.clew.cli.command.Action;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.Consent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code clew key retire}: takes an old key out of the key file. Used once, by one thread. */
@Command(
    name = "retire",
    description = {
      "Removes a key that the store no longer needs from the key file.",
      "Other stores and backups may still need it: the old keys are kept in a file "
          + "next to the key file, from which 'clew key restore' restores the key. "
          + "Delete that file when nothing needs the key any more."
    },
    footer = {
      "",
      "Examples:",
      "  clew --store sqlite:safe.db --key file:clew.key key retire 1234567890",
      "  clew --store sqlite:safe.db --key file:clew.key key retire 1234567890 --yes"
    })
final class KeyRetireCommand implements Action {
  private final Clew clew;

  @Parameters(index = "0", paramLabel = "ID", description = "The key, as 'clew key list' shows it.")
  String id = "";

  @Mixin Consent consent = new Consent();

  KeyRetireCommand(Clew clew) {
    this.clew = clew;
  }

  @Override
  public int run() {
    return KeyWork.retire(clew, id, consent);
  }
}
