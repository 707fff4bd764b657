package dev.clew.server;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The system's Chromium, started once for all tests of a JVM. Used by one thread. If there is none
 * it is installed where that is allowed, and otherwise the tests fail with the command to run.
 */
final class Chromium {
  static final double DEADLINE_MILLIS = 20_000;

  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final List<String> INSTALL =
      List.of("apt-get", "install", "--yes", "--no-install-recommends", "chromium");
  private static final List<String> FLAGS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private static Browser browser;

  private Chromium() {}

  static synchronized Browser browser() {
    if (browser == null) {
      Playwright playwright =
          Playwright.create(
              new Playwright.CreateOptions()
                  .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
      browser =
          playwright
              .chromium()
              .launch(new BrowserType.LaunchOptions().setExecutablePath(place()).setArgs(FLAGS));
      PlaywrightAssertions.setDefaultAssertionTimeout(DEADLINE_MILLIS);
      Runtime.getRuntime().addShutdownHook(new Thread(playwright::close, "close-chromium"));
    }
    return browser;
  }

  private static Path place() {
    return find().or(Chromium::install).orElseThrow(Chromium::missing);
  }

  private static Optional<Path> find() {
    String told = System.getenv("CLEW_CHROMIUM");
    return told != null
        ? Optional.of(Path.of(told))
        : PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
  }

  /** As root, and where there is apt. */
  private static Optional<Path> install() {
    if (!"root".equals(System.getProperty("user.name"))
        || !Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
      return Optional.empty();
    }
    try {
      Process process = new ProcessBuilder(INSTALL).inheritIO().start();
      if (!process.waitFor(10, TimeUnit.MINUTES)) {
        process.destroy();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return find();
  }

  private static IllegalStateException missing() {
    return new IllegalStateException(
        "the tests of the page need Chromium; install it with: sudo "
            + String.join(" ", INSTALL)
            + ", or say where it is with CLEW_CHROMIUM");
  }
}
