package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.Browsing.say;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.clew.Item;
import dev.clew.StoredSession;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page for everybody: by keyboard, on a phone, in the dark, in Chinese, read aloud. */
class PageAccessTest extends InABrowser {
  private static final String PLAN =
      """
      # Three days

      A plan that leaves room to **wander**.

      | Day | Morning | Evening |
      |---|---|---|
      | 1 | Fushimi Inari | Gion |
      | 2 | Arashiyama | Pontochō |

      ```java
      record Day(int number, String morning) {} // a day
      ```

      See [the office](https://example.org) and `clew serve`.
      """;

  @BeforeAll
  static void fill() {
    StoredSession session = browsing.conversation("kyoto", "Three days in Kyoto", "A plan, please");
    session.addItems(
        List.of(
            Item.parse(
                "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"Hm.\"}]}"),
            Item.functionCall("c1", "look_up", "{\"to\":\"Kyoto\"}"),
            Item.functionCallOutput("c1", "{\"days\":3}"),
            Item.assistant(PLAN)));
    browsing.conversation("mail", "A letter to Ann", "a", "b");
    browsing.conversation("zh", "下周的会议安排", "下周三下午2点开会", "好的，已安排。");
  }

  private static String axe() {
    try (InputStream in = PageAccessTest.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing hinders people, as far as a program can tell. */
  static void isAccessible(Page page) {
    Assertions.assertThat(hindrances(page)).as(page.url()).isEmpty();
  }

  /** Answers have the headings they have, so their order is not looked at. */
  static List<String> hindrances(Page page) {
    page.evaluate(axe());
    List<?> found =
        (List<?>)
            page.evaluate(
                "async () => (await axe.run({rules: {'heading-order': {enabled: false}}})).violations"
                    + ".map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' "
                    + "+ node.failureSummary).join('; '))");
    return found.stream().map(String::valueOf).toList();
  }

  @Test
  void nothingSeriousHindersAnybody_inLightAndDark() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      BrowserContext stranger = browsing.stranger(Browsing.desktop().setColorScheme(scheme));
      Page signIn = stranger.newPage();
      signIn.navigate(browsing.url());
      isAccessible(signIn);
      picture(signIn, "sign-in-" + scheme);
      Page page =
          browsing.open(browsing.person(Browsing.desktop().setColorScheme(scheme)), "/#/s/kyoto");
      assertThat(page.locator(".hljs-keyword").first()).isVisible();
      page.locator(".tool summary").click();
      isAccessible(page);
      picture(page, "thread-" + scheme);
      page.locator("#search").fill("plan");
      assertThat(page.locator(".found").first()).isVisible();
      isAccessible(page);
      page.keyboard().press("Escape");
      page.keyboard().press("Control+/");
      assertThat(page.locator("dialog.help")).isVisible();
      isAccessible(page);
      page.keyboard().press("Escape");
      assertThat(page.locator("dialog.help")).isHidden();
      page.locator("clew-sidebar .new").click();
      assertThat(page.locator(".welcome")).isVisible();
      isAccessible(page);
    }
  }

  @Test
  void everythingIsDoneWithoutAMouse() {
    Page page = browsing.page("/");
    assertThat(row(page, "A letter to Ann")).isVisible();
    page.locator("a[href], button, input, textarea").first().focus();
    assertThat(page.locator(".skip")).isFocused();
    page.keyboard().press("Enter");
    assertThat(page.locator("#message")).isFocused();
    page.keyboard().type("hello");
    page.keyboard().press("Shift+Enter");
    page.keyboard().type("again");
    page.keyboard().press("Enter");
    assertThat(answers(page)).containsText("echo hello");
    page.keyboard().press("Control+k");
    page.keyboard().type("letter");
    assertThat(page.locator(".found").first()).isVisible();
    page.keyboard().press("Enter");
    assertThat(page.locator("clew-thread-head h1")).hasText("A letter to Ann");
    page.keyboard().press("Escape");
    page.keyboard().press("Control+Shift+O");
    assertThat(page.locator("#message")).isFocused();
    assertThat(page.locator(".welcome")).isVisible();
    page.keyboard().press("Alt+ArrowDown");
    assertThat(page.locator(".row.current")).hasCount(1);
    page.keyboard().press("Control+Shift+S");
    assertThat(page.locator("clew-sidebar")).not().isInViewport();
    page.keyboard().press("Control+Shift+S");
    assertThat(page.locator("clew-sidebar")).isInViewport();
    page.keyboard().press("Shift+Escape");
    assertThat(page.locator("#message")).isFocused();
    ScriptedModel.Held held = browsing.model.thenHold("never", " ending");
    page.keyboard().type("go on");
    page.keyboard().press("Enter");
    assertThat(page.locator(".live")).hasText("never");
    page.keyboard().press("Escape");
    assertThat(page.locator(".aside").last()).containsText("Stopped");
    held.release();
  }

