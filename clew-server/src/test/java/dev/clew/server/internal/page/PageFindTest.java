package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A text is found in the open conversation, also where that is not loaded. */
class PageFindTest extends InABrowser {
  private static final String LONG = "word ".repeat(3_000);

  @BeforeAll
  static void fill() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      texts.add(i == 20 || i == 301 ? "a Pelican at " + i : "line " + i);
    }
    texts.add(LONG + " the pelican at the end of it");
    texts.add("that was long");
    browsing.conversation("find", "Birds", texts.toArray(String[]::new));
    browsing.conversation("other", "Other birds", "a pelican", "elsewhere");
  }

  private static Locator found(Page page) {
    return page.locator(".find [role=status]");
  }

  /** What is marked in the text. */
  private static Object marked(Page page) {
    return page.evaluate("() => [...(CSS.highlights.get('found') ?? [])].map(String).join()");
  }

  @Test
  void everyPlaceIsFound_loadedOrNot_andOneGoesFromOneToTheNext() {
    Page page = browsing.conversationPage("find");
    assertThat(answers(page).last()).hasText("that was long");
    page.keyboard().press("Control+Shift+F");
    assertThat(page.locator(".find input")).isFocused();
    page.keyboard().type("pelican");
    assertThat(found(page)).hasText("3 of 3");
    Locator here = page.locator(".found-here");
    assertThat(here.last()).containsText("the pelican at the end");
    page.waitForCondition(() -> marked(page).equals("pelican"));
    Assertions.assertThat(
            page.evaluate(
                "() => { const at = [...CSS.highlights.get('found')][0].getBoundingClientRect();"
                    + " return at.top > 0 && at.bottom < innerHeight; }"))
        .isEqualTo(true);
    page.keyboard().press("Enter");
    assertThat(found(page)).hasText("1 of 3");
    assertThat(page.getByText("a Pelican at 20")).isInViewport();
    page.waitForCondition(() -> marked(page).equals("Pelican"));
    page.locator(".find [aria-label='Next match']").click();
    assertThat(page.getByText("a Pelican at 301")).isInViewport();
    page.locator(".find input").press("Shift+Enter");
    assertThat(page.getByText("a Pelican at 20")).isInViewport();
    page.keyboard().press("Escape");
    assertThat(page.locator(".find")).isHidden();
    assertThat(page.locator("#message")).isFocused();
    Assertions.assertThat(marked(page)).isEqualTo("");
  }

  @Test
  void aPartOfAWordIsFoundInWhatIsLoaded_andWhatIsNowhereIsSaid() {
    Page page = browsing.conversationPage("other");
    assertThat(answers(page)).hasText("elsewhere");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Find in conversation").click();
    assertThat(page.locator(".find input")).isFocused();
    page.keyboard().type("lsewh");
    assertThat(found(page)).hasText("1 of 1");
    page.waitForCondition(() -> marked(page).equals("lsewh"));
    page.locator(".find input").fill("penguin");
    assertThat(found(page)).hasText("No matches");
    page.keyboard().press("Control+Shift+O"); // another conversation
    assertThat(page.locator(".find")).isHidden();
  }

  @Test
  void everyMatchOfAnAnswerIsCounted_andOneGoesFromOneToTheNext() {
    browsing.conversation(
        "many", "Many", "a heron", "Heron, **heron** and heron.\n\n" + LONG + " heron", "x", "y");
    Page page = browsing.conversationPage("many");
    assertThat(answers(page).last()).hasText("y");
    page.locator(".scroll").evaluate("pane => pane.scrollTop = 0");
    page.keyboard().press("Control+Shift+F");
    page.keyboard().type("heron");
    for (String place : List.of("1 of 5", "2 of 5", "3 of 5", "4 of 5", "5 of 5", "1 of 5")) {
      assertThat(found(page)).hasText(place);
      page.waitForFunction(
          "() => { const [now] = CSS.highlights.get('found-now') ?? [];"
              + " const at = now?.getBoundingClientRect();"
              + " return at && at.top > 0 && at.bottom < innerHeight; }");
      page.keyboard().press("Enter");
    }
    assertThat(found(page)).hasText("2 of 5");
    page.keyboard().press("Shift+Enter");
    page.keyboard().press("Shift+Enter");
    assertThat(found(page)).hasText("5 of 5");
  }

  @Test
  void theServerNeedNotAnswer() {
    Page page = browsing.conversationPage("other");
    assertThat(answers(page)).hasText("elsewhere");
    page.route("**/api/search?**", route -> route.abort("connectionfailed"));
    page.keyboard().press("Control+Shift+F");
    page.keyboard().type("pelican");
    assertThat(found(page)).hasText("1 of 1 · only in what is loaded");
    browsing.forgive("ERR_CONNECTION_FAILED");
  }

  @Test
  void itHindersNobody_inLightAndDark() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      Page page =
          browsing.open(browsing.person(Browsing.desktop().setColorScheme(scheme)), "/#/s/other");
      assertThat(answers(page)).hasText("elsewhere");
      page.keyboard().press("Control+Shift+F");
      page.keyboard().type("pelican");
      assertThat(found(page)).hasText("1 of 1");
      page.waitForCondition(() -> marked(page).equals("pelican"));
      isAccessible(page);
      picture(page, "find-" + scheme);
    }
  }

  @Test
  void onAPhoneItIsNoWiderThanThePage() {
    BrowserContext phone =
        browsing.person(
            new Browser.NewContextOptions()
                .setViewportSize(360, 780)
                .setIsMobile(true)
                .setHasTouch(true));
    Page page = browsing.open(phone, "/#/s/find");
    assertThat(answers(page).last()).hasText("that was long");
    page.locator("clew-thread-head [aria-label=More]").tap();
    choice(page, "Find in conversation").tap();
    page.locator(".find input").fill("pelican");
    assertThat(found(page)).hasText("3 of 3");
    picture(page, "find-phone");
    Assertions.assertThat(
            page.evaluate(
                "() => [...document.querySelectorAll('.find, .find *')]"
                    + ".filter(one => one.getBoundingClientRect().right > 360).length"))
        .isEqualTo(0);
  }

  @Test
  void aSearchLeadsToTheWord_alsoInALongMessage() {
    String words = "word ".repeat(600);
    browsing.conversation("far", "Far", "where?", words + "a flamingo " + words);
    Page page = browsing.page("/");
    page.locator("#search").fill("role:assistant flamingo");
    page.locator(".results .found").first().click();
    assertThat(page.locator(".found-here")).containsText("a flamingo");
    page.waitForFunction(
        "() => { const text = document.createTreeWalker("
            + "   document.querySelector('.found-here'), NodeFilter.SHOW_TEXT);"
            + " while (text.nextNode()) { const { data } = text.currentNode;"
            + "   const at = data.indexOf('flamingo');"
            + "   if (at >= 0) { const range = new Range();"
            + "     range.setStart(text.currentNode, at);"
            + "     range.setEnd(text.currentNode, at + 8);"
            + "     const { top, bottom } = range.getBoundingClientRect();"
            + "     return top > 0 && bottom < innerHeight; } } }");
  }
}
