package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.menu;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ForcedColors;
import dev.clew.Item;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
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
    assertThat(page.locator("clew-plot")).hasCount(4);
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
    page.keyboard().press("Control+k");
    page.locator("[aria-label='Hide conversations']").press("Enter");
    hasFocus(page, "hiding the list");
    page.locator("main [aria-label='Show conversations']").press("Enter");
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

  private static void hasFocus(Page page, String after) {
    page.waitForFunction("() => document.activeElement !== document.body");
    Assertions.assertThat(page.evaluate("() => document.activeElement.localName"))
        .as(after)
        .isNotEqualTo("body");
  }
}
