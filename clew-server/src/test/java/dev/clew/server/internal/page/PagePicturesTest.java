package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.picture;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.agent.Usage;
import dev.clew.memory.MemoryStore;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.tck.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The pictures of the README, of a month in which somebody has talked a lot. */
@ExtendWith(FailurePictures.class)
class PagePicturesTest {
  private static final String OWNER = "ann";
  private static final int DAYS = 30;
  private static final List<String> TITLES =
      List.of(
          "Notes for the release",
          "Rename the billing tables",
          "下周的会议安排",
          "A letter to Bob",
          "Why is the cache cold?",
          "Train times to Kyoto",
          "Dinner for eight",
          "Review of #412");
  private static final List<String> TOOLS =
      List.of("search_docs", "search_docs", "run_query", "look_up", "create_event");
  private static final String PLAN =
      """
      A plan that leaves room to **wander**:

      | Day | Morning | Evening |
      |---|---|---|
      | 1 | Fushimi Inari, before the crowds | Gion |
      | 2 | Arashiyama by the first train | Pontochō |
      | 3 | Nishiki market | the bath house |

      The pass pays for itself if you take two trains a day:

      ```java
      boolean worthIt = trains * 1_200 > pass.price();
      ```
      """;

  private final TestClock clock = new TestClock(Instant.now().minus(Duration.ofDays(DAYS)));
  private final SessionStore store = MemoryStore.builder().clock(clock).build();

  @Test
  void fourOfThemAreTaken(@TempDir Path folder) {
    try (Browsing browsing = new Browsing(folder, store)) {
      month();
      kyoto();
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        Page page = browsing.open(browsing.person(window(scheme)), "/#/s/kyoto");
        assertThat(page.locator(".hljs-number")).isVisible();
        picture(page, "readme-" + (scheme == ColorScheme.LIGHT ? "light" : "dark"));
      }
      Page phone = browsing.open(browsing.person(phone()), "/#/s/kyoto");
      assertThat(answers(phone)).isVisible();
      picture(phone, "readme-phone");
      Page page = browsing.open(browsing.person(window(ColorScheme.LIGHT)), "/");
      page.locator("clew-sidebar footer button").click();
      choice(page, "Usage").click();
      assertThat(page.locator("clew-plot")).hasCount(5);
      PageInsightTest.isDrawn(page);
      page.mouse().move(0, 0); // nothing is pointed at
      picture(page, "readme-insight");
      browsing.end();
    }
  }

  private static Browser.NewContextOptions window(ColorScheme scheme) {
    return Browsing.desktop().setViewportSize(1120, 700).setColorScheme(scheme);
  }

  private static Browser.NewContextOptions phone() {
    return new Browser.NewContextOptions()
        .setViewportSize(360, 700)
        .setIsMobile(true)
        .setHasTouch(true)
        .setLocale("en-GB");
  }

  private void month() {
    Random random = new Random(30);
    UsageBook book = new UsageBook(store.documents(), clock);
    for (int day = 0; day <= DAYS; day++) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        int turns = 1 + random.nextInt(6);
        SessionKey key = new SessionKey(OWNER, "s" + day + "." + i);
        for (int turn = 0; turn < turns; turn++) {
          store.session(key).commit(Commit.appendDrafts(turn(random)));
        }
        String title = TITLES.get(random.nextInt(TITLES.size()));
        store.session(key).update(SessionUpdate.none().title(title));
        book.add(
            OWNER,
            "offline",
            turns,
            new Usage(turns, 900L * turns + random.nextInt(4000), 0, 300L * turns, 0));
      }
      if (day < DAYS) {
        clock.advance(Duration.ofDays(1));
      }
    }
  }

  private List<Draft> turn(Random random) {
    List<Draft> drafts = new ArrayList<>();
    drafts.add(Draft.of(Item.user("What do we know about this?")));
    if (random.nextInt(3) > 0) {
      String call = "c" + random.nextInt();
      String tool = TOOLS.get(random.nextInt(TOOLS.size()));
      drafts.add(Draft.of(Item.functionCall(call, tool, "{}")));
      drafts.add(Draft.of(Item.functionCallOutput(call, "done")));
    }
    drafts.add(Draft.of(Item.assistant("This, and that.")));
    return drafts;
  }

  private void kyoto() {
    SessionKey key = new SessionKey(OWNER, "kyoto");
    store.session(key).addItems(List.of(Item.user("Three days in Kyoto, without a car?")));
    store
        .session(key)
        .addItems(List.of(Item.functionCall("k", "look_up", "{\"to\":\"Kyoto in autumn\"}")));
    clock.advance(Duration.ofMillis(1400));
    store.session(key).addItems(List.of(Item.functionCallOutput("k", "{\"days\":3}")));
    store
        .session(key)
        .commit(
            Commit.appendDrafts(
                List.of(
                    new Draft(
                        Item.assistant(PLAN),
                        Map.of("input_tokens", 5_240, "output_tokens", 171)))));
    store
        .session(key)
        .update(SessionUpdate.none().title("Three days in Kyoto").tags(Set.of("travel")));
  }
}
