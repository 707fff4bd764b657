package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.say;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Part;
import dev.clew.View;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small things that cost trust when they go wrong. */
class PageEdgesTest extends InABrowser {
  /** A file is dragged over a place, and let go there; whether the browser would open it. */
  private static final String DROP =
      "async (target) => { const all = new DataTransfer();"
          + " all.items.add(new File(['{}'], 'x.json', { type: 'application/json' }));"
          + " const how = { bubbles: true, cancelable: true, dataTransfer: all };"
          + " const place = document.querySelector(target);"
          + " const over = place.dispatchEvent(new DragEvent('dragover', how));"
          + " await new Promise(requestAnimationFrame);"
          + " const sign = document.querySelector('.dropping') !== null;"
          + " const drop = place.dispatchEvent(new DragEvent('drop', how));"
          + " return [over || drop, sign]; }";

  private static final String PASTE =
      "(text) => { const all = new DataTransfer(); all.setData('text/plain', text);"
          + " const paste = new ClipboardEvent('paste',"
          + "   { bubbles: true, cancelable: true, clipboardData: all });"
          + " document.querySelector('#message').dispatchEvent(paste); }";

  @ParameterizedTest
  @CsvSource({
    "clew-sidebar header, true",
    "clew-sidebar footer, true",
    "clew-conversation-list, true",
    "clew-thread, true",
    "clew-insight h1, false",
    "clew-insight .view-body, false"
  })
  void noFileReplacesThePage_andWhereItIsTakenThereIsASign(String place, boolean taken) {
    Page page = browsing.page("/");
    if (!taken) {
      page.navigate(browsing.url() + "/#/insight");
      assertThat(page.locator("clew-insight h1")).isVisible();
    }
    Assertions.assertThat(page.evaluate(DROP, place)).isEqualTo(List.of(false, taken));
    assertThat(page.locator(".dropping")).hasCount(0);
    browsing.forgive("400"); // it is no export
  }

  @Test
  void aLongPasteIsAFile_thatIsThereAfterAReload_andOneOfALineIsNot() {
    Page page = browsing.page("/");
    assertThat(page.locator("#message")).isFocused(); // one may type at once
    page.evaluate(PASTE, "short");
    assertThat(page.locator(".attachments")).hasCount(0);
    page.evaluate(PASTE, "a long line of a log\n".repeat(10_000));
    assertThat(page.locator(".attachments li")).hasText("pasted.txt");
    assertThat(page.locator("#message")).hasValue("");
    page.reload();
    assertThat(page.locator(".attachments li")).hasText("pasted.txt");
    say(page, "what is wrong here?");
    assertThat(answers(page)).hasText("echo what is wrong here?");
    View.Message asked = (View.Message) browsing.model.lastRequest().input().get(0).view();
    Assertions.assertThat(asked.content())
        .hasExactlyElementsOfTypes(Part.Text.class, Part.File.class);
    page.reload();
    assertThat(answers(page)).hasCount(1);
    assertThat(page.locator(".attachments")).hasCount(0);
  }

  @Test
  void tryingAgainSendsWhatWasRefused_andAsksNothingElse() {
    browsing.conversation("full", "Full", "hi", "hello");
    Page page = browsing.conversationPage("full");
    AtomicInteger asked = new AtomicInteger();
    page.route(
        "**/api/chat",
        route -> {
          if (asked.incrementAndGet() == 1) {
            route.fulfill(
                new Route.FulfillOptions()
                    .setStatus(503)
                    .setBody("{\"error\":{\"code\":\"store_unavailable\",\"message\":\"no\"}}"));
          } else {
            route.resume();
          }
        });
    say(page, "is there room?");
    assertThat(page.locator(".failure")).containsText("cannot store anything right now");
    assertThat(page.locator("#message")).hasValue("is there room?");
    page.locator(".failure button").click();
    assertThat(answers(page)).hasText(new String[] {"hello", "echo is there room?"});
    assertThat(page.locator("#message")).hasValue("");
    assertThat(page.locator(".branches")).hasCount(0);
    browsing.forgive("503");
  }

