package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.agree;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.menu;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.Browsing.say;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.clew.SearchQuery;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.server.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The branches of a conversation on the page: one row, one search result, one deletion. */
class PageBranchesTest extends InABrowser {

  private Page regenerated(String id, String title, String question) {
    browsing.conversation(id, title, question, "four " + id);
    browsing.model.thenText("five " + id);
    Page page = browsing.conversationPage(id);
    page.locator("[aria-label='Regenerate']").click();
    assertThat(answers(page)).hasText(new String[] {"five " + id});
    assertThat(row(page, title)).hasCount(1);
    return page;
  }

  @Test
  void whatWasRegeneratedIsOneRow_alsoWhileAnOlderAnswerIsRead() {
    Page page = regenerated("numbers", "Numbers", "a number");
    assertThat(row(page, "Numbers")).hasClass(Pattern.compile("current"));
    page.locator("[aria-label='Previous branch']").click();
    assertThat(answers(page)).hasText(new String[] {"four numbers"});
    assertThat(row(page, "Numbers")).hasCount(1);
    assertThat(row(page, "Numbers")).hasClass(Pattern.compile("current"));
    say(page, "and now");
    assertThat(answers(page).last()).hasText("echo and now");
    assertThat(row(page, "Numbers")).hasCount(1);
    page.locator("clew-sidebar footer button").click();
    choice(page, "Archived").click();
    assertThat(page.locator(".filter")).isVisible();
    assertThat(page.locator("clew-conversation-list .remark"))
        .hasText("No archived conversations.");
  }

  @Test
  void whatIsDeletedIsNotFoundAnyMore() {
    Page page = regenerated("secret", "Secret", "my very private question");
    page.locator("#search").fill("private");
    assertThat(page.locator(".found span")).hasCount(1);
    page.locator("#search").fill("");
    menu(page, "Secret");
    choice(page, "Delete").click();
    agree(page);
    assertThat(row(page, "Secret")).hasCount(0);
    page.locator("#search").fill("private");
    assertThat(page.locator(".results .remark")).containsText("private");
    assertThat(page.locator(".found")).hasCount(0);
    Eventually.ask(
        "found no more",
        () -> browsing.store.search(SearchQuery.of("ann", "private")).hits(),
        List::isEmpty);
    Eventually.ask(
        "deleted",
        () -> browsing.store.list(SessionQuery.of("ann").titleContains("Secret")).sessions(),
        List::isEmpty);
  }

  @Test
  void deletingAsksOnce_andCanBeUndone() {
    Page page = regenerated("keep", "Keep me", "a question");
    menu(page, "Keep me");
    choice(page, "Delete").click();
    page.keyboard().press("Escape");
    assertThat(row(page, "Keep me")).hasCount(1);
    page.locator("[aria-label='Previous branch']").click();
    assertThat(answers(page)).hasText(new String[] {"four keep"});
    page.keyboard().press("Control+Shift+Backspace");
    agree(page);
    assertThat(row(page, "Keep me")).hasCount(0);
    assertThat(page.locator("clew-welcome h1")).isVisible();
    page.locator(".toast button").click();
    assertThat(row(page, "Keep me")).hasCount(1);
  }

  @Test
  void whatWasPinnedIsPinnedAgain_whenArchivingIsUndone() {
    browsing.conversation("pin", "Pin me", "a", "b");
    browsing.session("pin").update(SessionUpdate.none().pinned(true));
    Page page = browsing.conversationPage("pin");
    assertThat(page.locator(".group h2").first()).hasText("Pinned");
    menu(page, "Pin me");
    choice(page, "Archive").click();
    assertThat(row(page, "Pin me")).hasCount(0);
    page.locator(".toast button").click();
    assertThat(row(page, "Pin me")).hasCount(1);
    Eventually.ask(
        "pinned", () -> browsing.session("pin").info().orElseThrow().pinned(), pinned -> pinned);
  }

  @Test
  void everyBranchIsReachedFromEveryOther() {
    browsing.conversation("tree", "Tree", "q1", "a1", "q2", "a2");
    Page page = browsing.conversationPage("tree");
    for (int i = 2; i <= 3; i++) {
      page.locator("[aria-label='Regenerate']").click();
      assertThat(page.locator(".branches span")).hasText(i + "/" + i);
    }
    page.locator("[aria-label='Edit']").first().press("Enter");
    page.locator(".editor textarea").fill("other q1");
    page.locator(".editor textarea").press("Enter");
    assertThat(answers(page)).hasText(new String[] {"echo other q1"});
    assertThat(page.locator(".branches span")).hasText("2/2");
    page.locator("[aria-label='Previous branch']").press("Enter");
    assertThat(page.locator(".branches span")).hasText(new String[] {"1/2", "3/3"});
    page.locator("[aria-label='Previous branch']").last().click();
    assertThat(page.locator(".branches span")).hasText(new String[] {"1/2", "2/3"});
    page.locator("[aria-label='Previous branch']").last().click();
    assertThat(page.locator(".branches span")).hasText(new String[] {"1/2", "1/3"});
    page.locator("[aria-label='Next branch']").first().press("Enter");
    assertThat(answers(page)).hasText(new String[] {"echo other q1"});
    assertThat(page.locator(".branches span")).hasText("2/2");
  }

  @Test
  void whatIsBeingDeletedIsNotInTheListAgain_afterAReload() {
    browsing.conversation("doomed", "Doomed", "a", "b");
    browsing.conversation("spared", "Spared", "a", "b");
    Page page = browsing.conversationPage("spared");
    String before =
        (String) page.evaluate("async () => (await fetch('/api/sessions?limit=60')).text()");
    menu(page, "Doomed");
    choice(page, "Delete").click();
    agree(page);
    assertThat(row(page, "Doomed")).hasCount(0);
    List<Route> held = new ArrayList<>();
    page.route("**/api/sessions/doomed", held::add);
    page.route(
        "**/api/sessions?*",
        route -> {
          if (route.request().url().contains("pinned=")) {
            route.resume();
          } else {
            route.fulfill(
                new Route.FulfillOptions().setContentType("application/json").setBody(before));
          }
        });
    page.reload();
    assertThat(row(page, "Spared")).hasCount(1);
    assertThat(row(page, "Doomed")).hasCount(0);
    page.unroute("**/api/sessions?*");
    page.unroute("**/api/sessions/doomed");
    held.forEach(Route::resume);
    Eventually.ask(
        "deleted",
        () -> browsing.store.list(SessionQuery.of("ann").titleContains("Doomed")).sessions(),
        List::isEmpty);
    page.waitForFunction("() => sessionStorage.length === 0");
    assertThat(row(page, "Spared")).hasCount(1);
    assertThat(row(page, "Doomed")).hasCount(0);
  }
}