  @Test
  void onAPhoneTheListIsADrawer() {
    BrowserContext phone =
        browsing.person(
            new Browser.NewContextOptions()
                .setViewportSize(390, 780)
                .setIsMobile(true)
                .setHasTouch(true)
                .setLocale("en-GB"));
    Page page = browsing.open(phone, "/#/s/kyoto");
    assertThat(answers(page)).isVisible();
    assertThat(page.locator("clew-sidebar")).not().isInViewport();
    Assertions.assertThat(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo(true);
    picture(page, "phone");
    page.locator(".show-list").tap();
    assertThat(page.locator("clew-sidebar")).isInViewport();
    isAccessible(page);
    picture(page, "phone-drawer");
    row(page, "A letter to Ann").locator("a").tap();
    assertThat(page.locator("clew-thread-head h1")).hasText("A letter to Ann");
    assertThat(page.locator("clew-sidebar")).not().isInViewport();
  }

  @Test
  void chineseIsSpoken_toWhoPrefersIt_andToWhoChoosesIt() {
    Page page = browsing.open(browsing.person(Browsing.desktop().setLocale("zh-CN")), "/#/s/zh");
    assertThat(page.locator("clew-sidebar .new")).hasText("新对话");
    assertThat(page.locator(".group h2").first()).hasText("今天");
    picture(page, "chinese");
    Locator settings = Browsing.settings(page);
    settings.locator("select").last().selectOption("en");
    settings.getByText("Close").click();
    assertThat(page.locator("clew-sidebar .new")).hasText("New conversation");
    page.reload();
    assertThat(page.locator("clew-sidebar .new")).hasText("New conversation");
    Browsing.settings(page).locator("select").last().selectOption("zh");
    assertThat(page.locator("html")).hasAttribute("lang", "zh");
  }

  @Test
  void aLanguageIsOnlyAFile() {
    for (String[] one :
        List.of(
            new String[] {"de-AT", "Neue Unterhaltung", "de"},
            new String[] {"es-MX", "Nueva conversación", "es"})) {
      Page page = browsing.open(browsing.person(Browsing.desktop().setLocale(one[0])), "/#/s/zh");
      assertThat(page.locator("clew-sidebar .new")).hasText(one[1]);
      assertThat(page.locator("html")).hasAttribute("lang", one[2]);
      picture(page, "language-" + one[2]);
    }
  }

  @Test
  void colours_areThoseOfTheSystem_orThoseChosen() {
    Page page =
        browsing.open(browsing.person(Browsing.desktop().setColorScheme(ColorScheme.DARK)), "/");
    String dark = background(page);
    Browsing.settings(page).locator("select").first().selectOption("light");
    String light = background(page);
    Assertions.assertThat(light).isNotEqualTo(dark);
    page.reload();
    assertThat(page.locator("#message")).isVisible();
    Assertions.assertThat(background(page)).isEqualTo(light);
  }

  private static String background(Page page) {
    return (String) page.evaluate("() => getComputedStyle(document.body).backgroundColor");
  }

  @Test
  void oneSignsInWithAToken_andOut() {
    BrowserContext stranger = browsing.stranger(Browsing.desktop());
    Page page = stranger.newPage();
    page.navigate(browsing.url() + "/#/s/mail");
    page.locator("#token").fill("clew_wrong");
    page.locator("button").click();
    assertThat(page.locator(".wrong")).isVisible();
    page.locator("#token").fill(browsing.live.token("ann"));
    page.locator("button").click();
    assertThat(row(page, "A letter to Ann")).isVisible();
    page.locator("clew-sidebar footer button").click();
    choice(page, "Sign out").click();
    assertThat(page.locator("#token")).isVisible();
    browsing.forgive("401");
  }

  @Test
  void theOfflineModelIsCalledADemonstration() {
    try (LiveServer offline = new LiveServer(browsing.store)) {
      Page page = browsing.stranger(Browsing.desktop()).newPage();
      page.navigate(offline.server().signInLink());
      assertThat(page.locator(".hint")).containsText("clew serve --model");
      page.locator(".tries button").first().click();
      assertThat(answers(page)).isVisible();
      assertThat(page.locator(".tool")).containsText("create_event");
      picture(page, "offline");
      page.close();
      browsing.forgive("asked another host: " + offline.server().url());
    }
  }

  @Test
  void theFirstLoadIsSmallAndQuick() {
    BrowserContext context = browsing.person(Browsing.desktop());
    Page page = browsing.open(context, "/");
    assertThat(row(page, "A letter to Ann")).isVisible();
    List<?> figures =
        (List<?>)
            page.evaluate(
                "() => { const all = performance.getEntriesByType('resource');"
                    + " const first = performance.getEntriesByType('navigation')[0];"
                    + " return [first.domContentLoadedEventEnd,"
                    + "   all.reduce((sum, one) => sum + one.transferSize, first.transferSize)]; }");
    double millis = ((Number) figures.get(0)).doubleValue();
    double bytes = ((Number) figures.get(1)).doubleValue();
    System.out.println(
        "first load: " + Math.round(millis) + " ms, " + Math.round(bytes) + " bytes");
    Assertions.assertThat(bytes).isLessThan(160 << 10);
    say(page, "kept for later");
    page.reload();
    assertThat(row(page, "A letter to Ann")).isVisible();
    double again =
        ((Number)
                page.evaluate(
                    "() => performance.getEntriesByType('resource')"
                        + ".filter(one => one.name.includes('/assets/'))"
                        + ".reduce((sum, one) => sum + one.transferSize, 0)"))
            .doubleValue();
    Assertions.assertThat(again).isZero(); // everything is kept by the browser
  }
}
