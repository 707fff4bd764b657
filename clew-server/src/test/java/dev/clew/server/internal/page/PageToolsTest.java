package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.say;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.server.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The truth about tools, and who may let them act. */
class PageToolsTest extends InABrowser {
  private static Item call(String id, String tool, String to) {
    return Item.functionCall(id, tool, "{\"to\":\"" + to + "\"}");
  }

  private static List<Object> outcomes(Page page) {
    String id = page.url().substring(page.url().indexOf("/s/") + 3);
    List<Object> outcomes = new ArrayList<>();
    for (Entry entry : Range.first(100).walk(browsing.session(id)::entries)) {
      if (entry.item().type().equals("function_call_output")) {
        outcomes.add(entry.notes().get("outcome"));
      }
    }
    return outcomes;
  }

  @Test
  void whatFailedAndWhatWasDeniedIsNotDone() {
    browsing.model.answers(call("a1", "look_up", "bob"), call("a2", "look_down", "bob"));
    browsing.model.answers(call("a3", "send_mail", "bob"));
    browsing.model.thenText("I could not.");
    Page page = browsing.page("/");
    say(page, "write to bob");
    assertThat(page.locator(".decision span")).hasText("Allow send_mail?");
    page.locator(".decision button", new Page.LocatorOptions().setHasText("Deny with")).click();
    page.locator(".question input").fill("not today");
    page.keyboard().press("Escape");
    page.locator(".decision button", new Page.LocatorOptions().setHasText("Deny with")).click();
    assertThat(page.locator(".question input")).hasValue("not today");
    page.locator(".question button.main").click();
    for (int i = 0; i < 2; i++) {
      assertThat(answers(page)).hasText("I could not.");
      assertThat(page.locator(".calls > summary"))
          .hasText(Pattern.compile("3 tool calls( · [\\d.]+ s)? · 1 failed · 1 denied"));
      page.locator(".calls > summary").click();
      assertThat(page.locator(".tool .state")).hasText(new String[] {"done", "failed", "denied"});
      page.reload();
    }
    Assertions.assertThat(outcomes(page)).containsExactly("done", "failed", "denied");
    Assertions.assertThat(browsing.model.lastRequest().input().toString()).contains("not today");
  }

  @Test
  void allCallsOfATurnAreApprovedAtOnce() {
    browsing.sent.clear();
    browsing.model.answers(call("b1", "send_mail", "one"));
    browsing.model.answers(call("b2", "send_mail", "two"));
    browsing.model.thenText("Sent.");
    Page page = browsing.page("/");
    say(page, "write to all");
    page.locator(".decision button", new Page.LocatorOptions().setHasText("Approve all")).click();
    assertThat(answers(page)).hasText("Sent.");
    Assertions.assertThat(browsing.sent).containsExactly("one", "two");
    Assertions.assertThat(page.evaluate("document.activeElement.id")).isEqualTo("message");
  }

  @Test
  void aCallThatWaitsInALongListIsSeen_andAWindowThatIsLateIsTold() {
    browsing.model.answers(
        call("c1", "look_up", "a"),
        call("c2", "look_up", "b"),
        call("c3", "look_up", "c"),
        call("c4", "send_mail", "d"));
    browsing.model.thenText("Done.");
    Page page = browsing.page("/");
    say(page, "four of them");
    assertThat(page.locator(".tool.waiting .decision")).isVisible();
    isAccessible(page);
    picture(page, "tools-folded");
    BrowserContext context = browsing.person(Browsing.desktop());
    context.route("**/events?**", route -> route.abort()); // it does not hear of the decision
    Page late = browsing.open(context, page.url().substring(browsing.url().length()));
    assertThat(late.locator(".decision")).isVisible();
    page.locator(".decision button.main").click();
    assertThat(answers(page)).hasText("Done.");
    assertThat(page.locator(".calls > summary")).containsText("4 tool calls");
    late.locator(".decision button.main").click();
    assertThat(late.locator(".toast")).containsText("already been decided");
    assertThat(late.locator(".failure")).hasCount(0);
    Assertions.assertThat(browsing.sent).containsOnlyOnce("d");
    browsing.forgive("404");
    browsing.forgive("ERR_FAILED");
  }

  @Test
  void anotherModelAnswers_andEachAnswerNamesItsModel() {
    browsing.model.thenText("One.");
    browsing.other.thenText("Two.");
    Page page = browsing.page("/");
    say(page, "a number");
    assertThat(answers(page)).hasText("One.");
    assertThat(page.locator(".actions").last()).containsText("scripted");
    page.locator("[aria-label='Regenerate with another model']").click();
    choice(page, "Regenerate with other").click();
    assertThat(answers(page)).hasText("Two.");
    assertThat(page.locator(".actions").last()).containsText("other");
    assertThat(page.locator(".branches")).containsText("2/2");
  }

  @Test
  void callsOfMcpServersAreCardsWithServerAndTool() {
    String docs = "\"server_label\":\"docs\",";
    browsing
        .session("mcp")
        .addItems(
            List.of(
                Item.user("go"),
                Item.parse(
                    "{\"type\":\"mcp_list_tools\","
                        + docs
                        + "\"tools\":[{\"name\":\"search\"}],\"error\":null}"),
                Item.parse(
                    "{\"type\":\"mcp_call\","
                        + docs
                        + "\"name\":\"search\",\"arguments\":\"{}\",\"output\":null,"
                        + "\"error\":{\"type\":\"http_error\",\"code\":500,"
                        + "\"message\":\"MCP server 'docs' is away\"}}"),
                Item.parse(
                    "{\"type\":\"mcp_approval_request\",\"id\":\"mcpr_1\","
                        + docs
                        + "\"name\":\"delete\",\"arguments\":\"{}\"}"),
                Item.parse(
                    "{\"type\":\"mcp_approval_response\",\"approve\":false,"
                        + "\"approval_request_id\":\"mcpr_1\"}"),
                Item.functionCall("c1", "files__read_file", "{}"),
                Item.functionCallOutput("c1", "text"),
                Item.assistant("done")));
    Page page = browsing.page("/#/s/mcp");
    page.locator(".calls > summary").click();
    assertThat(page.locator(".tool summary b"))
        .hasText(
            new String[] {"Tools of docs", "docs · search", "docs · delete", "files · read_file"});
    assertThat(page.locator(".tool .state"))
        .hasText(new String[] {"done", "failed", "denied", "done"});
    page.locator(".tool.failed summary").click();
    assertThat(page.locator(".tool.failed pre").last()).hasText("MCP server 'docs' is away");
  }

