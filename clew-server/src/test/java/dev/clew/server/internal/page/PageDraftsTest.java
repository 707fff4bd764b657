package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.say;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Nothing typed is ever lost, or shown to somebody else. */
class PageDraftsTest extends InABrowser {
  private final BrowserContext context = browsing.stranger(Browsing.desktop());

  private Page signIn(Page page, String secret) {
    page.locator("#token").fill(secret);
    page.locator("#token").press("Enter");
    assertThat(page.locator("#message")).isVisible();
    return page;
  }

  private Page visit(String secret) {
    Page page = context.newPage();
    page.navigate(browsing.url());
    return signIn(page, secret);
  }

  private static Tokens.Created token(String owner) {
    return browsing.live.server().tokens().create(owner, "test", Scope.OWN, Optional.empty());
  }

  @Test
  void aTokenThatEndsWhileOneTypesLosesNothing_andTheSignInLeadsBack() {
    browsing.conversation("typing", "Typing", "hi", "hello");
    Tokens.Created token = token("ann");
    Page page = visit(token.secret());
    page.navigate(browsing.url() + "/#/s/typing");
    assertThat(answers(page)).hasCount(1);
    browsing.live.server().tokens().revoke(token.token().id());
    say(page, "three hundred words");
    assertThat(page.locator(".ended")).containsText("Your session has ended.");
    assertThat(page.locator("#message")).hasValue("three hundred words");
    page.locator(".ended button").click();
    signIn(page, token("ann").secret());
    assertThat(page.locator("#message")).hasValue("three hundred words");
    assertThat(answers(page)).hasText(new String[] {"hello"});
    page.locator("#message").press("Enter");
    assertThat(answers(page).last()).hasText("echo three hundred words");
    page.reload();
    assertThat(answers(page)).hasCount(2);
    assertThat(page.locator("#message")).hasValue("");
    browsing.forgive("401");
  }

  @Test
  void theNextPersonSeesNothingOfIt() {
    Page page = visit(token("ann").secret());
    page.locator("#message").fill("my salary negotiation");
    page.waitForCondition(
        () -> (boolean) page.evaluate("() => JSON.stringify(localStorage).includes('salary')"));
    context.clearCookies(); // as a session that ends by itself
    page.reload();
    signIn(page, token("bob").secret());
    assertThat(page.locator("#message")).hasValue("");
    page.locator("#message").fill("bob's own");
    page.waitForCondition(
        () -> (boolean) page.evaluate("() => JSON.stringify(localStorage).includes('own')"));
    page.locator("clew-sidebar footer button").click();
    choice(page, "Sign out").click();
    assertThat(page.locator("#token")).isVisible();
    page.waitForCondition(
        () -> !(boolean) page.evaluate("() => JSON.stringify(localStorage).includes('own')"));
    signIn(page, token("ann").secret());
    assertThat(page.locator("#message")).hasValue("my salary negotiation");
  }

  @Test
  void anOwnerWhoseNameBeginsLikeTheOneWhoSignsOutKeepsTheirs() {
    Page page = visit(token("ann.smith").secret());
    page.locator("#message").fill("of another Ann");
    page.waitForCondition(
        () -> (boolean) page.evaluate("() => JSON.stringify(localStorage).includes('another')"));
    context.clearCookies();
    page.reload();
    signIn(page, token("ann").secret());
    page.locator("clew-sidebar footer button").click();
    choice(page, "Sign out").click();
    signIn(page, token("ann.smith").secret());
    assertThat(page.locator("#message")).hasValue("of another Ann");
  }

  @Test
  void whatIsTypedInATemporaryConversationEndsWithIt() {
    Page page = browsing.page("/");
    page.locator(".wishes button[aria-pressed]").press("Enter");
    say(page, "in passing");
    assertThat(answers(page)).hasText("echo in passing");
    String id = (String) page.evaluate("() => location.hash.slice(4)");
    page.locator("#message").fill("a secret");
    page.locator("clew-sidebar .new").click();
    assertThat(page.locator(".toast")).containsText("Temporary conversation");
    assertThat(page.locator("#message")).hasValue("");
    page.waitForCondition(() -> browsing.session(id).info().isEmpty());
    page.waitForCondition(
        () -> !(boolean) page.evaluate("() => JSON.stringify(localStorage).includes('secret')"));
  }

  @Test
  void whatIsTypedAMomentBeforeTheSignOutIsForgottenToo() {
    Page page = visit(token("ann").secret());
    page.locator("clew-sidebar footer button").click();
    choice(page, "Sign out")
        .evaluate(
            "signOut => {"
                + " const box = document.querySelector('#message');"
                + " box.value = 'my salary';"
                + " box.dispatchEvent(new Event('input', { bubbles: true }));"
                + " signOut.click(); }");
    assertThat(page.locator("#token")).isVisible();
    assertEquals(false, page.evaluate("() => JSON.stringify(localStorage).includes('salary')"));
  }

  @Test
  void whatIsTypedIsOfOneConversation() {
    browsing.conversation("one", "One", "hi", "hello");
    Page page = browsing.conversationPage("one");
    page.locator("#message").fill("for one");
    page.locator("clew-sidebar .new").click();
    assertThat(page.locator("#message")).hasValue("");
    Browsing.row(page, "One").locator("a").click();
    assertThat(page.locator("#message")).hasValue("for one");
  }

  @Test
  void whatIsTypedInAConversationThatIsDeletedElsewhereIsSaidInANewOne() {
    browsing.conversation("doomed", "Doomed", "hi", "hello");
    Page page = browsing.conversationPage("doomed");
    assertThat(answers(page)).hasCount(1);
    page.locator("#message").fill("half a thought");
    browsing.session("doomed").delete();
    assertThat(page.locator("clew-thread .state")).containsText("This conversation was deleted.");
    assertThat(page.locator("#message")).hasValue("half a thought");
    page.locator("#message").press("Enter");
    assertThat(answers(page)).hasText("echo half a thought");
    assertThat(page.locator("#message")).hasValue("");
    Assertions.assertThat(browsing.session("doomed").info()).isEmpty();
    page.reload();
    assertThat(answers(page)).hasText("echo half a thought");
    browsing.forgive("404");
  }

  @Test
  void whatIsTypedInAConversationThatIsDeletedElsewhereIsTakenAlongToTheNewOne() {
    browsing.conversation("doomed2", "Doomed too", "hi", "hello");
    Page page = browsing.page("/");
    page.locator("#message").fill("typed before");
    Browsing.row(page, "Doomed too").locator("a").click();
    assertThat(answers(page)).hasCount(1);
    page.locator("#message").fill("half a thought");
    browsing.session("doomed2").delete();
    page.locator("clew-thread .state button").click();
    assertThat(page.locator("#message")).hasValue("typed before\nhalf a thought");
    browsing.forgive("404");
  }

  @Test
  void whatCannotBeSentComesBack_alsoBesideWhatWasTypedMeanwhile() {
    browsing.conversation("away", "Away", "hi", "hello");
    Page page = browsing.conversationPage("away");
    assertThat(answers(page)).hasCount(1);
    Queue<Route> asked = new ConcurrentLinkedQueue<>();
    page.route("**/api/chat", asked::add);
    say(page, "first");
    page.waitForCondition(() -> !asked.isEmpty());
    assertThat(page.locator("#message")).hasValue("");
    page.locator("#message").fill("second");
    asked.remove().abort("connectionfailed");
    assertThat(page.locator("#message")).hasValue("first\nsecond");
    browsing.forgive("ERR_CONNECTION_FAILED");
  }
}
