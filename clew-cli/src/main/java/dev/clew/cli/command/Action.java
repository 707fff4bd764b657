package dev.clew.cli.command;

/** What a command does once its arguments are read. Used once, by one thread. */
public interface Action {
  /** Does it and returns one of {@link dev.clew.cli.terminal.ExitCode}. */
  int run();
}
