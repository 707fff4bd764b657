package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.menu;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.Browsing.say;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ForcedColors;
import dev.clew.Item;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.server.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every state of the page as axe-core sees it, and where the focus goes. */
class PageAxeTest extends InABrowser {
  @BeforeAll
  static void fill() {
    StoredSession session = browsing.conversation("kyoto", "Three days in Kyoto", "A plan, please");
    session.addItems(
        List.of(
            Item.functionCall("c1", "look_up", "{\"to\":\"Kyoto\"}"),
            Item.functionCallOutput("c1", "{\"days\":3}"),
            Item.assistant("# Plan\n\n- [x] book\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n$x^2$\n")));
    session.update(SessionUpdate.none().tags(Set.of("japan", "travel")));
    browsing.conversation("put-away", "Put away", "a", "b");
    browsing.session("put-away").update(SessionUpdate.none().archived(true));
  }

  private final List<String> found = new ArrayList<>();

  private void check(Page page, String name, ColorScheme scheme) {
    picture(page, "axe-" + name + "-" + scheme);
    PageAccessTest.hindrances(page).forEach(one -> found.add(name + ": " + one));
  }

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void noStateHindersAnybody(ColorScheme scheme) {
    BrowserContext person = browsing.person(Browsing.desktop().setColorScheme(scheme));
    Page page = browsing.open(person, "/");
    assertThat(row(page, "Three days")).isVisible();
    check(page, "empty", scheme);
    row(page, "Three days").locator("a").click();
    assertThat(page.locator(".katex").first()).isVisible();
    page.locator(".tool summary").click();
    check(page, "thread", scheme);
    menu(page, "Three days");
    check(page, "row-menu", scheme);
    page.keyboard().press("Escape");
    page.locator("clew-thread-head [aria-label=More]").click();
    check(page, "thread-menu", scheme);
    choice(page, "Export").click();
    check(page, "export-menu", scheme);
    page.keyboard().press("Escape");
    page.locator("#search").fill("plan");
    assertThat(page.locator(".found").first()).isVisible();
    page.keyboard().press("ArrowDown");
    check(page, "search", scheme);
    page.keyboard().press("Escape");
    Locator settings = Browsing.settings(page);
    check(page, "settings", scheme);
    settings.getByText("Close").click();
    page.keyboard().press("Control+/");
    assertThat(page.locator("dialog.help")).isVisible();
    check(page, "help", scheme);
    page.keyboard().press("Escape");
    menu(page, "Three days");
    choice(page, "Tags").click();
    assertThat(page.locator("dialog[open]")).isVisible();
    check(page, "question", scheme);
    page.keyboard().press("Escape");
    menu(page, "Three days");
    choice(page, "Delete").click();
    check(page, "delete", scheme);
    page.keyboard().press("Escape");
    menu(page, "Three days");
    choice(page, "Share").click();
    assertThat(page.locator("dialog.share")).isVisible();
    check(page, "share", scheme);
    page.locator(".share .main").click();
    String link = page.locator(".share input").inputValue();
    assertThat(page.locator("dialog .toast")).isVisible();
    check(page, "toast-in-a-dialog", scheme);
    page.keyboard().press("Escape");
    page.locator("clew-sidebar footer button").click();
    check(page, "menu", scheme);
    choice(page, "Select").click();
    row(page, "Three days").locator("input").check();
    check(page, "selecting", scheme);
    page.locator(".bulk button").last().click();
    page.locator("clew-sidebar footer button").click();
    choice(page, "Archived").click();
    assertThat(row(page, "Put away")).isVisible();
    check(page, "archive", scheme);
    page.navigate(browsing.url() + "/#/insight");
    assertThat(page.locator("clew-plot[name=tools]")).isVisible();
    check(page, "usage", scheme);
    page.navigate(browsing.url() + "/#/insight/kyoto");
    assertThat(page.locator("main h1:visible")).hasText("Usage: Three days in Kyoto");
    check(page, "usage-of-one", scheme);
    String shared = browsing.live.send("GET", link.substring(browsing.url().length()), "").body();
    Page copy = person.newPage(); // the pages themselves let no script run
    copy.setContent(shared.replaceAll("<meta http-equiv[^>]*>", ""));
    assertThat(copy.locator("h1")).hasText("Three days in Kyoto");
    check(copy, "shared", scheme);
    copy.setContent(browsing.live.send("GET", "/shared/nothing", "", "Accept", "text/html").body());
    check(copy, "shared-no-more", scheme);
    BrowserContext phone = browsing.person(phone().setColorScheme(scheme));
    Page small = browsing.open(phone, "/#/s/kyoto");
    assertThat(answers(small)).isVisible();
    check(small, "phone", scheme);
    small.locator(".show-list").tap();
    assertThat(small.locator("clew-sidebar")).isInViewport();
    check(small, "phone-drawer", scheme);
    Assertions.assertThat(found).isEmpty();
  }

