package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.say;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.clew.SessionQuery;
import dev.clew.Stores;
import dev.clew.server.settings.PriceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What answers cost, on the page. Each takes 30 tokens, 10 of them cached, and gives 8. */
@ExtendWith(FailurePictures.class)
class PageCostTest {
  private static final PriceSettings PRICES =
      PriceSettings.NONE.currency("EUR").price("scripted=1000/100/10000").price("other=0.5/2");

  @TempDir Path folder;

  @Test
  void anAnswer_aConversation_aMonthAndAModelSayWhatTheyCost() throws IOException {
    try (Browsing browsing =
        new Browsing(
            folder,
            Stores.open("sqlite:" + folder.resolve("page.db")),
            settings -> settings.prices(PRICES))) {
      Page page = browsing.page("/");
      say(page, "hello");
      assertThat(answers(page)).hasText("echo hello");
      assertThat(page.locator(".tokens")).containsText("€0.10");
      picture(page, "cost-of-an-answer");
      page.navigate(browsing.url() + "/#/insight");
      assertThat(card(page, "Cost")).containsText("€0.10");
      assertThat(card(page, "Cost this month")).containsText("€0.10");
      Locator plot = page.locator("clew-plot[name=cost]");
      assertThat(plot.locator("h2")).hasText("Cost per day");
      Download file = page.waitForDownload(() -> plot.locator("figcaption button").click());
      List<String> lines = Files.readAllLines(file.path());
      Assertions.assertThat(lines.get(0)).endsWith("date,cost");
      Assertions.assertThat(lines.get(lines.size() - 1)).endsWith(",0.101");
      Locator models = page.locator("clew-plot[name=models]");
      models.locator("summary").click();
      assertThat(models.locator("tbody tr"))
          .hasText(Pattern.compile("scripted.*€0.10", Pattern.DOTALL));
      picture(page, "cost");
      String id = browsing.store.list(SessionQuery.of("ann")).sessions().get(0).key().id();
      page.navigate(browsing.url() + "/#/insight/" + id);
      assertThat(card(page, "Cost")).containsText("€0.10");
      browsing.end();
    }
  }

  @Test
  void withoutPricesNothingIsSaidOfCosts() {
    try (Browsing browsing =
        new Browsing(
            folder, Stores.open("sqlite:" + folder.resolve("page.db")), UnaryOperator.identity())) {
      Page page = browsing.page("/");
      say(page, "hello");
      assertThat(answers(page)).hasText("echo hello");
      assertThat(page.locator(".tokens")).hasText("30 tokens in · 8 out");
      page.navigate(browsing.url() + "/#/insight");
      assertThat(page.locator("clew-plot[name=models]")).isVisible();
      assertThat(page.locator("clew-plot[name=cost]")).hasCount(0);
      assertThat(page.locator("main")).not().containsText("Cost");
      browsing.end();
    }
  }

  private static Locator card(Page page, String name) {
    return page.locator(".cards div")
        .filter(
            new Locator.FilterOptions()
                .setHas(
                    page.locator(
                        "dt",
                        new Page.LocatorOptions().setHasText(Pattern.compile("^" + name + "$")))));
  }
}
