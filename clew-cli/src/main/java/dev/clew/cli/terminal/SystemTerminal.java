package dev.clew.cli.terminal;

import java.io.Console;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The terminal the process was started from. Not thread-safe. */
public final class SystemTerminal implements Terminal {
  private static final long PAUSE_MILLIS = 300;

  private final Map<String, String> env;
  private final @Nullable Console console;

  private SystemTerminal(Map<String, String> env, @Nullable Console console) {
    this.env = env;
    this.console = console;
  }

  public static SystemTerminal of(Map<String, String> env) {
    // From JDK 22 on the default console also exists without a terminal, and is slow to start.
    System.setProperty("jdk.console", "java.base");
    return new SystemTerminal(env, System.console());
  }

  @Override
  public boolean isInteractive() {
    return console != null;
  }

  @Override
  public OptionalInt width() {
    OptionalInt told = number(env.getOrDefault("COLUMNS", ""));
    return told.isPresent() || console == null ? told : asked();
  }

  /** Java cannot ask the terminal itself; shells rarely export COLUMNS. */
  private static OptionalInt asked() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(Redirect.from(Path.of("/dev/tty").toFile()))
              .redirectError(Redirect.DISCARD)
              .start();
      String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      stty.waitFor(1, TimeUnit.SECONDS);
      String[] rowsAndColumns = answer.trim().split(" ", 2);
      return rowsAndColumns.length == 2 ? number(rowsAndColumns[1]) : OptionalInt.empty();
    } catch (IOException e) {
      return OptionalInt.empty(); // no stty, no wrapping
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  private static OptionalInt number(String text) {
    try {
      int columns = Integer.parseInt(text.trim());
      return columns > 0 ? OptionalInt.of(columns) : OptionalInt.empty();
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  @Override
  public @Nullable String readLine() {
    return console == null ? null : console.readLine();
  }

  @Override
  public void pause() {
    if (console != null) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