  @Test
  void aCallThatIsApprovedWhileAnotherWaitsSaysSo_andNothingIsCompactedMeanwhile() {
    browsing.sent.clear();
    browsing.model.answers(call("d1", "send_mail", "one"), call("d2", "send_mail", "two"));
    browsing.model.thenText("Sent.");
    Page page = browsing.page("/");
    say(page, "write to both");
    assertThat(page.locator(".decision")).hasCount(2);
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Compact conversation").click();
    assertThat(page.locator(".toast"))
        .hasText("A call waits for its output, so nothing can be compacted yet.");
    page.locator(".decision button.main").first().click();
    assertThat(page.locator(".tool .state"))
        .hasText(new String[] {"approved, runs when the other call is decided", "needs approval"});
    Page other =
        browsing.open(
            browsing.person(Browsing.desktop()), page.url().substring(browsing.url().length()));
    assertThat(other.locator(".tool .state"))
        .hasText(new String[] {"waits for the other decision", "needs approval"});
    page.locator(".decision button.main").click();
    assertThat(answers(page)).hasText("Sent.");
    assertThat(page.locator(".tool .state")).hasText(new String[] {"done", "done"});
    Assertions.assertThat(browsing.sent).containsExactlyInAnyOrder("one", "two");
  }

  @Test
  void onAPhoneNothingOfACallGoesBeyondItsCard_inGermanToo() {
    browsing.model.answers(call("e1", "send_mail", "one"), call("e2", "send_mail", "two"));
    BrowserContext phone =
        browsing.person(
            new Browser.NewContextOptions()
                .setViewportSize(360, 780)
                .setLocale("de")
                .setIsMobile(true)
                .setHasTouch(true));
    Page page = browsing.open(phone, "/");
    page.locator("#message").fill("an beide");
    page.locator("button.send").tap();
    assertThat(page.locator(".decision")).hasCount(2);
    page.locator(".decision button.main").first().tap();
    assertThat(page.locator(".tool .state").first())
        .hasText("erlaubt, läuft nach der anderen Entscheidung");
    picture(page, "tools-phone");
    Assertions.assertThat(
            page.evaluate(
                "() => [...document.querySelectorAll('.tool, .tool summary > *, .decision > *')]"
                    + ".filter(one => one.getBoundingClientRect().right"
                    + "   > one.closest('.column').getBoundingClientRect().right - 16)"
                    + ".map(one => one.outerHTML)"))
        .isEqualTo(List.of());
    page.locator(".decision button").nth(2).tap();
  }

  @Test
  void whatWasDecidedIsKept_whenSomethingElseIsSaid() {
    browsing.sent.clear();
    browsing.model.answers(call("f1", "send_mail", "one"), call("f2", "send_mail", "two"));
    Page page = browsing.page("/");
    say(page, "write to both");
    assertThat(page.locator(".decision")).hasCount(2);
    page.locator(".decision button", new Page.LocatorOptions().setHasText("Deny with"))
        .first()
        .click();
    page.locator(".question input").fill("one is away");
    page.locator(".question button.main").click();
    assertThat(page.locator(".decision")).hasCount(1);
    say(page, "never mind");
    for (int i = 0; i < 2; i++) {
      assertThat(answers(page)).hasText("echo never mind");
      assertThat(page.locator(".decision")).hasCount(0);
      assertThat(page.locator(".tool .state")).hasText(new String[] {"denied", "not run"});
      page.reload();
    }
    Assertions.assertThat(outcomes(page)).containsExactly("denied", "not_run");
    Assertions.assertThat(browsing.model.lastRequest().input().toString()).contains("one is away");
    Assertions.assertThat(browsing.sent).isEmpty();
  }

  @Test
  void ofTwoWindowsThatDecideAtOnce_theLateOneIsTold() {
    browsing.model.answers(call("g1", "send_mail", "gus"));
    ScriptedModel.Held held = browsing.model.thenHold("It is", " sent.");
    Page page = browsing.page("/");
    say(page, "write to gus");
    assertThat(page.locator(".decision")).isVisible();
    BrowserContext context = browsing.person(Browsing.desktop());
    context.route("**/events?**", route -> route.abort()); // it does not hear of the decision
    Page late = browsing.open(context, page.url().substring(browsing.url().length()));
    assertThat(late.locator(".decision")).isVisible();
    page.locator(".decision button.main").click();
    assertThat(page.locator(".live")).hasText("It is");
    late.locator(".decision button", new Page.LocatorOptions().setHasText("Deny")).first().click();
    assertThat(late.locator(".toast")).containsText("already been decided");
    assertThat(late.locator(".failure")).hasCount(0);
    held.release();
    assertThat(answers(page)).hasText("It is sent.");
    Assertions.assertThat(browsing.sent).containsOnlyOnce("gus");
    browsing.forgive("404");
    browsing.forgive("ERR_FAILED");
  }
}
