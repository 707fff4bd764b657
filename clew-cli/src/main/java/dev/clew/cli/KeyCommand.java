package dev.clew.cli;

import picocli.CommandLine.Command;

/** {@code clew key}: the name before the commands about keys. Stateless. */
@Command(
    name = "key",
    description = {
      "Makes, lists, rotates, retires and restores the keys of an encrypted store.",
      "Without its keys nothing in such a store can be read: keep a copy of them " + "elsewhere."
    },
    footer = {
      "",
      "Examples:",
      "  clew key create --key file:clew.key",
      "  clew --store sqlite:safe.db --key file:clew.key key list",
      "  clew --store sqlite:safe.db --key file:clew.key key rotate",
      "  clew --store sqlite:safe.db --key file:clew.key key retire 1234567890"
    })
final class KeyCommand {}
