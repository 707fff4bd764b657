package dev.clew.bench;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import dev.clew.server.ClewServer;
import dev.clew.testservers.ChromiumProgram;
import java.util.List;
import java.util.Map;

/** The system's browser. Used by one thread. */
final class Chromium implements AutoCloseable {
  private final Playwright playwright;
  private final Browser browser;

  Chromium() {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(ChromiumProgram.get())
                    .setArgs(List.of("--no-sandbox", "--disable-gpu")));
  }

  /** Whether there is one; says so if there is not. */
  static boolean isThere(Lab lab) {
    boolean there = ChromiumProgram.find().isPresent();
    if (!there) {
      lab.note(
          "the page: not measured; install Chromium with 'make setup', or set CLEW_CHROMIUM to its path");
    }
    return there;
  }

  Browser browser() {
    return browser;
  }

  /** A person's own browser, who has signed in. */
  BrowserContext signedIn(ClewServer server, String token) {
    BrowserContext context =
        browser.newContext(new Browser.NewContextOptions().setViewportSize(1280, 820));
    Page page = context.newPage();
    page.navigate(server.url());
    page.locator("#token").fill(token);
    page.locator("button").click();
    page.waitForSelector("#message");
    page.close();
    return context;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
