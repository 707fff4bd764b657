package dev.clew.cli;

/** What a command does once its arguments are read. Used once, by one thread. */
interface Action {
  /** Does it and returns one of {@link ExitCode}. */
  int run();
}
