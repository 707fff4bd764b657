package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.Browsing.say;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.FileChooser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Range;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What a person says with more than words, and to whom. */
class PageSayingTest extends InABrowser {
  private static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
          + "rkJggg==";

  /** Files as a paste or a drop brings them. */
  private static final String BRING =
      "([type, target, pixel]) => { const all = new DataTransfer();"
          + " const bytes = Uint8Array.from(atob(pixel), (c) => c.charCodeAt(0));"
          + " all.items.add(new File([bytes], type + '.png', { type: 'image/png' }));"
          + " const how = { bubbles: true, cancelable: true };"
          + " document.querySelector(target).dispatchEvent(type === 'paste'"
          + "   ? new ClipboardEvent('paste', { ...how, clipboardData: all })"
          + "   : new DragEvent(type, { ...how, dataTransfer: all })); }";

  private static FilePayload image(String name) {
    return new FilePayload(name, "image/png", Base64.getDecoder().decode(PIXEL));
  }

  private static FilePayload text(String name, String text) {
    return new FilePayload(name, "text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  private static void pick(Page page, FilePayload... files) {
    FileChooser chooser =
        page.waitForFileChooser(
            () -> page.locator("[aria-label='Attach images or files']").click());
    chooser.setFiles(files);
  }

  @Test
  void whatIsPickedPastedAndDroppedGoesWithTheMessage() {
    Page page = browsing.page("/");
    pick(page, image("dot.png"), text("notes.txt", "buy bread"), text("wrong.txt", "x"));
    assertThat(page.locator(".attachments li")).hasCount(3);
    page.locator("[aria-label='Remove wrong.txt']").click();
    page.evaluate(BRING, List.of("paste", "#message", PIXEL));
    page.evaluate(BRING, List.of("drop", "clew-thread", PIXEL));
    assertThat(page.locator(".attachments li"))
        .hasText(new String[] {"dot.png", "notes.txt", "paste.png", "drop.png"});
    isAccessible(page);
    picture(page, "attachments");
    say(page, "What is on these?");
    assertThat(answers(page)).hasText("echo What is on these?");
    assertThat(page.locator(".attachments")).hasCount(0);
    assertThat(page.locator(".entry .bubble img")).hasCount(3);
    assertThat(page.locator(".entry .bubble a.attached")).hasText("notes.txt");
    page.waitForCondition(
        () ->
            (boolean)
                page.locator(".entry .bubble img")
                    .first()
                    .evaluate("image => image.naturalWidth === 1"));
    View.Message shown = (View.Message) browsing.model.lastRequest().input().get(0).view();
    Assertions.assertThat(shown.content())
        .hasExactlyElementsOfTypes(
            Part.Text.class, Part.Image.class, Part.File.class, Part.Image.class, Part.Image.class);
    Assertions.assertThat(
            page.waitForDownload(() -> page.locator(".bubble a.attached").click())
                .suggestedFilename())
        .isEqualTo("notes.txt");

    page.locator(".user").hover();
    page.locator(".user [aria-label=Edit]").click();
    page.locator(".editor textarea").fill("And now?");
    page.locator(".editor textarea").press("Enter");
    assertThat(answers(page)).hasText("echo And now?");
    assertThat(page.locator(".entry .bubble img")).hasCount(3);
    assertThat(page.locator("clew-thread-head h1")).hasText("What is on these?");
  }

  @Test
  void anImageAloneIsAMessage_andWhatIsTooLargeIsRefusedInWords() {
    Page page = browsing.page("/");
    pick(page, text("large.txt", "x".repeat(8 << 20)));
    assertThat(page.locator(".toast")).containsText("at most 7 MiB");
    assertThat(page.locator(".attachments li")).hasCount(0);
    pick(page, image("dot.png"));
    page.locator("button.send").click();
    assertThat(page.locator(".entry .bubble img")).hasCount(1);
    assertThat(answers(page)).hasText("echo");
  }

  @Test
  void aConversationRemembersWhoAnswers() {
    Page page = browsing.page("/");
    assertThat(page.locator(".choice")).hasText("scripted");
    page.locator(".choice").click();
    choice(page, "other").click();
    browsing.other.thenText("I am the other one.");
    say(page, "Who are you?");
    assertThat(answers(page)).hasText("I am the other one.");
    page.reload();
    assertThat(page.locator(".choice")).hasText("other");
    page.locator(".choice").click();
    choice(page, "scripted").click();
    assertThat(page.locator(".choice")).hasText("scripted");
    say(page, "And now?");
    assertThat(answers(page).last()).hasText("echo And now?");
  }

  @Test
  void aConversationHasInstructionsOfItsOwn() {
    Page page = browsing.page("/");
    page.locator(".welcome .told").click();
    page.locator("dialog[open] textarea").fill("Speak in verse.");
    page.locator("dialog[open] button.main").click();
    assertThat(page.locator(".welcome .told")).containsText("Instructions are set");
    say(page, "hello");
    assertThat(answers(page)).hasText("echo hello");
    Assertions.assertThat(browsing.model.lastRequest().instructions()).endsWith("Speak in verse.");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Instructions").click();
    assertThat(page.locator("dialog[open] textarea")).hasValue("Speak in verse.");
    page.locator("dialog[open] textarea").fill("");
    page.locator("dialog[open] button.main").click();
    assertThat(page.locator("dialog[open]")).hasCount(0);
    say(page, "again");
    assertThat(answers(page).last()).hasText("echo again");
    Assertions.assertThat(browsing.model.lastRequest().instructions()).isEmpty();
  }

  @Test
  void anAnswerIsRated_andTheRatingStays() {
    browsing.conversation("rated", "Rated", "one", "two");
    Page page = browsing.conversationPage("rated");
    page.locator("[aria-label='Good answer']").click();
    assertThat(page.locator("[aria-label='Good answer']")).hasAttribute("aria-pressed", "true");
    page.reload();
    assertThat(page.locator("[aria-label='Good answer']")).hasAttribute("aria-pressed", "true");
    page.locator("[aria-label='Bad answer']").click();
    assertThat(page.locator("[aria-label='Good answer']")).hasAttribute("aria-pressed", "false");
    assertThat(page.locator("[aria-label='Bad answer']")).hasAttribute("aria-pressed", "true");
    page.locator(".reason input").fill("too short");
    page.locator(".reason input").press("Enter");
    assertThat(page.locator(".reason")).hasCount(0);
    Eventually.ask(
        "the reason",
        () ->
            browsing
                .store
                .session(browsing.session("rated").key())
                .entries(Range.latest(1))
                .entries(),
        last -> "too short".equals(last.get(0).notes().get("reason")));
  }

  @Test
  void whatAProgramBeganHasATitle_andAllIsDeletedByWhoMeansIt() {
    browsing.session("program").addItems(List.of(Item.user("Said by a program"), Item.user("x")));
    Page page = browsing.page("/");
    assertThat(row(page, "Said by a program")).hasCount(1);
    Browsing.settings(page, "Delete all conversations");
    assertThat(page.locator("dialog[open] button.main")).isDisabled();
    page.locator("dialog[open] input").fill("yes");
    assertThat(page.locator("dialog[open] button.main")).isDisabled();
    page.locator("dialog[open] input").fill("delete");
    page.locator("dialog[open] button.main").click();
    assertThat(page.locator("clew-conversation-list .row")).hasCount(0);
    assertThat(page.locator(".toast")).containsText("Deleted");
  }

  @Test
  void aConversationIsSharedByALink_thatCanBeEnded() {
    browsing.conversation("shown", "Shown", "a question", "an answer");
    BrowserContext person = browsing.person(Browsing.desktop());
    person.grantPermissions(List.of("clipboard-read", "clipboard-write"));
    Page page = browsing.open(person, "/#/s/shown");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Share").click();
    page.locator(".share button.main").click();
    String link = page.locator(".share input").inputValue();
    Assertions.assertThat(page.evaluate("() => navigator.clipboard.readText()")).isEqualTo(link);
    isAccessible(page);
    picture(page, "share");
    Page stranger = browsing.stranger(Browsing.desktop()).newPage();
    stranger.navigate(link);
    assertThat(stranger.locator("body")).containsText("an answer");
    page.locator(".share button.danger").click();
    assertThat(page.locator(".share button.main")).hasText("Create link");
    stranger.reload();
    assertThat(stranger.locator("body")).containsText("This link has expired");
    assertThat(stranger.locator("h1")).isVisible();
    browsing.forgive("404");
  }

  @Test
  void aLinkMayEndByItself() {
    browsing.conversation("brief", "Brief", "a question", "an answer");
    Page page = browsing.conversationPage("brief");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Share").click();
    page.locator(".share select").selectOption("86400");
    page.locator(".share button.main").click();
    assertThat(page.locator(".share label")).containsText("Expires");
    String shares =
        browsing
            .live
            .send("GET", "/api/shares", "", "Authorization", "Bearer " + browsing.live.token("ann"))
            .body();
    List<?> all = (List<?>) Json.readObject(shares).get("data");
    Map<String, Object> link = Caller.object(all.get(all.size() - 1));
    Instant made = Instant.parse((String) link.get("created_at"));
    Assertions.assertThat(Instant.parse((String) link.get("expires_at")))
        .isBetween(made.plus(Duration.ofDays(1)), made.plus(Duration.ofDays(1)).plusSeconds(60));
  }

  @Test
  void formulasAreDrawn_andPricesAreNot() {
    browsing.conversation(
        "maths",
        "Maths",
        "Pythagoras?",
        """
        Inline $a^2 + b^2 = c^2$ and \\(x_1\\), for $5 or $6.

        $$\\frac{1}{2}$$

        $$\\undefined{$$

        \\[\\href{javascript:alert(1)}{x}\\]
        """);
    Page page = browsing.conversationPage("maths");
    assertThat(page.locator(".markdown math")).hasCount(4);
    assertThat(page.locator(".markdown math mfrac")).hasCount(1);
    assertThat(answers(page)).containsText("for $5 or $6.");
    assertThat(page.locator(".markdown code.formula")).hasCount(1);
    assertThat(page.locator(".markdown a")).hasCount(0);
    picture(page, "formulas");
  }

  /** The policy of the page allows no styles in attributes, of which a browser would complain. */
  @Test
  void formulasHaveTheirStyles() {
    browsing.conversation(
        "styles",
        "Styles",
        "Forces?",
        """
        $\\vec{F}=m\\vec{a}$ $\\hat{x}$ $\\sqrt{2}$ $\\cancel{x}$ $\\boxed{y}$ $\\frac{1}{2}$

        $$\\overrightarrow{AB} \\underbrace{a+b}_{n} \\widehat{xyz} \\colorbox{red}{c}$$

        $$\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix} \\begin{array}{c|c} 1 & 2 \\end{array}$$
        """);
    Page page = browsing.conversationPage("styles");
    assertThat(page.locator(".markdown .katex")).hasCount(8);
    assertThat(page.locator(".markdown code.formula")).hasCount(0);
    Assertions.assertThat(
            (Double)
                page.evaluate(
                    "() => document.querySelector('.katex .overlay svg')"
                        + ".getBoundingClientRect().width"))
        .isBetween(1.0, 20.0);
    assertThat(page.locator("[data-style]")).hasCount(0);
    picture(page, "formula-styles");
  }

  @Test
  void aTextThatGrowsLooksAtEveryMomentAsIfItWereDrawnAtOnce() {
    Page page = browsing.page("/");
    Object wrong =
        page.evaluate(
            "async (text) => {"
                + " const link = document.querySelector('link[href$=\"page/markdown.js\"]');"
                + " const { drawMarkdown } = await import(link.href);"
                + " const growing = document.createElement('div');"
                + " for (let end = 1; end <= text.length; end += 3) {"
                + "   const part = text.slice(0, end); const whole = document.createElement('div');"
                + "   drawMarkdown(growing, part, true); drawMarkdown(whole, part, true);"
                + "   const plain = (it) => it.innerHTML.replace(/ data-highlighted=\"yes\"/g, '')"
                + "     .replace(/<span class=\"hljs[^>]*>|<\\/span>/g, '').replace(/>\\s+|\\s+(?=<)/g, (gap) => gap[0] === '>' ? '>' : '');"
                + "   if (plain(growing) !== plain(whole))"
                + "     return part + ' => ' + growing.innerHTML + ' != ' + whole.innerHTML;"
                + " } return ''; }",
            """
            # Head

            Some *words* and **more & more** with `code` &amp; <b>raw</b> [a](https://example.org).
            Second line
            ===

            - one
            - two **bold**
              - nested
            - three

            - loose

            1. first
            2. second

               with a paragraph

            > quoted
            > > twice

            | a | b |
            |---|---|
            | 1 | 2 |

            ```java
            int x = 1;

            int y = 2;
            ```
            After it.

            ***
            The end
            """);
    Assertions.assertThat(wrong).isEqualTo("");
  }
}