  @Test
  void aSearchSaysHowMuchItFound_andShowsTheRest() {
    for (int i = 0; i < 40; i++) {
      browsing.conversation("found-" + i, "Haystack " + i, "a haystack", "a needle");
    }
    Page page = browsing.page("/");
    page.locator("#search").fill("haystack");
    assertThat(page.locator(".results .remark")).hasText("The first 36 results");
    assertThat(page.locator(".found")).hasCount(36);
    page.locator(".results .more").click();
    assertThat(page.locator(".results .remark")).hasText("80 results");
    assertThat(page.locator(".found")).hasCount(80);
    assertThat(page.locator(".results .more")).hasCount(0);
    page.locator("#search").fill("haystack 17");
    assertThat(page.locator(".found b").first()).hasText("Haystack 17");
  }

  @Test
  void aFileOfAFileManager_whichComesWithItsName_isAttached() {
    Page page = browsing.page("/");
    page.evaluate(
        "() => { const all = new DataTransfer(); all.setData('text/plain', 'x.txt');"
            + " all.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }));"
            + " document.querySelector('#message').dispatchEvent(new ClipboardEvent('paste',"
            + "   { bubbles: true, cancelable: true, clipboardData: all })); }");
    assertThat(page.locator(".attachments li")).hasText("x.txt");
    assertThat(page.locator("#message")).hasValue("");
  }

  @Test
  void aTextThatIsCalledAnImageIsNotAttached() {
    Page page = browsing.page("/");
    page.evaluate(
        "() => { const all = new DataTransfer();"
            + " all.items.add(new File(['no picture'], 'fake.png', { type: 'image/png' }));"
            + " document.querySelector('#message').dispatchEvent(new ClipboardEvent('paste',"
            + "   { bubbles: true, cancelable: true, clipboardData: all })); }");
    assertThat(page.locator(".toast")).containsText("“fake.png” is not an image.");
    assertThat(page.locator(".attachments li")).hasCount(0);
  }

  @Test
  void whatIsBroughtBackIsFoundAgain_andWhatIsNoDateIsSaid() {
    browsing.conversation("undone", "Quokka", "a", "b");
    Page page = browsing.page("/");
    page.locator("#search").fill("quokka");
    assertThat(page.locator(".found")).hasCount(1);
    page.locator("#search").fill("");
    Browsing.menu(page, "Quokka");
    Browsing.choice(page, "Delete").click();
    Browsing.agree(page);
    page.locator("#search").fill("quokka");
    assertThat(page.locator(".results .remark")).containsText("Nothing found");
    page.locator(".toast button").click();
    assertThat(page.locator(".found")).hasCount(1);
    page.locator("#search").fill("quokka since:yesterday");
    assertThat(page.locator(".results .remark")).containsText("“yesterday” is not a date.");
  }

  @Test
  void theSignInHasTheColoursAndTheLanguageThatWereChosen() {
    Page page = browsing.stranger(Browsing.desktop()).newPage();
    page.navigate(browsing.url());
    page.evaluate(
        "() => { localStorage['clew.theme'] = 'dark'; localStorage['clew.language'] = 'de'; }");
    page.reload();
    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    assertThat(page.locator("button span:visible")).hasText("Anmelden");
    Assertions.assertThat(page.evaluate("() => getComputedStyle(document.body).colorScheme"))
        .isEqualTo("dark");
  }

