package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.Browsing.say;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.server.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** A conversation on the page, as a person has it. */
class PageThreadTest extends InABrowser {
  @Test
  void aMessageIsAnswered_andTheConversationGetsATitleFromIt() {
    Page page = browsing.page("/");
    say(page, "Where do swallows sleep? I have never seen it.");
    assertThat(answers(page)).hasText("echo Where do swallows sleep? I have never seen it.");
    assertThat(page.locator("clew-thread-head h1")).hasText("Where do swallows sleep?");
    assertThat(row(page, "Where do swallows sleep?")).hasCount(1);
    assertThat(page).hasTitle("Where do swallows sleep? · Clew");
    assertThat(page.locator(".tokens")).isHidden();
    page.getByLabel("Details").click();
    assertThat(page.locator(".tokens")).isVisible();
    assertThat(page.locator(".tokens")).containsText("30 tokens in");
    assertThat(page.locator(".gauge")).hasCount(0); // of 128,000
    Assertions.assertThat(page.url()).contains("/#/s/");
    page.reload();
    assertThat(answers(page)).hasText("echo Where do swallows sleep? I have never seen it.");
  }

  @Test
  void stopKeepsWhatWasSaid() {
    ScriptedModel.Held held = browsing.model.thenHold("Once upon a time", " there was nothing");
    Page page = browsing.page("/");
    say(page, "a story");
    assertThat(page.locator(".live")).hasText("Once upon a time");
    assertThat(page.locator(".bubble")).hasText("a story");
    page.locator("button.stop").click();
    assertThat(answers(page)).hasText("Once upon a time");
    assertThat(page.locator(".assistant .aside")).containsText("Stopped");
    assertThat(page.locator("button.send")).isVisible();
    held.release();
    page.locator(".assistant .aside button").click(); // it may go on
    assertThat(answers(page).last()).hasText("echo Please continue where you stopped.");
  }

  @Test
  void anAnswerNamesItsSources_eachOnce_andNoneThatIsAScript() {
    StoredSession session = browsing.session("sources");
    session.addItems(
        List.of(
            Item.user("where?"),
            Item.parse(
                """
                {"type":"message","role":"assistant","content":[{"type":"output_text","text":"There.",
                "annotations":[
                {"type":"url_citation","url":"https://example.org/a","title":"A map"},
                {"type":"url_citation","url":"https://example.org/a","title":"A map"},
                {"type":"url_citation","url":"javascript:alert(1)","title":"bad"},
                {"type":"file_citation","filename":"notes.txt"},"odd",null]}]}""")));
    Page page = browsing.conversationPage("sources");
    assertThat(page.locator(".sources li")).hasText(new String[] {"A map", "notes.txt"});
    assertThat(page.locator(".sources a")).hasAttribute("href", "https://example.org/a");
  }

  @Test
  void aReloadInMidSentenceGoesOnInMidSentence() {
    ScriptedModel.Held held = browsing.model.thenHold("The first half", " and the second");
    Page page = browsing.page("/");
    say(page, "reload me");
    assertThat(page.locator(".live")).hasText("The first half");
    page.reload();
    assertThat(page.locator(".live")).hasText("The first half");
    assertThat(page.locator(".bubble")).hasCount(1);
    held.release();
    assertThat(answers(page)).hasText("The first half and the second");
    assertThat(page.locator(".live")).isHidden();
  }

  @Test
  void twoWindowsStayInStep() {
    browsing.conversation("shared", "Shared", "hi", "hello");
    Page one = browsing.conversationPage("shared");
    Page other = browsing.open(browsing.person(Browsing.desktop()), "/#/s/shared");
    assertThat(answers(other)).hasCount(1);
    ScriptedModel.Held held = browsing.model.thenHold("I am", " here");
    say(one, "where are you");
    assertThat(other.locator(".bubble").last()).hasText("where are you");
    assertThat(other.locator(".live")).hasText("I am");
    assertThat(other.locator("button.stop")).isVisible();
    held.release();
    for (Page page : List.of(one, other)) {
      assertThat(answers(page).last()).hasText("I am here");
      assertThat(answers(page)).hasCount(2);
      assertThat(page.locator(".bubble")).hasCount(2);
    }
    other.locator("clew-thread-head h1").dblclick();
    other.locator("input.rename").fill("Renamed over there");
    other.locator("input.rename").press("Enter");
    assertThat(one.locator("clew-thread-head h1")).hasText("Renamed over there");
  }

