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
abstract class ChatConsole implements AutoCloseable {
  /** Somebody pressed Ctrl-C instead of typing a line. */
  static final class Interrupted extends Exception {
    private static final long serialVersionUID = 1L;

    Interrupted() {
      super(null, null, false, false);
    }
  }

  private final Output answers;
  private final Output notes;
  private final Paint paint;
  private final Runnable leave;
  private volatile @Nullable Runnable action;

  /**
   * @param answers where answers go
   * @param notes where goes what is not part of an answer
   * @param leave ends the process
   */
  ChatConsole(Output answers, Output notes, Paint paint, Runnable leave) {
    this.answers = answers;
    this.notes = notes;
    this.paint = paint;
    this.leave = leave;
  }

  /** A message or a command; null at the end of the input. */
  abstract @Nullable String readLine() throws Interrupted;

  /** The answer to a question, which is not a message; null at the end of the input. */
  abstract @Nullable String ask(String question) throws Interrupted;

  /** How wide it is, if it has a width. */
  abstract OptionalInt width();

  /** Whether somebody sits in front of it who can try again. */
  abstract boolean isInteractive();

  final Output answers() {
    return answers;
  }

  final Output notes() {
    return notes;
  }

  final Paint paint() {
    return paint;
  }

  /** What an interrupt does from now on; null for what it does between answers. */
  final void onInterrupt(@Nullable Runnable next) {
    action = next;
  }

  final void interrupt() {
    Runnable now = action;
    if (now == null) {
      interruptedBetweenAnswers();
    } else {
      now.run();
    }
  }

  void interruptedBetweenAnswers() {}

  /** How the beginning of a line can go on. */
  void completeWith(Function<String, List<String>> completions) {}

  /** Lines typed earlier, oldest first. */
  void remember(List<String> lines) {}

  /** Ends the process at once: an interrupted answer does not stop. */
  final void leave() {
    close();
    leave.run();
  }

  @Override
  public abstract void close();
}
