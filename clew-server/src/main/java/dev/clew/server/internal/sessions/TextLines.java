package dev.clew.server.internal.sessions;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The lines of a long text. Used by one thread. A line that is too long is passed over. */
final class TextLines {
  /** As long as a session in a request of its own, or less where memory is scarce. */
  static final int LONGEST =
      (int) Math.min(32 << 20, Math.max(4 << 20, Runtime.getRuntime().maxMemory() / 16));

  private static final int BUFFER = 64 << 10;

  /**
   * What is told of a line: its number, counted from one, and its text or what is wrong with it.
   */
  @FunctionalInterface
  interface Told {
    void line(long number, String text);
  }

  private final InputStream in;
  private final int longest;

  TextLines(InputStream in, int longest) {
    this.in = in;
    this.longest = longest;
  }

  void forEach(Told each, Told refused) throws IOException {
    byte[] buffer = new byte[BUFFER];
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean skipping = false;
    long number = 1;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      int start = 0;
      for (int i = 0; i < read; i++) {
        if (buffer[i] == '\n') {
          line.write(buffer, start, skipping ? 0 : i - start);
          end(number++, line, skipping, each, refused);
          line = new ByteArrayOutputStream();
          skipping = false;
          start = i + 1;
        }
      }
      if (!skipping) {
        line.write(buffer, start, read - start);
        skipping = line.size() > longest;
        line = skipping ? new ByteArrayOutputStream() : line;
      }
    }
    end(number, line, skipping, each, refused);
  }

  private void end(
      long number, ByteArrayOutputStream line, boolean skipping, Told each, Told refused) {
    if (skipping) {
      refused.line(number, "It has more than " + (longest >> 20) + " MiB.");
      return;
    }
    String text = line.toString(StandardCharsets.UTF_8);
    if (!text.isBlank()) {
      each.line(number, text);
    }
  }
}