  @Test
  void markdownIsShown_codeIsCopied_andImagesAreLinks() {
    browsing.conversation(
        "markdown",
        "Markdown",
        "show me",
        "# Head\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```java\nint x = 1;\n```\n\n"
            + "- [x] done\n\n![cat](https://evil.example/cat.png) [site](https://example.org)"
            + " [bad](javascript:alert(1)) <b>raw</b>\n\n7. seventh\n\n<!-- -->\n\nמה שלומך?");
    BrowserContext context = browsing.person(Browsing.desktop());
    context.grantPermissions(List.of("clipboard-read", "clipboard-write"));
    Page page = browsing.open(context, "/#/s/markdown");
    assertThat(page.locator(".markdown h1")).hasText("Head");
    assertThat(page.locator(".markdown td").last()).hasText("2");
    assertThat(page.locator(".markdown td").last()).hasCSS("text-align", "right");
    assertThat(page.locator(".markdown ol")).hasAttribute("start", "7");
    assertThat(page.locator(".markdown .block").last()).hasCSS("direction", "rtl");
    assertThat(page.locator(".markdown .block").first()).hasCSS("direction", "ltr");
    assertThat(page.locator(".markdown .hljs-type")).hasText("int");
    assertThat(page.locator(".markdown img")).hasCount(0);
    assertThat(page.locator(".markdown a.image")).hasText("cat (evil.example)");
    assertThat(page.locator(".markdown a[href='https://example.org']"))
        .hasAttribute("rel", "noopener noreferrer nofollow");
    assertThat(page.locator(".markdown a[href^='javascript']")).hasCount(0);
    assertThat(answers(page)).containsText("<b>raw</b>");
    page.locator(".copy-code").click();
    assertThat(page.locator(".copy-code")).hasText("Copied");
    Assertions.assertThat(page.evaluate("() => navigator.clipboard.readText()"))
        .isEqualTo("int x = 1;\n");
    assertThat(page.locator(".copy-code")).hasText("Copy code"); // after a moment
    assertThat(page.locator(".toast")).hasCount(0);
  }

  @Test
  void codeIsWrapped_andSavedUnderTheEndingOfItsLanguage() throws IOException {
    String line = "print('" + "long ".repeat(80) + "')\n";
    browsing.conversation(
        "code", "Code", "show me", "```python\n" + line + "```\n\n```\nplain\n```\n");
    Page page = browsing.conversationPage("code");
    Locator code = page.locator(".markdown .code").first();
    Locator text = code.locator("pre");
    String isCut = "pre => pre.scrollWidth > pre.clientWidth";
    Assertions.assertThat(text.evaluate(isCut)).isEqualTo(true);
    code.locator(".wrap-code").click();
    assertThat(code.locator(".wrap-code")).hasAttribute("aria-pressed", "true");
    Assertions.assertThat(text.evaluate(isCut)).isEqualTo(false);
    isAccessible(page);
    picture(page, "code-wrapped");
    Download python = page.waitForDownload(() -> code.locator(".save-code").click());
    Assertions.assertThat(python.suggestedFilename()).isEqualTo("code.py");
    Assertions.assertThat(Files.readString(python.path())).isEqualTo(line);
    Locator plain = page.locator(".markdown .code").last().locator(".save-code");
    Assertions.assertThat(page.waitForDownload(() -> plain.click()).suggestedFilename())
        .isEqualTo("code.txt");
    code.locator(".wrap-code").press("Enter");
    Assertions.assertThat(text.evaluate(isCut)).isEqualTo(true);
  }

  @Test
  void aCallIsACard_thatIsApproved() {
    browsing.model.thenItems(Item.functionCall("c1", "look_up", "{\"to\":\"bob\"}"));
    browsing.model.thenItems(Item.functionCall("c2", "send_mail", "{\"to\":\"bob@x.org\"}"));
    browsing.model.thenText("It is ", "sent.");
    Page page = browsing.page("/");
    say(page, "write to bob");
    assertThat(page.locator(".tool").first()).containsText("look_up");
    assertThat(page.locator(".tool").first().locator(".state")).hasText("done");
    assertThat(page.locator(".tool.waiting")).containsText("send_mail");
    assertThat(page.locator(".tool.waiting pre")).containsText("\"to\": \"bob@x.org\"");
    picture(page, "approval");
    page.reload();
    page.locator(".decision button.main").click();
    assertThat(answers(page)).hasText("It is sent.");
    assertThat(page.locator(".tool").last().locator(".state")).hasText("done");
    page.locator(".tool").last().locator("summary").click();
    assertThat(page.locator(".tool").last().locator("pre").last()).containsText("\"sent\": true");
    Assertions.assertThat(browsing.sent).containsExactly("bob@x.org");
  }

  @Test
  void aCallIsDenied_byTheKeyboard() {
    browsing.model.thenItems(Item.functionCall("c3", "send_mail", "{\"to\":\"eve@x.org\"}"));
    browsing.model.thenText("Then I will not.");
    Page page = browsing.page("/");
    say(page, "write to eve");
    assertThat(page.locator(".tool.waiting")).isVisible();
    page.keyboard().press("Control+Alt+Backspace");
    assertThat(answers(page)).hasText("Then I will not.");
    Assertions.assertThat(browsing.sent).doesNotContain("eve@x.org");
  }

