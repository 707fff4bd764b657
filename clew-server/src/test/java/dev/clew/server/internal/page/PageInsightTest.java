package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.menu;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import dev.clew.server.operate.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What can be counted, as people see it, and what administrators look after. */
class PageInsightTest extends InABrowser {
  @BeforeAll
  static void fill() {
    StoredSession trip = browsing.conversation("trip", "A trip", "a", "b", "c", "d");
    for (int i = 0; i < 6; i++) {
      trip.addItems(
          List.of(
              Item.functionCall("c" + i, i == 0 ? "=HYPERLINK(\"x\")" : "look_up", "{}"),
              Item.functionCallOutput("c" + i, "done")));
    }
    browsing.conversation("other", "Another one", "e", "f");
    browsing
        .store
        .session(new SessionKey("bob", "b"))
        .addItems(List.of(Item.user("bob's own words")));
  }

  private static Locator figure(Page page, String what) {
    return page.locator(".cards div")
        .filter(new Locator.FilterOptions().setHas(page.locator("dt").getByText(what)))
        .locator("dd");
  }

  private static Locator plot(Page page, String heading) {
    return page.locator("clew-plot")
        .filter(
            new Locator.FilterOptions()
                .setHas(page.getByRole(AriaRole.HEADING).getByText(heading)));
  }

  private static void openSettings(Page page) {
    page.locator("clew-sidebar footer button").click();
  }

  static void isDrawn(Page page) {
    page.waitForFunction(
        "() => [...document.querySelectorAll('.plot .canvas:not([hidden]) canvas')]"
            + ".every(canvas => canvas.height > 0 && canvas.style.height)");
  }