  /** What a conversation looks like while something happens in it. */
  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void noTurnHindersAnybody(ColorScheme scheme) {
    BrowserContext person = browsing.person(Browsing.desktop().setColorScheme(scheme));
    Page page = browsing.open(person, "/");
    ScriptedModel.Held held = browsing.model.thenHold("# The first half", " and more");
    say(page, "tell me");
    assertThat(page.locator(".live")).hasText("The first half");
    check(page, "streaming", scheme);
    say(page, "and then?");
    assertThat(page.locator(".queue li")).hasCount(1);
    check(page, "queue", scheme);
    page.locator(".queue button").click();
    assertThat(page.locator(".queue")).hasCount(0);
    page.keyboard().press("Escape");
    assertThat(page.locator(".aside")).containsText("Stopped");
    check(page, "stopped", scheme);
    held.release();
    page.locator("#message").fill("");
    page.locator("#message").press("ArrowUp");
    assertThat(page.locator(".editor textarea")).isFocused();
    check(page, "editing", scheme);
    page.keyboard().press("Escape");
    browsing.model.fails();
    say(page, "and now?");
    assertThat(page.locator(".failure")).isVisible();
    check(page, "failure", scheme);
    browsing.model.answers(
        Item.functionCall("a1" + scheme, "look_up", "{\"to\":\"a\"}"),
        Item.functionCall("a2" + scheme, "look_down", "{\"to\":\"b\"}"),
        Item.functionCall("a3" + scheme, "send_mail", "{\"to\":\"c\"}"));
    page.locator("clew-sidebar .new").click();
    say(page, "call them");
    assertThat(page.locator(".decision")).isVisible();
    check(page, "approval", scheme);
    page.locator(".decision button.quiet").click();
    assertThat(page.locator("dialog.question")).isVisible();
    check(page, "denying", scheme);
    page.keyboard().press("Escape");
    page.locator(".decision button.main").click();
    assertThat(answers(page)).hasCount(1);
    page.locator(".calls > summary").click();
    check(page, "calls", scheme);
    page.evaluate("() => { document.querySelector('#message').value = ''; }");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Instructions").click();
    check(page, "instructions", scheme);
    page.locator("dialog[open] textarea").fill("Be brief.");
    page.locator("dialog[open] .main").click();
    assertThat(page.getByLabel("Instructions are set")).isVisible();
    page.getByLabel("Details").click();
    check(page, "details", scheme);
    page.navigate(browsing.url() + "/#/s/not-there");
    assertThat(page.locator(".state")).containsText("was deleted");
    check(page, "deleted", scheme);
    Assertions.assertThat(found).isEmpty();
    browsing.forgive("404");
  }

  private static Browser.NewContextOptions phone() {
    return new Browser.NewContextOptions()
        .setViewportSize(390, 780)
        .setIsMobile(true)
        .setHasTouch(true)
        .setLocale("en-GB");
  }

