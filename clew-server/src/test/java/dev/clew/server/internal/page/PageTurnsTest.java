package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.say;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelResponse;
import dev.clew.server.Caller;
import dev.clew.server.ScriptedModel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** No turn without a state: whatever begins one, and however it ends. */
class PageTurnsTest extends InABrowser {
  private static void runs(Page page) {
    assertThat(page.locator("button.stop")).isVisible();
  }

  /** The address of what a page shows, for another window. */
  private static String path(Page page) {
    return page.url().substring(browsing.url().length());
  }

  private static void rests(Page page) {
    assertThat(page.locator("button.stop")).hasCount(0);
    assertThat(page.locator("button.send")).isVisible();
  }

  @Test
  void answeringAgainShowsAtOnceThatItRuns_inEveryWindow_andIsStopped() {
    browsing.conversation("rerun", "Rerun", "a number", "four");
    Page one = browsing.conversationPage("rerun");
    ScriptedModel.Held held = browsing.model.thenHold("The first half", " and more");
    one.locator("[aria-label='Regenerate']").click();
    runs(one);
    assertThat(one.locator(".live")).hasText("The first half");
    Page other = browsing.open(browsing.person(Browsing.desktop()), path(one));
    assertThat(other.locator(".live")).hasText("The first half");
    other.keyboard().press("Escape");
    for (Page page : List.of(one, other)) {
      rests(page);
      assertThat(answers(page)).hasText(new String[] {"The first half"});
      assertThat(page.locator(".aside")).containsText("Stopped");
    }
    held.release();
  }

  @Test
  void tryingAgainShowsAtOnceThatItRuns_inEveryWindow() {
    browsing.model.fails();
    Page one = browsing.page("/");
    say(one, "are you well");
    assertThat(one.locator(".failure")).isVisible();
    Page other = browsing.open(browsing.person(Browsing.desktop()), path(one));
    assertThat(other.locator(".failure")).containsText("The model returned an error");
    ScriptedModel.Held held = browsing.model.thenHold("I am", " well");
    one.locator(".failure button").click();
    for (Page page : List.of(one, other)) {
      runs(page);
      assertThat(page.locator(".live")).hasText("I am");
      assertThat(page.locator(".failure")).hasCount(0);
    }
    held.release();
    for (Page page : List.of(one, other)) {
      assertThat(answers(page)).hasText("I am well");
      rests(page);
    }
  }

