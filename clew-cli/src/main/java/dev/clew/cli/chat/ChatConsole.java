package dev.clew.cli.chat;

import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a chat takes place. Implementations are used by one thread; what they do on an interrupt
 * runs on another.
 */
interface ChatConsole extends AutoCloseable {

  /** Somebody pressed Ctrl-C instead of typing a line. */
  final class Interrupted extends Exception {
    private static final long serialVersionUID = 1L;

    Interrupted() {
      super(null, null, false, false);
    }
  }

  /** A message or a command; null at the end of the input. */
  @Nullable String readLine() throws Interrupted;

  /** The answer to a question, which is not a message; null at the end of the input. */
  @Nullable String ask(String question) throws Interrupted;

  /** What was answered. */
  Output answers();

  /** What is not part of an answer. */
  Output notes();

  /** The colours of it. */
  Paint paint();

  /** How wide it is, if it has a width. */
  OptionalInt width();

  /** Whether somebody sits in front of it who can try again. */
  boolean isInteractive();

  /** What an interrupt does from now on; null for what it does between answers. */
  void onInterrupt(@Nullable Runnable action);

  /** How the beginning of a line can go on. */
  default void completeWith(Function<String, List<String>> completions) {}

  /** Lines typed earlier, oldest first. */
  default void remember(List<String> lines) {}

  /** Ends the process at once: an interrupted answer does not stop. */
  void leave();

  @Override
  void close();
}