  @Test
  void whatIsMarkedByColourAlone_isMarkedWhereThereAreNone() {
    BrowserContext context =
        browsing.person(Browsing.desktop().setForcedColors(ForcedColors.ACTIVE));
    Page page = browsing.open(context, "/#/s/kyoto");
    assertThat(answers(page)).isVisible();
    assertThat(page.locator(".bubble").first()).hasCSS("border-top-style", "solid");
    assertThat(page.locator(".row.current a")).hasCSS("border-left-width", "4px");
    picture(page, "forced-colours");
  }

  @Test
  void theFocusNeverFallsToTheBody() {
    browsing.conversation("focus", "Focus", "a", "b");
    Page page = browsing.conversationPage("focus");
    assertThat(answers(page)).isVisible();
    page.locator("#search").focus();
    page.locator("[aria-label='Hide conversations']").press("Enter");
    hasFocus(page, "hiding the list");
    page.locator("main [aria-label^='Show conversations']").press("Enter");
    hasFocus(page, "showing the list");
    row(page, "Focus").locator("a").dblclick();
    page.locator("input.rename").press("Enter");
    hasFocus(page, "renaming");
    row(page, "Focus").locator(".icon-button").press("Enter");
    choice(page, "Delete").press("Enter");
    page.keyboard().press("Enter");
    assertThat(row(page, "Focus")).hasCount(0);
    hasFocus(page, "deleting");
  }

  @Test
  void theFocusStaysWhereOneWorks_whateverATurnDoes() {
    browsing.conversation("turns", "Turns", "a number", "four");
    Page page = browsing.conversationPage("turns");
    browsing.model.thenText("five");
    page.locator("[aria-label='Regenerate']").press("Enter");
    assertThat(answers(page)).hasText(new String[] {"five"});
    hasFocus(page, "answering again");
    page.locator("[aria-label='Previous branch']").press("Enter");
    assertThat(answers(page)).hasText(new String[] {"four"});
    hasFocus(page, "going to a branch");
    page.locator("[aria-label='Edit']").press("Enter");
    page.locator(".editor textarea").press("Escape");
    hasFocus(page, "editing");
    ScriptedModel.Held held = browsing.model.thenHold("never", " ending");
    say(page, "go on");
    assertThat(page.locator(".live")).hasText("never");
    page.locator("button.stop").press("Enter");
    assertThat(page.locator(".aside")).containsText("Stopped");
    held.release();
    hasFocus(page, "stopping");
    page.locator("[aria-label='Bad answer']").last().press("Enter");
    assertThat(page.locator(".reason input")).isFocused();
    page.keyboard().press("Enter");
    hasFocus(page, "rating");
    for (int choice = 0; choice < 3; choice++) {
      browsing.model.calls("t" + choice, "send_mail", "{\"to\":\"c\"}").thenText("Done " + choice);
      say(page, "send it");
      page.locator(".decision button").nth(choice).press("Enter");
      assertThat(answers(page).last()).hasText("Done " + choice);
      hasFocus(page, "deciding");
    }
    page.locator("clew-thread-head [aria-label=More]").press("Enter");
    choice(page, "Undo last message").press("Enter");
    assertThat(page.locator("#message")).hasValue("send it");
    hasFocus(page, "taking back");
  }

  @Test
  void whatWaitsForADecisionIsSaidAloud() {
    browsing.model.calls("said", "send_mail", "{\"to\":\"c\"}");
    Page page = browsing.page("/");
    say(page, "send it");
    assertThat(page.locator(".decision [role=alert]")).hasText("Allow send_mail?");
  }

  private static void hasFocus(Page page, String after) {
    page.waitForFunction("() => document.activeElement !== document.body");
    Assertions.assertThat(page.evaluate("() => document.activeElement.localName"))
        .as(after)
        .isNotEqualTo("body");
  }
}