  @Test
  void aConversationTellsWhatWasDoneInIt_andGoesOnAfterwards() throws IOException {
    Page page = browsing.page("/");
    row(page, "A trip").locator("a").click();
    page.locator("clew-thread-head").getByLabel("More").click();
    choice(page, "Usage").click();
    assertThat(page.locator("main h1:visible")).hasText("Usage: A trip");
    assertThat(page.locator("main h1:visible")).isFocused();
    assertThat(figure(page, "Turns")).hasText("2");
    assertThat(figure(page, "Messages")).hasText("4");
    assertThat(figure(page, "Tool calls")).hasText("6");
    assertThat(figure(page, "Size")).containsText("16 items");
    Locator tools = plot(page, "Busiest tools");
    tools.locator("summary").click();
    assertThat(tools.locator("tbody tr").first()).containsText("look_up");
    assertThat(tools.locator("tbody tr").first().locator("td").first()).hasText("5");
    Download file = page.waitForDownload(() -> tools.getByText("CSV").click());
    Assertions.assertThat(file.suggestedFilename()).isEqualTo("tools.csv");
    Path saved = browsing.folder().resolve("tools.csv");
    file.saveAs(saved);
    Assertions.assertThat(Files.readAllLines(saved))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("\"'=HYPERLINK(\"\"x\"\")\",1,1,"));
    isDrawn(page);
    isAccessible(page);
    picture(page, "insight-conversation");
    page.locator(".view-head").getByLabel("Back to conversation").click();
    assertThat(page.locator("clew-thread-head h1")).hasText("A trip");
    assertThat(page.locator("#message")).isVisible();
    page.goBack();
    assertThat(page.locator("main h1:visible")).hasText("Usage: A trip");
    menu(page, "Another one");
    choice(page, "Usage").click();
    assertThat(page.locator("main h1:visible")).hasText("Usage: Another one");
    assertThat(figure(page, "Turns")).hasText("1");
  }

  @Test
  void everythingTogetherIsShownForSomeDays_inLightAndDark_onAPhoneToo() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      Page page = browsing.open(browsing.person(Browsing.desktop().setColorScheme(scheme)), "/");
      openSettings(page);
      choice(page, "Usage").click();
      assertThat(figure(page, "Stored conversations")).hasText("2");
      assertThat(figure(page, "Messages")).hasText("6");
      page.getByText("7 days").click();
      assertThat(page.getByText("7 days")).hasAttribute("aria-pressed", "true");
      Locator messages = plot(page, "Messages per day");
      messages.locator("summary").click();
      assertThat(messages.locator("tbody tr")).hasCount(7);
      assertThat(messages.locator("tbody tr").last().locator("td")).hasText("6");
      isDrawn(page);
      isAccessible(page);
      picture(page, "insight-" + scheme);
    }
    BrowserContext phone =
        browsing.person(
            new Browser.NewContextOptions()
                .setViewportSize(390, 780)
                .setIsMobile(true)
                .setHasTouch(true)
                .setLocale("zh-CN"));
    Page page = browsing.open(phone, "/");
    page.navigate(browsing.url() + "/#/insight");
    assertThat(page.locator("main h1:visible")).hasText("用量统计");
    assertThat(figure(page, "消息")).hasText("6");
    isDrawn(page);
    Assertions.assertThat(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo(true);
    isAccessible(page);
    picture(page, "insight-phone");
  }

  private static Page administrator() {
    Page page = browsing.stranger(Browsing.desktop()).newPage();
    signIn(page);
    return page;
  }

  private static void signIn(Page page) {
    String token =
        browsing
            .live
            .server()
            .tokens()
            .create("root", "desk", Set.of(Scope.READ, Scope.WRITE, Scope.ADMIN), Optional.empty())
            .secret();
    page.navigate(browsing.url());
    page.locator("#token").fill(token);
    page.locator("button").click();
    assertThat(page.locator("#message")).isVisible();
  }

  @Test
  void anAdministratorLooksAfterTokens_ownersAndTheLog() {
    Page page = administrator();
    openSettings(page);
    choice(page, "Administration").click();
    assertThat(page.locator("main h1:visible")).hasText("Administration");
    Assertions.assertThat(
            page.evaluate(
                "() => { const boxes = [...document.querySelectorAll('.make-token > *')]"
                    + ".map(one => one.getBoundingClientRect());"
                    + " return boxes.some((a, i) => boxes.some((b, j) => j > i"
                    + "   && a.left < b.right && b.left < a.right"
                    + "   && a.top < b.bottom && b.top < a.bottom)); }"))
        .as("fields that overlap")
        .isEqualTo(false);
    page.getByLabel("Owner", new Page.GetByLabelOptions().setExact(true)).fill("dan");
    page.getByLabel("Name").fill("laptop");
    page.getByText("Create token").click();
    assertThat(page.locator(".made code")).containsText("clew_");
    isAccessible(page);
    picture(page, "admin");
    page.locator(".made").getByText("Done").click();
    assertThat(page.locator(".made")).hasCount(0);
    Locator laptop = page.locator("[aria-label='Revoke “laptop”']");
    laptop.click();
    assertThat(page.locator(".question")).containsText("stop working at once");
    page.keyboard().press("Escape");
    assertThat(laptop).hasCount(1);
    page.locator("[aria-label='Revoke “desk”']").click();
    assertThat(page.locator(".question")).containsText("You are signed in with this token");
    page.keyboard().press("Escape");
    laptop.click();
    Browsing.agree(page);
    assertThat(laptop).hasCount(0);
    page.getByLabel("Owner", new Page.GetByLabelOptions().setExact(true)).fill("bob");
    page.getByText("Create token").click();
    assertThat(page.locator(".toast")).containsText("has conversations");
    Locator owners = plot(page, "Storage by owner");
    owners.locator("summary").click();
    assertThat(owners.locator("tbody")).containsText("bob");
    assertThat(owners.locator("tbody")).not().containsText("@clew");
    page.reload();
    assertThat(page.locator("main section").last()).containsText("token revoke");
    Assertions.assertThat(page.content()).doesNotContain("bob's own words");
    browsing.forgive("403");
  }

  @Test
  void whoIsNoAdministratorDoesNotGetThere() {
    Page page = browsing.page("/");
    assertThat(row(page, "A trip")).isVisible();
    openSettings(page);
    assertThat(choice(page, "Usage")).isVisible();
    assertThat(choice(page, "Administration")).hasCount(0);
    page.navigate(browsing.url() + "/#/admin");
    assertThat(page.locator("main [role=alert]")).isVisible();
    assertThat(page.locator(".table")).hasCount(0);
    browsing.forgive("403");
  }

  @Test
  void plotsAreLoadedWhereThereAreAny() {
    Page page = browsing.open(browsing.person(Browsing.desktop()), "/#/s/trip");
    assertThat(row(page, "A trip")).isVisible();
    String loaded =
        "() => performance.getEntriesByType('resource').some(one => one.name.includes('chartjs'))";
    Assertions.assertThat(page.evaluate(loaded)).isEqualTo(false);
    page.navigate(browsing.url() + "/#/insight");
    page.waitForFunction(loaded);
  }

  @Test
  void onAPhoneTheAdministrationFits() {
    BrowserContext phone =
        browsing.stranger(
            new Browser.NewContextOptions()
                .setViewportSize(390, 780)
                .setIsMobile(true)
                .setHasTouch(true));
    Page page = phone.newPage();
    signIn(page);
    page.navigate(browsing.url() + "/#/admin");
    assertThat(page.locator("[aria-label='Revoke “desk”']").first()).isVisible();
    picture(page, "admin-phone");
    Assertions.assertThat(
            page.evaluate(
                "() => [document.documentElement, ...document.querySelectorAll('main *')]"
                    + ".filter(one => one.scrollWidth > one.clientWidth"
                    + "   && /auto|scroll/.test(getComputedStyle(one).overflowX))"
                    + ".map(one => one.className + ' ' + one.textContent.slice(0, 200)"
                    + "   + one.scrollWidth + ' > ' + one.clientWidth)"))
        .isEqualTo(List.of());
  }
}
