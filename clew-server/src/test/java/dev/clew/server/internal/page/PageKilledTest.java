package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.say;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed in the middle of an answer, and comes back. */
@ExtendWith(FailurePictures.class)
class PageKilledTest {
  @TempDir Path folder;

  private record Server(Process process, String port, String link) {
    void kill() {
      process.destroyForcibly().onExit().join();
    }
  }

  private Server start(String port) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Djava.io.tmpdir=" + folder,
                    "-cp",
                    System.getProperty("java.class.path"),
                    KilledProgram.class.getName(),
                    "sqlite:" + folder.resolve("killed.db"),
                    port))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    return new Server(process, lines.readLine(), lines.readLine());
  }

  @Test
  void thePageSaysThatItReconnects_keepsWhatWasRead_andThenTellsTheTruth() throws IOException {
    Server first = start("0");
    try (BrowserContext context = Chromium.browser().newContext(Browsing.desktop())) {
      context.setDefaultTimeout(Chromium.DEADLINE_MILLIS);
      Page page = context.newPage();
      page.navigate(first.link());
      say(page, "a story");
      assertThat(page.locator(".live")).hasText("The first half");
      say(page, "another story");
      assertThat(page.locator(".queue small")).hasText("waiting");
      first.kill();
      assertThat(page.locator(".offline")).hasText("Connection lost. Reconnecting…");
      assertThat(page.locator(".live")).hasText("The first half");
      page.locator("#message").fill("typed meanwhile");
      Server second = start(first.port());
      try {
        assertThat(page.locator(".offline")).hasCount(0);
        assertThat(page.locator(".failure")).containsText("The server stopped during the answer.");
        assertThat(page.locator(".lost")).containsText("The first half");
        assertThat(page.locator(".lost")).containsText("This part was not saved.");
        assertThat(page.locator("#message")).hasValue("typed meanwhile");
        assertThat(page.locator(".queue small"))
            .hasText("not sent: the server stopped before this was answered");
        assertThat(page.locator(".lost ~ .queue")).isVisible();
        page.reload();
        assertThat(page.locator(".unanswered")).containsText("No answer yet.");
        assertThat(page.locator("#message")).hasValue("typed meanwhile");
        page.locator(".unanswered button").click();
        assertThat(answers(page)).hasText("echo a story");
        page.locator(".queue button").first().click();
        assertThat(answers(page)).hasText(new String[] {"echo a story", "echo another story"});
        assertThat(page.locator(".queue")).hasCount(0);
      } finally {
        second.kill();
      }
    } finally {
      first.kill();
    }
  }
}
