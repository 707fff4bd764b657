package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.clew.SessionUpdate;
import dev.clew.server.Caller;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Commands, conversations and operators of a search behind one key. */
class PagePaletteTest extends InABrowser {
  @BeforeAll
  static void fill() {
    browsing.conversation("kyoto", "Three days in Kyoto", "A plan, please", "See the red leaves.");
    browsing.session("kyoto").update(SessionUpdate.none().tags(Set.of("travel", "far away")));
    Caller ann = new Caller(browsing.live, "ann");
    String east = ann.post("/api/projects", "{\"name\":\"Far East\"}").is(200).text("project_id");
    ann.send("PATCH", "/api/sessions/kyoto", "{\"project\":\"" + east + "\"}").is(200);
    browsing.conversation("letter", "A letter to Ann", "dear", "yours");
    browsing.conversation("old", "An old plan", "what did we do", "nothing");
    browsing.session("old").update(SessionUpdate.none().archived(true));
  }

  private static Page opened(String path) {
    Page page = browsing.page(path);
    assertThat(row(page, "Three days")).isVisible();
    page.keyboard().press("Control+k");
    return page;
  }

  private static Locator found(Page page) {
    return page.locator("dialog.palette .found");
  }

  private static Locator found(Page page, String text) {
    return found(page).filter(new Locator.FilterOptions().setHasText(text));
  }

  private static Locator groups(Page page) {
    return page.locator("dialog.palette .group");
  }

  @Test
  void whatIsTypedAtOnceFindsConversations_andTheirMessages() {
    Page page = opened("/");
    page.keyboard().type("leaves");
    assertThat(found(page, "red leaves").locator("mark")).hasText("leaves");
    page.locator("dialog.palette input").fill("letter");
    assertThat(found(page, "A letter to Ann")).hasCount(1);
    page.keyboard().press("Enter");
    assertThat(answers(page)).hasText("yours");
    assertThat(page.locator("dialog.palette")).isHidden();
    assertThat(page.locator("#message")).isFocused();
  }

  @Test
  void withoutWordsItOffersTheLastConversations_commands_andFilters() {
    Page page = opened("/");
    assertThat(groups(page)).hasText(new String[] {"Recent conversations", "Commands", "Filters"});
    assertThat(found(page, "A letter to Ann")).hasCount(1);
    for (String operator :
        List.of("tag:", "project:", "archived:", "pinned:", "role:", "tool:", "since:", "until:")) {
      assertThat(found(page, operator)).hasCount(1);
    }
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog.palette")).isHidden();
    assertThat(page.locator("#message")).isFocused();
  }

  @Test
  void operatorsAreOfferedWhileTheyAreTyped_andTheirValues() {
    Page page = opened("/");
    page.keyboard().type("ta");
    assertThat(found(page, "tag:")).isVisible();
    page.keyboard().press("ArrowUp"); // behind whatever has been found
    assertThat(found(page, "tag:")).hasAttribute("aria-selected", "true");
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog.palette input")).hasValue("tag:");
    assertThat(found(page).first()).hasText("tag:\"far away\"");
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog.palette input")).hasValue("tag:\"far away\" ");
    assertThat(found(page, "Three days in Kyoto")).hasCount(1);
    assertThat(found(page, "A letter to Ann")).hasCount(0);
    page.locator("dialog.palette input").fill("project:");
    assertThat(found(page).first()).hasText("project:\"Far East\"");
    page.keyboard().press("Enter");
    assertThat(found(page, "Three days in Kyoto")).hasCount(1);
    assertThat(found(page, "A letter to Ann")).hasCount(0);
    page.locator("dialog.palette input").fill("archived:true");
    assertThat(found(page, "An old plan")).hasCount(1);
    assertThat(found(page, "Three days")).hasCount(0);
    page.locator("dialog.palette input").fill("leaves role:user");
    assertThat(page.locator("dialog.palette .remark")).containsText("Nothing found");
    page.locator("dialog.palette input").fill("leaves role:assistant since:2020-01-01");
    assertThat(found(page, "red leaves")).hasCount(1);
    page.locator("dialog.palette input").fill("leaves until:2020-01-01");
    assertThat(page.locator("dialog.palette .remark")).containsText("Nothing found");
  }

  @Test
  void commandsAreDone() {
    Page page = opened("/#/s/letter");
    assertThat(answers(page)).hasText("yours");
    page.keyboard().type("> keyboard");
    assertThat(groups(page)).hasText("Commands");
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog.help")).isVisible();
    page.keyboard().press("Escape");
    page.keyboard().press("Control+k");
    page.keyboard().type("rename");
    assertThat(found(page).first()).hasText("Rename");
    page.keyboard().press("Enter");
    page.locator("input.rename").fill("A letter to Ann Lee");
    page.locator("input.rename").press("Enter");
    assertThat(row(page, "A letter to Ann Lee")).hasCount(1);
    page.keyboard().press("Control+k");
    page.keyboard().type("model other");
    page.keyboard().press("Enter");
    assertThat(page.locator(".choice")).containsText("other");
    page.keyboard().press("Control+k");
    page.keyboard().type("usage");
    page.keyboard().press("Enter");
    assertThat(page.locator("main h1[tabindex]")).isFocused();
  }

  @Test
  void itOpensByTheMouseToo_andClosesBesideIt() {
    Page page = browsing.page("/");
    page.locator("clew-sidebar .search .keys").click();
    assertThat(page.locator("dialog.palette input")).isFocused();
    found(page, "A letter").first().click();
    assertThat(page.locator("clew-thread-head h1")).containsText("A letter");
    page.keyboard().press("Control+k");
    assertThat(found(page).first()).isVisible();
    page.mouse().click(5, 5);
    assertThat(page.locator("dialog.palette")).isHidden();
  }

  @Test
  void itHindersNobody_inLightAndDark_alsoOnAPhone() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      Page page =
          browsing.open(browsing.person(Browsing.desktop().setColorScheme(scheme)), "/#/s/kyoto");
      assertThat(answers(page)).hasCount(1);
      page.keyboard().press("Control+k");
      assertThat(found(page).first()).isVisible();
      isAccessible(page);
      picture(page, "palette-" + scheme);
      page.keyboard().type("plan");
      assertThat(found(page, "Three days").or(found(page, "An old plan")).first()).isVisible();
      isAccessible(page);
      picture(page, "palette-found-" + scheme);
      page.keyboard().press("Control+k");
      assertThat(page.locator("dialog.palette")).isHidden();
    }
    Page phone =
        browsing.open(
            browsing.person(Browsing.desktop().setViewportSize(360, 640).setHasTouch(true)), "/");
    phone.keyboard().press("Control+k");
    assertThat(found(phone).first()).isVisible();
    picture(phone, "palette-phone");
    Assertions.assertThat(found(phone).first().boundingBox().height).isGreaterThanOrEqualTo(44);
  }
}
