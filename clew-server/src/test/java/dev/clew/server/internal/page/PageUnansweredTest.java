package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.say;

import com.microsoft.playwright.Page;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.ModelResponse;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A message without an answer: why, and the one way on. */
class PageUnansweredTest extends InABrowser {
  private static void answersNever() {
    browsing.model.then(
        (request, listener) -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw new ClewException.ModelFailed("interrupted", e, true);
          }
          return ModelResponse.of(Item.assistant("late"));
        });
  }

  @Test
  void onlyTheMessageThatFailedCanBeTriedAgain_notTheAnswerBefore() {
    browsing.conversation("failed-next", "Failed next", "hi", "hello");
    browsing.model.fails();
    Page page = browsing.conversationPage("failed-next");
    assertThat(page.locator("[aria-label='Regenerate']")).hasCount(1);
    say(page, "and now");
    for (int i = 0; i < 2; i++) {
      assertThat(page.locator(".failure button")).hasText("Try again");
      assertThat(page.locator("[aria-label^='Regenerate']")).hasCount(0);
      page.reload();
    }
    page.locator(".failure button").click();
    assertThat(answers(page)).hasText(new String[] {"hello", "echo and now"});
    assertThat(page.locator("[aria-label='Regenerate']")).hasCount(1);
  }

  @Test
  void anAnswerThatWasStoppedDoesNotGoOn_onceSomethingElseWasSaid() {
    browsing
        .session("stopped-twice")
        .addItems(
            List.of(
                Item.user("count"),
                Item.parse(
                    "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"incomplete\","
                        + "\"content\":[{\"type\":\"output_text\",\"text\":\"one, two\"}]}")));
    answersNever();
    Page page = browsing.conversationPage("stopped-twice");
    assertThat(page.locator(".aside button")).hasText("Continue");
    say(page, "something else");
    assertThat(page.locator(".entry .bubble")).hasCount(2);
    page.keyboard().press("Escape");
    for (int i = 0; i < 2; i++) {
      assertThat(page.locator(".unanswered button")).hasText("Try again");
      assertThat(page.locator(".aside")).hasText("Stopped");
      assertThat(page.locator(".aside button, [aria-label='Regenerate']")).hasCount(0);
      page.reload();
    }
  }
}
