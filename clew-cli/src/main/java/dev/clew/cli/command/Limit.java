package dev.clew.cli.command;

import dev.clew.cli.terminal.Failure;

/** The option {@code --limit} of a command that answers with a page. Stateless. */
public final class Limit {
  private Limit() {}

  /** The value, if it is from 1 to what is allowed. */
  public static int checked(int value, int most) {
    if (value < 1 || value > most) {
      throw Failure.usage("--limit is " + value + "; it must be 1 to " + most).in("--limit");
    }
    return value;
  }
}
