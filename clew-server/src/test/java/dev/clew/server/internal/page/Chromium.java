package dev.clew.server.internal.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.clew.testservers.ChromiumProgram;
import java.util.List;
import java.util.Map;

/** The system's Chromium, started once for all tests of a JVM. Used by one thread. */
final class Chromium {
  static final double DEADLINE_MILLIS = 20_000;

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
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(ChromiumProgram.get())
                      .setArgs(FLAGS));
      PlaywrightAssertions.setDefaultAssertionTimeout(DEADLINE_MILLIS);
      Runtime.getRuntime().addShutdownHook(new Thread(playwright::close, "close-chromium"));
    }
    return browser;
  }
}