  @Test
  void aFirstMessageThatIsRefusedKeepsEverything_andCanBeSentAgain() {
    Page page = browsing.page("/");
    page.locator(".choice").click();
    choice(page, "other").click();
    page.locator(".welcome .told").click();
    page.locator("dialog[open] textarea").fill("Speak in verse.");
    page.locator("dialog[open] button.main").click();
    AtomicInteger asked = new AtomicInteger();
    page.route(
        "**/api/chat",
        route -> {
          switch (asked.incrementAndGet()) {
            case 1 -> route.abort("connectionfailed");
            case 2 ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setStatus(429)
                        .setHeaders(Map.of("Retry-After", "7"))
                        .setBody(
                            "{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"no\"}}"));
            default -> route.resume();
          }
        });
    say(page, "hello you");
    assertThat(page.locator(".failure")).containsText("cannot be reached");
    assertThat(page.locator("#message")).hasValue("hello you");
    assertThat(page.locator(".offline")).hasCount(1);
    page.locator("#message").press("Enter");
    assertThat(page.locator(".failure")).containsText("Try again in 7 s");
    assertThat(page.locator("#message")).hasValue("hello you");
    Assertions.assertThat(page.url()).doesNotContain("#/s/");
    browsing.other.thenText("Hello ", "yourself.");
    page.locator("#message").press("Enter");
    assertThat(answers(page)).hasText("Hello yourself.");
    assertThat(page.locator(".bubble")).hasText(new String[] {"hello you"});
    assertThat(page.locator(".failure")).hasCount(0);
    Assertions.assertThat(browsing.other.lastRequest().instructions()).endsWith("Speak in verse.");
    page.reload();
    assertThat(answers(page)).hasText("Hello yourself.");
    assertThat(page.locator("#message")).hasValue("");
    browsing.forgive("ERR_CONNECTION_FAILED");
    browsing.forgive("429");
  }

  @Test
  void aFirstMessageThatIsRefusedIsThereAfterAReload() {
    Page page = browsing.page("/");
    page.route("**/api/chat", route -> route.abort("connectionfailed"));
    say(page, "do not lose me");
    assertThat(page.locator(".failure")).isVisible();
    page.reload();
    assertThat(page.locator("clew-welcome h1")).isVisible();
    assertThat(page.locator("#message")).hasValue("do not lose me");
    browsing.forgive("ERR_CONNECTION_FAILED");
  }

  @Test
  void aQuestionThatWasStoppedBeforeTheFirstWordCanBeTriedAgain_alsoLater() {
    browsing.model.then(
        (request, listener) -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw new ClewException.ModelFailed("interrupted", e, true);
          }
          return ModelResponse.of(Item.assistant("late"));
        });
    Page page = browsing.page("/");
    say(page, "will you answer");
    assertThat(page.locator(".thinking")).isVisible();
    assertThat(page.locator(".entry .bubble")).hasCount(1);
    page.keyboard().press("Escape");
    assertThat(page.locator(".unanswered")).hasText("No answer yet. Try again");
    Assertions.assertThat(page.evaluate("document.activeElement.id")).isEqualTo("message");
    page.reload();
    page.locator(".unanswered button").click();
    assertThat(answers(page)).hasText("echo will you answer");
    assertThat(page.locator(".unanswered")).hasCount(0);
  }

  @Test
  void anEmptyAnswerIsNone() {
    browsing.model.thenItems(Item.assistant(""));
    Page page = browsing.page("/");
    say(page, "say something");
    assertThat(page.locator(".unanswered")).hasText("The model returned nothing. Try again");
    page.reload();
    page.locator(".unanswered button").click();
    assertThat(answers(page)).hasText(new String[] {"echo say something"});
  }

  @Test
  void aTurnThatWasStoppedBehindItsToolsSaysSo() {
    browsing
        .session("tools-stopped")
        .addItems(
            List.of(
                Item.user("look it up"),
                Item.functionCall("c1", "look_up", "{\"to\":\"bob\"}"),
                Item.functionCallOutput("c1", "bob@x.org")));
    Page page = browsing.conversationPage("tools-stopped");
    assertThat(page.locator(".unanswered")).hasText("No answer yet. Try again");
    page.locator(".unanswered button").click();
    assertThat(answers(page)).hasText("echo look it up");
  }

  @Test
  void whatWasReadBeforeTheModelBrokeOffStays() {
    browsing.model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.TextDelta("Forty words of "));
          throw new ClewException.ModelFailed("the connection broke", null, false);
        });
    Page page = browsing.page("/");
    say(page, "a story");
    for (int i = 0; i < 2; i++) {
      assertThat(answers(page)).hasText("Forty words of");
      assertThat(page.locator(".aside")).hasText("The answer broke off here.");
      assertThat(page.locator(".aside button, [aria-label^='Regenerate']")).hasCount(0);
      assertThat(page.locator(".failure")).containsText("The model");
      page.reload();
    }
    page.locator(".failure button").click();
    assertThat(answers(page)).hasText(new String[] {"echo a story"});
    assertThat(page.locator(".failure")).hasCount(0);
  }

  @Test
  void whatIsSaidDuringATurnWaits_inEveryWindow_isWithdrawn_orAnsweredNext() {
    browsing.conversation("queue", "Queue", "hi", "hello");
    Page one = browsing.conversationPage("queue");
    Page other = browsing.open(browsing.person(Browsing.desktop()), "/#/s/queue");
    assertThat(answers(other)).hasCount(1);
    ScriptedModel.Held held = browsing.model.thenHold("The first", " answer");
    say(one, "first");
    assertThat(one.locator(".live")).hasText("The first");
    assertThat(other.locator(".live")).hasText("The first");
    for (String text : List.of("second", "third", "fourth", "fifth", "sixth", "seventh")) {
      say(one, text);
      assertThat(one.locator(".queue li").last()).containsText(text);
      assertThat(one.locator("#message")).hasValue("");
    }
    assertThat(other.locator(".queue li")).hasCount(6);
    isAccessible(one);
    picture(one, "queue");
    for (int left = 5; left > 1; left--) {
      other.locator(".queue li button").nth(1).click();
      assertThat(one.locator(".queue li")).hasCount(left);
    }
    assertThat(other.locator("#message")).hasValue(Pattern.compile("sixth\nfifth\nfourth\nthird"));
    one.reload();
    assertThat(one.locator(".queue li")).hasCount(2);
    assertThat(one.locator("#message")).hasValue("");
    held.release();
    for (Page page : List.of(one, other)) {
      assertThat(answers(page))
          .hasText(new String[] {"hello", "The first answer", "echo second", "echo seventh"});
      assertThat(page.locator(".queue")).hasCount(0);
      rests(page);
    }
  }

  @Test
  void aReaderSeesThatItMayOnlyRead_andWhatIsThere() {
    browsing.conversation("only-read", "Only read", "hi");
    BrowserContext reader = browsing.person(Browsing.desktop());
    Page page = reader.newPage();
    page.route(
        "**/api/me",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        "{\"owner\":\"ann\",\"scopes\":[\"read\"],\"model\":\"m\",\"models\":[\"m\"]}")));
    page.navigate(browsing.url() + "/#/s/only-read");
    assertThat(page.locator("#message")).hasAttribute("placeholder", "Your token can only read.");
    assertThat(page.locator(".unanswered")).hasText("No answer yet.");
  }

  @Test
  void afterABrokenConnectionThePageSaysThatItIsNotKnownWhetherTheAnswerGoesOn() {
    Page page = browsing.page("/");
    ScriptedModel.Held held = browsing.model.thenHold("The first half", " and more");
    say(page, "go on");
    assertThat(page.locator(".live")).hasText("The first half");
    Object turn = new Caller(browsing.live, "ann").get("/api/turns").data().get(0).get("turn_id");
    page.route(
        "**/events?**",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("text/event-stream")
                    .setBody(
                        "event: turn\ndata: {\"turn_id\":\""
                            + turn
                            + "\",\"state\":\"running\"}\n\n")));
    connectAgain(page);
    assertThat(page.getByText("Checking whether the answer goes on")).isVisible();
    assertThat(page.locator(".live")).hasText("The first half");
    page.unroute("**/events?**");
    assertThat(page.getByText("Checking whether the answer goes on")).hasCount(0);
    held.release();
    assertThat(answers(page)).hasText("The first half and more");
  }

  @Test
  void whatWasHeardOfAnAnswerThatIsOverIsNotGone_whenThePageConnectsAgain() {
    Page page = browsing.page("/");
    ScriptedModel.Held held = browsing.model.thenHold("The first half", " and more");
    say(page, "go on");
    assertThat(page.locator(".live")).hasText("The first half");
    Route.FulfillOptions nothing = new Route.FulfillOptions().setContentType("text/event-stream");
    page.route("**/events?**", route -> route.fulfill(nothing.setBody(": nothing\n\n")));
    page.route(
        "**/api/turns",
        route -> route.fulfill(new Route.FulfillOptions().setBody("{\"data\":[]}")));
    connectAgain(page);
    assertThat(page.locator(".failure")).containsText("The server stopped during the answer.");
    assertThat(page.locator(".lost")).containsText("The first half");
    held.release();
  }

  private static void connectAgain(Page page) {
    for (boolean hidden : List.of(true, false)) {
      page.evaluate(
          "hidden => { Object.defineProperty(document, 'hidden',"
              + " { get: () => hidden, configurable: true });"
              + " document.dispatchEvent(new Event('visibilitychange')); }",
          hidden);
    }
  }
}
