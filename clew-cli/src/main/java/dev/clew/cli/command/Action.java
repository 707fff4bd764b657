package dev.clew.cli.command;

/** What a command does once its arguments are read. Used once, by one thread. */
public abstract class Action {
  /** The command line this is part of. */
  @SuppressWarnings("NullAway.Init") // picocli makes the commands; the one that is meant gets it
  protected Clew clew;

  /** Does it and returns one of {@link dev.clew.cli.terminal.ExitCode}. */
  public final int run(Clew commandLine) {
    clew = commandLine;
    return run();
  }

  protected abstract int run();
}
