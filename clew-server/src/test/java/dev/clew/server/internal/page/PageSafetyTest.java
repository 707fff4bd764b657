package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import dev.clew.Item;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What somebody may say to make the page do something, and it does not. */
class PageSafetyTest extends InABrowser {
  private static final int LONG = 100_000;

  private static List<String> payloads() {
    try (InputStream in = PageSafetyTest.class.getResourceAsStream("/xss.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .map(line -> line.replace("\\n", "\n"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Each payload as the user's, the assistant's, a tool's, a summary's, a reason's, a strange
   * one's.
   */
  private static List<Item> everywhere(String payload, int number) {
    String quoted = Json.quote(payload);
    return List.of(
        Item.user(payload),
        Item.assistant(payload),
        Item.functionCall("call_" + number, payload.replaceAll("\\s", "_"), quoted),
        Item.functionCallOutput("call_" + number, payload),
        Item.parse(
            "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":"
                + quoted
                + "}]}"),
        Item.parse(
            "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_image\","
                + "\"image_url\":"
                + quoted
                + "}]}"),
        Item.parse("{\"type\":\"strange_thing\",\"x\":" + quoted + "}"));
  }

  @Test
  void noPayloadRunsAScriptOrAsksAnotherHost() {
    List<String> payloads = payloads();
    Assertions.assertThat(payloads).hasSizeGreaterThanOrEqualTo(100);
    List<String> ids = new ArrayList<>();
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < payloads.size(); i++) {
      String payload = payloads.get(i);
      items.addAll(everywhere(payload, i));
      StoredSession titled = browsing.session("xss-" + i);
      titled.addItems(List.of(Item.user(payload)));
      String line = payload.replace('\n', ' ');
      titled.update(
          SessionUpdate.none()
              .title(line)
              .tags(Set.of(line.substring(0, Math.min(line.length(), 60)).strip())));
      if (items.size() >= 98 || i == payloads.size() - 1) {
        String id = "xss-all-" + i;
        browsing.session(id).addItems(items);
        ids.add(id);
        items.clear();
      }
    }
    Page page = browsing.page("/");
    List<String> dialogs = new ArrayList<>();
    page.onDialog(
        dialog -> {
          dialogs.add(dialog.message());
          dialog.dismiss();
        });
    for (String id : ids) {
      page.navigate(browsing.url() + "/#/s/" + id);
      assertThat(page.locator("clew-thread-head .icon-button").first()).isAttached();
      assertThat(page.locator(".entry").first()).isVisible();
      page.locator(".scroll").evaluate("element => { element.scrollTop = 0; }");
      page.locator("details").evaluateAll("all => all.forEach(one => { one.open = true; })");
      page.locator(".entry a, .entry button:not([aria-label])")
          .evaluateAll("all => all.forEach(one => one.dispatchEvent(new MouseEvent('mouseover')))");
    }
    page.locator("#search").fill("alert");
    assertThat(page.locator(".found").first()).isVisible();
    Assertions.assertThat(page.evaluate("() => window.pwned")).isNull();
    Assertions.assertThat(dialogs).isEmpty();
    Assertions.assertThat(
            page.locator(
                    ".entry script, .entry iframe, .entry object, .entry embed, .entry form[action],"
                        + " .entry style, .entry link, .entry base, .entry img[src^=http],"
                        + " .entry [onerror], .entry [onload], .entry [onclick],"
                        + " .entry a[href^='javascript' i], .entry a[href^='data' i]")
                .count())
        .isZero();
    Assertions.assertThat(page.url()).startsWith(browsing.url());
  }

  @Test
  void whatIsStreamedIsNoLessSafe() {
    List<String> payloads = payloads();
    Page page = browsing.page("/");
    browsing.model.thenText(
        payloads.stream().limit(60).map(line -> line + "\n\n").toArray(String[]::new));
    Browsing.say(page, "say them all");
    assertThat(Browsing.answers(page)).hasCount(1);
    Assertions.assertThat(page.evaluate("() => window.pwned")).isNull();
  }

  /** Texts on which a reader of Markdown, of code or of formulas spends more than their length. */
  private static Map<String, String> expensive() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String unit :
        List.of(
            "[a](",
            "[",
            "[](",
            "![",
            "[a](<b",
            "*a_ ",
            "*a **a ",
            "_a __b",
            "**a *",
            "~a ~~b ",
            "*",
            "> ",
            "> a\n",
            ">1.\t\n",
            "- ",
            "1. ",
            "- > ",
            "`",
            "` ",
            "<a ",
            "<!--",
            "<",
            "a.",
            "a_b",
            "www.a.",
            "http://a.b/(",
            "a@",
            "$",
            "$a ",
            "$a$ ",
            "$$a$$\n\n",
            "\\(",
            "\\[",
            "a\n",
            "|",
            "[a]: ",
            "a\n\n",
            "# a\n")) {
      texts.put(unit, unit.repeat(LONG / unit.length()));
    }
    texts.put("emphasis that is closed", "*a ".repeat(LONG / 6) + "a* ".repeat(LONG / 6));
    texts.put("brackets that are closed", "[".repeat(LONG / 2) + "]".repeat(LONG / 2));
    texts.put("parentheses", "[a](" + "(".repeat(LONG / 2) + ")".repeat(LONG / 2));
    texts.put("a gap", "# a" + " ".repeat(LONG) + "b");
    texts.put(
        "a table", "|a".repeat(300) + "|\n" + "|-".repeat(300) + "|\n" + "|\n".repeat(LONG / 2));
    StringBuilder steps = new StringBuilder();
    for (int depth = 0; steps.length() < LONG; depth++) {
      steps.append("  ".repeat(depth)).append("- a\n");
    }
    texts.put("lists in lists", steps.toString());
    for (String language : List.of("c", "markdown", "xml")) {
      String line = (language.equals("c") ? "a" : "[a](<").repeat(80) + "\n";
      texts.put(language, ("```" + language + "\n" + line.repeat(19) + "```\n\n").repeat(12));
      texts.put("a line of " + language, "```" + language + "\n" + "[a](".repeat(1900) + "\n```\n");
    }
    return texts;
  }

