package dev.clew.cli;

import picocli.CommandLine.Command;

/** {@code clew token}: the name before the commands about tokens. Stateless. */
@Command(
    name = "token",
    description = "Makes, lists and revokes the tokens by which programs call the server.",
    footer = {
      "",
      "Examples:",
      "  clew token create --owner ann --name laptop",
      "  clew token list",
      "  clew token revoke 3f9a0c21b7de"
    })
final class TokenCommand {}
