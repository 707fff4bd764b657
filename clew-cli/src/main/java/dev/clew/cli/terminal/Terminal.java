package dev.clew.cli.terminal;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The person in front of the command, if there is one. Implementations need no thread safety. */
public interface Terminal {
  /** Whether input and output both are a terminal, so that a question reaches somebody. */
  boolean isInteractive();

  /** How many columns it has, if it is a terminal and knows. */
  OptionalInt width();

  /** The line somebody typed, or null at the end of the input. */
  @Nullable String readLine();

  /** Gives a person a moment to read. */
  void pause();
}
