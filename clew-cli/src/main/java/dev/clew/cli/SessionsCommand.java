package dev.clew.cli;

import picocli.CommandLine.Command;

/** {@code clew sessions}: the name before the commands about whole sessions. Stateless. */
@Command(
    name = "sessions",
    description = "Lists, shows, renames, forks and deletes sessions.",
    footer = {
      "",
      "Examples:",
      "  clew sessions list",
      "  clew sessions show trip",
      "  clew sessions delete trip --yes"
    })
final class SessionsCommand {}