  @Test
  void whatIsReadAloudIsWithoutMarks_andIsGoneAfterwards() {
    CountDownLatch said = new CountDownLatch(1);
    browsing.model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.TextDelta("This is **very** important. And"));
          await(said);
          return ModelResponse.of(Item.assistant("This is **very** important. And so on."));
        });
    Page page = browsing.page("/");
    say(page, "is it?");
    assertThat(page.locator(".spoken")).hasText("This is very important.");
    said.countDown();
    assertThat(answers(page)).hasCount(1);
    assertThat(page.locator(".spoken")).hasText("");
  }

  @Test
  void onAPhoneWhatIsTouchedIsLargeEnough_andTheListSaysWhetherItIsOpen() {
    browsing.conversation("touch", "Touch", "a", "b");
    BrowserContext phone =
        browsing.person(
            new Browser.NewContextOptions()
                .setViewportSize(390, 780)
                .setIsMobile(true)
                .setHasTouch(true));
    Page page = browsing.open(phone, "/#/s/touch");
    assertThat(answers(page)).hasCount(1);
    Assertions.assertThat(
            page.evaluate(
                "() => [...document.querySelectorAll('main .icon-button, main .round')]"
                    + ".map(one => one.getBoundingClientRect())"
                    + ".filter(box => box.width > 0 && Math.min(box.width, box.height) < 44).length"))
        .isEqualTo(0);
    assertThat(page.locator(".show-list").first()).hasAttribute("aria-expanded", "false");
    page.locator(".show-list").first().tap();
    assertThat(page.locator(".show-list").first()).hasAttribute("aria-expanded", "true");
    assertThat(page.locator("main")).hasAttribute("inert", "");
    assertThat(page.locator("clew-sidebar .new")).isFocused();
  }

  @Test
  void theMenuOfModelsStaysBesideItsButton() {
    Page page = browsing.page("/");
    page.locator(".composer .choice").click();
    assertThat(page.locator(".menu")).isVisible();
    Assertions.assertThat(page.locator(".menu").boundingBox().x)
        .isGreaterThanOrEqualTo(page.locator(".composer").boundingBox().x);
  }

  @Test
  void onAPhoneEnterIsANewLine() {
    BrowserContext phone =
        browsing.person(
            new Browser.NewContextOptions()
                .setViewportSize(390, 780)
                .setIsMobile(true)
                .setHasTouch(true));
    Page page = browsing.open(phone, "/");
    assertThat(page.locator("#message")).hasAttribute("enterkeyhint", "enter");
    page.locator("#message").tap();
    page.keyboard().type("one");
    page.keyboard().press("Enter");
    page.keyboard().type("two");
    assertThat(page.locator("#message")).hasValue("one\ntwo");
    page.locator("button.send").tap();
    assertThat(answers(page)).containsText("echo one");
  }

  @Test
  void theArrowsOfAHalfWrittenTextAreItsOwn() {
    browsing.conversation("arrows", "Arrows", "a", "b");
    Page page = browsing.conversationPage("arrows");
    assertThat(answers(page)).hasCount(1);
    String here = page.url();
    page.locator("#message").fill("half a sentence");
    page.locator("#message").press("Alt+ArrowDown");
    page.locator("#message").press("Alt+ArrowUp");
    Assertions.assertThat(page.url()).isEqualTo(here);
    assertThat(page.locator("#message")).hasValue("half a sentence");
  }

  @Test
  void whoEditsSeesWhatIsAttached_andWhatIsTakenBackCanBeChanged() {
    browsing
        .session("attached")
        .addItems(
            List.of(
                Item.parse(
                    """
                    {"type":"message","role":"user","content":[{"type":"input_text","text":"read it"},
                    {"type":"input_file","filename":"notes.txt",
                    "file_data":"data:text/plain;base64,aGVsbG8="}]}"""),
                Item.assistant("done")));
    Page page = browsing.conversationPage("attached");
    assertThat(answers(page)).hasText("done");
    page.locator("#message").press("ArrowUp");
    assertThat(page.locator(".editor .attached")).hasText("notes.txt");
    page.keyboard().press("Escape");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Undo last message").click();
    assertThat(page.locator("#message")).hasValue("read it");
    assertThat(page.locator(".attachments li")).hasText("notes.txt");
    assertThat(page.locator(".bubble")).hasCount(0);
    page.locator("#message").press("Enter");
    assertThat(answers(page)).hasText("echo read it");
    View.Message asked = (View.Message) browsing.model.lastRequest().input().get(0).view();
    Assertions.assertThat(asked.content())
        .hasExactlyElementsOfTypes(Part.Text.class, Part.File.class);
  }

  @Test
  void homeAndEndLeadToTheEndsOfALongConversation_andNothingReachesBelowThePage() {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      items.add(i % 2 == 0 ? Item.user("question " + i) : Item.assistant("answer " + i));
    }
    browsing.session("ends").addItems(items);
    Page page = browsing.conversationPage("ends");
    assertThat(answers(page).last()).hasText("answer 599");
    Assertions.assertThat(page.evaluate("() => document.documentElement.scrollHeight"))
        .isEqualTo(820);
    page.locator(".scroll").focus();
    page.keyboard().press("Home");
    assertThat(page.locator(".bubble").first()).hasText("question 0");
    assertThat(page.locator(".bubble").first()).isInViewport();
    page.locator(".scroll").focus();
    page.keyboard().press("End");
    assertThat(answers(page).last()).hasText("answer 599");
    assertThat(answers(page).last()).isInViewport();
  }

  @Test
  void instructionsAreSeenInTheThread_andChangedThere() {
    browsing.conversation("told", "Told", "a", "b");
    Page page = browsing.conversationPage("told");
    assertThat(answers(page)).hasCount(1);
    assertThat(page.getByLabel("Instructions are set")).hasCount(0);
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Instructions").click();
    page.locator("dialog[open] textarea").fill("Speak in verse.");
    page.locator("dialog[open] button.main").click();
    page.getByLabel("Instructions are set").click();
    assertThat(page.locator("dialog[open] textarea")).hasValue("Speak in verse.");
  }

  @Test
  void reasoningThatWasOpenedStaysOpenWhenTheAnswerBegins() {
    CountDownLatch thought = new CountDownLatch(1);
    CountDownLatch said = new CountDownLatch(1);
    browsing.model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.ReasoningDelta("Hm, let me see."));
          await(thought);
          listener.accept(new ModelEvent.TextDelta("It is "));
          await(said);
          listener.accept(new ModelEvent.TextDelta("so."));
          return ModelResponse.of(
              Item.parse(
                  "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\","
                      + "\"text\":\"Hm, let me see.\"}]}"),
              Item.assistant("It is so."));
        });
    Page page = browsing.page("/");
    say(page, "is it so?");
    page.locator(".reasoning summary").click();
    assertThat(page.locator(".reasoning .plain")).isVisible();
    thought.countDown();
    assertThat(page.locator(".live")).hasText("It is");
    assertThat(page.locator(".reasoning .plain")).isVisible();
    said.countDown();
    assertThat(answers(page)).hasText("It is so.");
    assertThat(page.locator(".entry .reasoning .plain")).isVisible();
    page.reload();
    assertThat(page.locator(".entry .reasoning .plain")).isHidden();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new ClewException.ModelFailed("interrupted", e, true);
    }
  }

  @Test
  void whyAModelDidNotAnswerIsSaid_nowAndLater_withoutItsSecrets() {
    Page page = browsing.page("/");
    check(
        page,
        ClewException.ModelFailed.tooLong("8193 of 8192 tokens at host.example", null),
        "longer than the model can read");
    check(
        page,
        new ClewException.Unauthorized("wrong key sk-1 at host.example", null),
        "refuses the server’s API key");
    check(
        page,
        new ClewException.RateLimited("org-1 at host.example: 3 requests", null),
        "too many requests");
    check(
        page,
        ClewException.ModelFailed.tooLarge("9 MB at host.example", null),
        "This is too large. Shorten it");
    check(
        page,
        ClewException.ModelFailed.overloaded("host.example is busy", null),
        "The model is overloaded. Try again in a moment.");
    check(
        page,
        new ClewException.MaxTurnsExceeded("10 turns"),
        "Stopped after many tool calls without an answer");
  }

  private static void check(Page page, ClewException failure, String said) {
    page.locator("clew-sidebar .new").click();
    browsing.model.then(
        (request, listener) -> {
          throw failure;
        });
    say(page, "why?");
    for (int i = 0; i < 2; i++) {
      assertThat(page.locator(".failure")).containsText(said);
      assertThat(page.locator("clew-thread")).not().containsText("host.example");
      page.reload();
    }
  }

  @Test
  void thatThereIsNoConnectionIsSaidOnce() {
    browsing.conversation("alone", "Alone", "a", "b");
    Page page = browsing.open(browsing.person(Browsing.desktop()), "/#/s/alone");
    assertThat(answers(page)).hasCount(1);
    page.context().setOffline(true);
    page.locator("clew-thread-head [aria-label=More]").click();
    List<String> failed = new ArrayList<>();
    page.onRequestFailed(request -> failed.add(request.method()));
    choice(page, "Pin").click();
    page.waitForCondition(() -> failed.contains("PATCH"));
    assertThat(page.locator(".offline")).isVisible();
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)))");
    Assertions.assertThat(page.locator(".toast").count()).isZero(); // at once: it goes by itself
    page.context().setOffline(false);
    assertThat(page.locator(".offline")).hasCount(0);
    browsing.forgive("ERR_INTERNET_DISCONNECTED");
    browsing.forgive("fetching the script"); // of the service worker
  }
}