  @Test
  void noTextKeepsThePageFromBeingUsed() {
    Page page = browsing.open(browsing.person(Browsing.desktop()), "/");
    expensive()
        .forEach(
            (name, text) -> {
              String id = "slow-" + name.hashCode();
              browsing.conversation(id, "Slow", "first", text, "end of " + id);
              page.navigate(browsing.url() + "/#/s/" + id);
              assertThat(page.locator(".entry .user .plain").last()).hasText("end of " + id);
              assertThat(Browsing.answers(page).locator(".block").first()).isAttached();
              page.locator("#message").fill(id);
              assertThat(page.locator("#message")).hasValue(id);
            });
  }

  @Test
  void whatIsTooMuchToReadIsShownAsItIs() {
    String marks = "*a **b\n<b>".repeat(10_000);
    browsing.conversation("much", "Much", "first", "**Before**\n\n" + marks + "\n\n**Behind**");
    Page page = browsing.open(browsing.person(Browsing.desktop()), "/#/s/much");

    assertThat(Browsing.answers(page).locator("strong")).hasText(new String[] {"Before", "Behind"});
    Assertions.assertThat(
            Browsing.answers(page)
                .locator(".block:not(:empty)")
                .nth(1)
                .evaluate("block => block.textContent"))
        .isEqualTo(marks);
  }

  @Test
  void aLongAnswerIsStillMarkdown() {
    String chapter =
        """
        ## A chapter

        Some **strong words**, an *emphasis*, `code`, [a link](https://example.org/a_(b)) and $x^2$;
        then a second line of *quite* ordinary prose, with (brackets), "quotes" and a_name.

        1. first, with **strong words**
           - and below it
        2. second

        > said by somebody

        | a | b |
        |---|---|
        | 1 | `2` |

        ```java
        int x = a[1] * b[2];
        ```

        """;
    int chapters = 100_000 / chapter.length() + 1;
    browsing.conversation("long", "Long", "first", chapter.repeat(chapters));
    Page page = browsing.conversationPage("long");

    for (String one : List.of("h2", "em + code", "a", "ol", "ul", "blockquote", "table", "pre")) {
      assertThat(Browsing.answers(page).locator(one)).hasCount(chapters);
    }
    assertThat(Browsing.answers(page).locator("strong")).hasCount(2 * chapters);
    Assertions.assertThat(Browsing.answers(page).textContent()).doesNotContain("**", "](", "|--");
  }
}