  @Test
  void editingAMessageMakesABranch_andOneGoesBackAndForth() {
    browsing.conversation("edit", "Edited", "one", "first", "two", "second");
    Page page = browsing.conversationPage("edit");
    page.locator(".user").last().hover();
    page.locator(".user").last().locator("[aria-label=Edit]").click();
    page.locator(".editor textarea").fill("three");
    page.locator(".editor textarea").press("Enter");
    assertThat(answers(page).last()).hasText("echo three");
    assertThat(page.locator(".bubble")).hasText(new String[] {"one", "three"});
    assertThat(page.locator(".branches")).containsText("2/2");
    assertThat(row(page, "Edited")).hasCount(1);
    page.locator("[aria-label='Previous branch']").click();
    assertThat(page.locator(".bubble")).hasText(new String[] {"one", "two"});
    assertThat(page.locator(".branches")).containsText("1/2");
    page.locator("[aria-label='Next branch']").click();
    assertThat(answers(page).last()).hasText("echo three");
    Assertions.assertThat(browsing.session("edit").getItems()).hasSize(4);
  }

  @Test
  void whatIsTypedBeforeEscapeIsThereAgain_butNotWhatIsCancelled() {
    browsing.conversation("escape", "Escape", "one", "first");
    Page page = browsing.conversationPage("escape");
    Locator field = page.locator(".editor textarea");
    page.locator("[aria-label=Edit]").press("Enter");
    field.fill("much longer");
    assertThat(page.locator(".jump")).isHidden(); // nothing is below
    field.press("Escape");
    page.locator("[aria-label=Edit]").press("Enter");
    assertThat(field).hasValue("much longer");
    page.locator(".editor [type=button]").click();
    page.locator("[aria-label=Edit]").press("Enter");
    assertThat(field).hasValue("one");
  }

  @Test
  void theFirstMessageCanBeEditedToo() {
    browsing.conversation("first", "First", "one", "first");
    Page page = browsing.conversationPage("first");
    assertThat(answers(page)).hasCount(1);
    page.locator("#message").press("ArrowUp");
    page.locator(".editor textarea").fill("uno");
    page.locator(".editor textarea").press("Enter");
    assertThat(answers(page)).hasText(new String[] {"echo uno"});
    assertThat(page.locator(".branches")).containsText("2/2");
  }

  @Test
  void answeringAgainKeepsTheAnswerBefore() {
    browsing.conversation("again", "Again", "a number", "four");
    browsing.model.thenText("five");
    Page page = browsing.conversationPage("again");
    page.locator("[aria-label='Regenerate']").click();
    assertThat(answers(page)).hasText(new String[] {"five"});
    assertThat(page.locator(".branches")).containsText("2/2");
    page.locator("[aria-label='Previous branch']").click();
    assertThat(answers(page)).hasText(new String[] {"four"});
  }

  @Test
  void theLastTurnIsTakenBack_andASummaryShowsWhatItReplaced() {
    StoredSession session =
        browsing.conversation("long", "Long", "a", "b", "c", "d", "e", "f", "g", "h");
    browsing.model.thenText("They said the alphabet.");
    Page page = browsing.conversationPage("long");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Undo last message").click();
    assertThat(page.locator(".bubble")).hasText(new String[] {"a", "c", "e"});
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Compact conversation").click();
    assertThat(page.locator(".compaction .markdown")).hasText("They said the alphabet.");
    Assertions.assertThat(session.getItems()).isNotEmpty();
  }

  @Test
  void whatASummaryHasReplacedCanBeSeen() {
    StoredSession session = browsing.conversation("archive", "Archive", "old", "older", "new", "n");
    long upTo = session.entries(dev.clew.Range.first(2)).entries().get(1).position();
    session.commit(
        dev.clew.Commit.replacePrefix(
            upTo, List.of(Item.parse("{\"type\":\"compaction\",\"summary\":\"Age.\"}"))));
    Page page = browsing.conversationPage("archive");
    assertThat(page.locator(".compaction .markdown")).hasText("Age.");
    assertThat(page.locator(".bubble")).hasText(new String[] {"new"});
    page.locator(".compaction button").click();
    assertThat(page.locator(".replaced .bubble")).hasText("old");
  }

  @Test
  void theAnswerBeforeASummaryKeepsItsButtons() {
    StoredSession session = browsing.conversation("before", "Before", "a", "b");
    session.addItems(List.of(Item.parse("{\"type\":\"compaction\",\"summary\":\"Age.\"}")));
    Page page = browsing.conversationPage("before");
    assertThat(page.locator(".compaction .markdown")).hasText("Age.");
    assertThat(page.locator(".assistant .actions [aria-label=Copy]")).hasCount(1);
  }

