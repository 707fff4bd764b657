package dev.clew.cli.terminal;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Text on one of the process's streams, in UTF-8 whatever the locale. Not thread-safe.
 *
 * <p>Unlike a {@link java.io.PrintStream} it does not hide that writing failed: a command whose
 * reader went away stops, and one whose disk is full does not claim success.
 */
public final class Output {
  private final Writer writer;

  public Output(OutputStream stream) {
    this.writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
  }

  /** Nobody reads what is written any more, as in {@code clew sessions list | head -1}. */
  public static final class ReaderGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReaderGone() {
      super(null, null, false, false);
    }
  }

  public Output print(String text) {
    try {
      writer.write(text);
      return this;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  public Output line(String text) {
    return print(text).print("\n");
  }

  public void flush() {
    try {
      writer.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static RuntimeException failure(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.toLowerCase(Locale.ROOT).contains("pipe")
        ? new ReaderGone()
        : Failure.failed("cannot write the output: " + message);
  }
}
