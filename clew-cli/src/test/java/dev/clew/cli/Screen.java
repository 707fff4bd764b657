package dev.clew.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What is on a terminal, for a test that waits until something is. Thread-safe. */
public final class Screen extends ByteArrayOutputStream {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private int seen;

  @Override
  public synchronized void write(int b) {
    super.write(b);
    notifyAll();
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    super.write(bytes, offset, length);
    notifyAll();
  }

  /** Waits until a text appears behind the one that was waited for before. */
  public synchronized void await(String text) throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      int found = all().indexOf(text, seen);
      if (found >= 0) {
        seen = found + text.length();
        return;
      }
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError("'" + text + "' did not appear after: " + all());
      }
      wait(left);
    }
  }

  synchronized String all() {
    return toString(StandardCharsets.UTF_8);
  }
}