  @Test
  void aFailureIsSaid_andTriedAgain() {
    browsing.model.thenFail(new ClewException.ModelFailed("no power", null, false));
    Page page = browsing.page("/");
    say(page, "are you there");
    assertThat(page.locator(".failure")).containsText("Couldn’t get an answer");
    page.reload();
    assertThat(page.locator(".failure")).containsText("The model returned an error.");
    page.locator(".failure button").click();
    assertThat(answers(page)).hasText("echo are you there");
    assertThat(page.locator(".failure")).hasCount(0);
  }

  @Test
  void reasoningIsFoldedAway() {
    StoredSession session = browsing.conversation("reason", "Reason", "why");
    session.addItems(
        List.of(
            Item.parse(
                "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"Hm.\"}]}"),
            Item.assistant("Because.")));
    Page page = browsing.conversationPage("reason");
    assertThat(page.locator(".reasoning .plain")).isHidden();
    page.locator(".reasoning summary").click();
    assertThat(page.locator(".reasoning .plain")).hasText("Hm.");
  }

  @Test
  void aLongConversationOpensAtItsEnd_andGoesBackAsFarAsOneScrolls() {
    StoredSession session = browsing.session("huge");
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) { // the benchmark has ten times as many
      items.add(Item.user("question " + i));
      items.add(Item.assistant("answer **" + i + "**"));
    }
    session.addItems(items);
    session.update(SessionUpdate.none().title("Huge"));
    Page page = browsing.page("/");
    assertThat(row(page, "Huge")).isVisible();
    double millis =
        ((Number)
                page.evaluate(
                    "async () => { const begin = performance.now();"
                        + " [...document.querySelectorAll('clew-conversation-list .row a')]"
                        + "   .find(a => a.title === 'Huge').click();"
                        + " while (![...document.querySelectorAll('.markdown')]"
                        + "   .some(m => m.textContent.includes('answer 2499')))"
                        + "   await new Promise(requestAnimationFrame);"
                        + " return performance.now() - begin; }"))
            .doubleValue();
    Assertions.assertThat(millis).isLessThan(2_000);
    assertThat(answers(page).last()).isInViewport();
    int before = page.locator(".entry").count();
    page.locator(".scroll").evaluate("element => { element.scrollTop = 0; }");
    page.waitForCondition(() -> page.locator(".entry").count() > before);
    farBack(page);
    page.locator(".jump").click();
    assertThat(answers(page).last()).isInViewport();
    page.locator(".scroll").evaluate("element => { element.scrollTop = 0; }");
    assertThat(page.locator(".jump")).isVisible();
    say(page, "and now"); // whoever says something wants to see the answer
    assertThat(answers(page).last()).hasText("echo and now");
    assertThat(answers(page).last()).isInViewport();
  }

  /** What is far away is let go of, and comes again when one scrolls there. */
  private static void farBack(Page page) {
    Locator entries = page.locator(".entry");
    for (int i = 0; i < 14; i++) {
      String first = entries.first().getAttribute("data-position");
      page.locator(".scroll").evaluate("element => { element.scrollTop = 0; }");
      assertThat(entries.first()).not().hasAttribute("data-position", first);
    }
    Assertions.assertThat(entries.count()).isLessThanOrEqualTo(200);
    String last = entries.last().getAttribute("data-position");
    page.locator(".scroll").evaluate("element => { element.scrollTop = element.scrollHeight; }");
    assertThat(entries.last()).not().hasAttribute("data-position", last);
  }

  @Test
  void aConversationThatIsNotThereSaysSo() {
    Page page = browsing.conversationPage("nowhere");
    assertThat(page.locator(".state")).containsText("was deleted");
    page.locator(".state button").click();
    assertThat(page.locator("clew-welcome h1")).isVisible();
    browsing.forgive("404");
  }

  @Test
  void aConnectionThatBreaksComesBack_andNothingIsMissed() {
    StoredSession session = browsing.conversation("cut", "Cut", "hi", "hello");
    BrowserContext context = browsing.person(Browsing.desktop());
    Page page = browsing.open(context, "/#/s/cut");
    assertThat(answers(page)).hasCount(1);
    context.setOffline(true);
    say(page, "can you hear me");
    assertThat(page.locator(".offline")).isVisible();
    assertThat(page.locator("#message")).hasValue("can you hear me");
    session.addItems(List.of(Item.user("from elsewhere"), Item.assistant("noted")));
    context.setOffline(false);
    assertThat(answers(page).last()).hasText("noted");
    assertThat(page.locator(".offline")).hasCount(0);
    page.locator("#message").press("Enter");
    assertThat(answers(page).last()).hasText("echo can you hear me");
    browsing.forgive("ERR_INTERNET_DISCONNECTED");
    browsing.forgive("fetching the script"); // of the service worker
  }
}
