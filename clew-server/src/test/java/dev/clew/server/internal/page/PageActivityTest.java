package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.Browsing.say;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.clew.Item;
import dev.clew.server.ScriptedModel;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What runs and what waits for a person: in the list, in the title, as a notification. */
class PageActivityTest extends InABrowser {
  /** Playwright shows every page, so one that nobody sees has to be made believe it. */
  private static final String HIDEABLE =
      """
      Object.defineProperty(Document.prototype, 'hidden', { get: () => window.away === true });
      """;

  private static void hide(Page page, boolean hidden) {
    page.evaluate(
        "hidden => { window.away = hidden; document.dispatchEvent(new Event('visibilitychange')); }",
        hidden);
  }

  private static Page hideable(boolean allowed) {
    BrowserContext context = browsing.person(Browsing.desktop());
    context.addInitScript(HIDEABLE);
    if (allowed) {
      context.grantPermissions(List.of("notifications"));
    }
    Page page = browsing.open(context, "/");
    page.evaluate("async () => { await navigator.serviceWorker.ready; }");
    return page;
  }

  /** What the browser shows of the page, the newest last. */
  private static Object notified(Page page) {
    return page.evaluate(
        "async () => (await (await navigator.serviceWorker.ready).getNotifications())"
            + ".map(one => `${one.title}: ${one.body}`).join()");
  }

  private static void notifying(Page page) {
    Browsing.settings(page).locator("input[type=checkbox]").check();
    page.locator("dialog.settings").getByText("Close").click();
  }

  private static Locator running(Page page, String title) {
    return row(page, title).locator("[aria-label=answering]");
  }

  private static Locator waiting(Page page, String title) {
    return row(page, title).locator("[aria-label='needs approval']");
  }

  @Test
  void theListAndTheTitleSayWhatRuns_alsoElsewhere() {
    browsing.conversation("runs", "This one runs", "a", "b");
    browsing.conversation("rests", "This one rests", "a", "b");
    Page page = browsing.conversationPage("runs");
    assertThat(answers(page)).hasCount(1);
    Page other = browsing.open(browsing.person(Browsing.desktop()), "/#/s/rests");
    ScriptedModel.Held held = browsing.model.thenHold("It goes", " on");
    say(page, "go");
    assertThat(running(page, "This one runs")).isVisible();
    assertThat(page).hasTitle("○ Answering… · This one runs · Clew");
    assertThat(running(other, "This one runs")).isVisible(); // somebody else's window
    assertThat(other).hasTitle("This one rests · Clew");
    row(page, "This one rests").locator("a").click();
    assertThat(page).hasTitle("This one rests · Clew");
    assertThat(running(page, "This one runs")).isVisible();
    assertThat(running(page, "This one rests")).hasCount(0);
    held.release();
    for (Page each : List.of(page, other)) {
      assertThat(running(each, "This one runs")).hasCount(0);
      assertThat(row(each, "This one runs").locator(".dot")).isVisible();
    }
  }

  @Test
  void whatWaitsForAPersonIsSeenFromEverywhere() {
    browsing.conversation("waits", "This one waits", "a", "b");
    browsing.conversation("quiet", "A quiet one", "a", "b");
    browsing.model.thenItems(Item.functionCall("a1", "send_mail", "{\"to\":\"bob@x.org\"}"));
    browsing.model.thenText("Sent.");
    Page page = browsing.conversationPage("waits");
    assertThat(answers(page)).hasCount(1);
    say(page, "write to bob");
    assertThat(page).hasTitle("● Needs approval · This one waits · Clew");
    row(page, "A quiet one").locator("a").click();
    assertThat(waiting(page, "This one waits")).isVisible();
    assertThat(page).hasTitle("● Needs approval · A quiet one · Clew");
    isAccessible(page);
    picture(page, "waiting-in-list");
    page.setViewportSize(390, 780); // where the list is a drawer
    assertThat(page.locator("clew-thread-head .show-list .dot")).isVisible();
    isAccessible(page);
    picture(page, "waiting-phone");
    page.setViewportSize(1280, 820);
    row(page, "This one waits").locator("a").click();
    page.locator(".decision button.main").click();
    assertThat(answers(page).last()).hasText("Sent.");
    assertThat(waiting(page, "This one waits")).hasCount(0);
    assertThat(page).hasTitle("This one waits · Clew");
  }

  @Test
  void whoWantsThatIsNotified_whileNobodySeesTheWindow_andOnlyThen() {
    browsing.conversation("notify", "Tell me", "a", "b");
    Page page = hideable(true);
    notifying(page);
    row(page, "Tell me").locator("a").click();
    assertThat(answers(page)).hasCount(1);
    say(page, "seen");
    assertThat(answers(page).last()).hasText("echo seen");
    ScriptedModel.Held held = browsing.model.thenHold("Later", " then");
    say(page, "unseen");
    assertThat(page.locator(".live")).hasText("Later");
    hide(page, true);
    held.release();
    page.waitForCondition(() -> notified(page).equals("Answer ready: Tell me"));
    assertThat(page).hasTitle("● Answer ready · Tell me · Clew");
    hide(page, false);
    assertThat(page).hasTitle("Tell me · Clew");
    assertThat(answers(page).last()).hasText("Later then");

    browsing.model.thenHold("Hm", "").release();
    browsing.model.thenItems(Item.functionCall("a2", "send_mail", "{\"to\":\"eve@x.org\"}"));
    hide(page, true);
    browsing.live.send(
        "POST",
        "/api/chat",
        "{\"session_id\":\"notify\",\"message\":\"and now\"}",
        "Authorization",
        "Bearer " + browsing.live.token("ann"));
    browsing.live.send(
        "POST",
        "/api/chat",
        "{\"session_id\":\"notify\",\"message\":\"write to eve\"}",
        "Authorization",
        "Bearer " + browsing.live.token("ann"));
    hide(page, true); // it does not wait for its time
    page.waitForCondition(() -> notified(page).equals("Approval needed: Tell me"));
    hide(page, false);
    assertThat(page.locator(".decision")).isVisible();
    page.keyboard().press("Control+Alt+Backspace");
    assertThat(answers(page).last()).hasText("echo write to eve");
    assertThat(page).hasTitle("Tell me · Clew");
  }

  @Test
  void whoeverDoesNotWantThat_orIsNotAllowed_isNotNotified() {
    Page page = hideable(false);
    Locator choice = Browsing.settings(page).locator("input[type=checkbox]");
    choice.click();
    assertThat(page.locator(".toast")).containsText("blocks notifications");
    assertThat(choice).not().isChecked();
    isAccessible(page);
    picture(page, "settings-notify");
    page.locator("dialog.settings").getByText("Close").click();
    ScriptedModel.Held held = browsing.model.thenHold("Wait", " for it");
    say(page, "a question");
    assertThat(page.locator(".live")).hasText("Wait");
    hide(page, true);
    held.release();
    assertThat(page).hasTitle("● Answer ready · a question · Clew");
    Assertions.assertThat(notified(page)).isEqualTo("");
  }

  @Test
  void whoRatesAnAnswerNeedNotBeToldThatItIsNew() {
    browsing.conversation("rated", "Rate me", "a", "b");
    Page page = browsing.conversationPage("rated");
    page.locator("[aria-label='Good answer']").click();
    page.waitForFunction(
        "async () => { const { updated_at: at } ="
            + " await (await fetch('/api/sessions/rated')).json();"
            + " const { data } = await (await fetch('/api/sessions/rated/items')).json();"
            + " return data.some((one) => one.notes?.rating)"
            + " && JSON.parse(localStorage['clew.seen']).at.rated === at; }");
  }
}
