package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.agree;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.menu;
import static dev.clew.server.internal.page.Browsing.row;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.FileChooser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.server.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The conversations on the page: found, ordered, changed, taken away. */
class PageListTest extends InABrowser {
  private static Locator titles(Page page) {
    return page.locator("clew-conversation-list .row .title");
  }

  private static SessionInfo info(String id) {
    return browsing.session(id).info().orElseThrow();
  }

  @Test
  void theNewestIsFirst_underItsDay_andTheOpenOneIsMarked() {
    // Made in one millisecond they would be listed by id.
    browsing.conversation("order-2", "Order older", "a", "b");
    browsing.conversation("order-1", "Order newer", "a", "b");
    Page page = browsing.page("/");
    assertThat(page.locator(".group h2").first()).hasText("Today");
    List<String> shown = titles(page).allTextContents();
    Assertions.assertThat(shown.indexOf("Order newer"))
        .isLessThan(shown.indexOf("Order older"))
        .isNotNegative();
    row(page, "Order older").locator("a").click();
    assertThat(row(page, "Order older").locator("a")).hasAttribute("aria-current", "page");
    assertThat(answers(page)).hasText("b");
    browsing.session("order-2").addItems(List.of(Item.user("c")));
    page.locator("#message").press("Alt+ArrowDown");
    page.keyboard().press("Alt+ArrowUp");
  }

  /**
   * Reads the list as somebody does who scrolls through it, and the ids that were in each place.
   */
  private static final String SCROLLED =
      """
      async () => {
        const pane = document.querySelector('clew-conversation-list .list');
        const seen = [];
        const wrong = [];
        let drawn = 0;
        pane.scrollTop = 0;
        for (let still = 0; still < 20; ) {
          await new Promise(requestAnimationFrame);
          const rows = [...pane.querySelectorAll('.row')];
          drawn = Math.max(drawn, rows.length);
          rows.forEach((row, i) => {
            const at = Number(row.ariaPosInSet) - 1;
            seen[at] ??= row.dataset.id;
            if (seen[at] !== row.dataset.id) wrong.push(`${at}: ${row.dataset.id}`);
            if (i > 0 && row.getBoundingClientRect().top
                <= rows[i - 1].getBoundingClientRect().top) wrong.push(`order at ${at}`);
          });
          const before = pane.scrollTop;
          pane.scrollTop += pane.clientHeight - 80;
          still = pane.scrollTop === before ? still + 1 : 0;
        }
        return { seen, wrong, drawn };
      }
      """;

  @SuppressWarnings("unchecked")
  private static void assertScrolledThrough(Page page) {
    var read = (Map<String, Object>) page.evaluate(SCROLLED);
    Assertions.assertThat((List<String>) read.get("seen")).isEqualTo(ids());
    Assertions.assertThat((List<String>) read.get("wrong")).isEmpty();
    Assertions.assertThat((Integer) read.get("drawn")).isLessThan(80);
  }

  /** It does not wait for its time. */
  private static void refresh(Page page) {
    page.evaluate("() => window.dispatchEvent(new Event('online'))");
  }

  private static void waitForTheNewest(Page page) {
    page.waitForFunction(
        "id => document.querySelector('clew-conversation-list').order[0] === id", ids().get(0));
  }

  private static Locator list(Page page) {
    return page.locator("clew-conversation-list .list");
  }

  @Test
  void whoScrollsMeetsEachOnce_ofWhichFewAreDrawn_whateverComesAndGoes() {
    for (int i = 0; i < 200; i++) {
      browsing.session("many-" + i).update(SessionUpdate.none().title("Many " + i));
    }
    Page page = browsing.page("/");
    assertThat(row(page, "Many 199")).isVisible();
    assertScrolledThrough(page);

    Locator looked = page.locator(".row[data-id='" + ids().get(80) + "']");
    list(page).evaluate("pane => { pane.scrollTop = 3000; }");
    assertThat(looked).isVisible();
    double before = looked.boundingBox().y;
    browsing.session("many-new").update(SessionUpdate.none().title("Quite new"));
    browsing.session("many-3").addItems(List.of(Item.user("goes to the top")));
    browsing.store.session(browsing.session("many-190").key()).delete();
    refresh(page);
    waitForTheNewest(page);
    Assertions.assertThat(looked.boundingBox().y).isEqualTo(before);
    assertScrolledThrough(page);

    for (int i = 0; i < 70; i++) { // more than a page
      browsing.session("more-" + i).update(SessionUpdate.none().title("More " + i));
    }
    refresh(page);
    waitForTheNewest(page);
    assertScrolledThrough(page);
  }

  private static List<String> ids() {
    SessionQuery query = SessionQuery.of("ann").archived(false).limit(1000);
    return browsing.store.list(query).sessions().stream().map(info -> info.key().id()).toList();
  }

  @Test
  void aListIsWalkedThroughByKeys_andTheFocusIsNotLostWhenItScrollsAway() {
    for (int i = 0; i < 40; i++) {
      browsing.session("key-" + i).update(SessionUpdate.none().title("Key " + i));
    }
    List<String> ids = ids();
    Page page = browsing.page("/");
    IntFunction<Locator> link = i -> page.locator(".row[data-id='" + ids.get(i) + "'] a");
    link.apply(0).focus();
    for (int i = 1; i <= 30; i++) {
      page.keyboard().press("ArrowDown");
      assertThat(link.apply(i)).isFocused();
    }
    assertThat(link.apply(30)).isInViewport();
    list(page).evaluate("pane => { pane.scrollTop = 0; }");
    assertThat(link.apply(0)).isInViewport();
    assertThat(link.apply(30)).isFocused();
    page.keyboard().press("ArrowUp");
    assertThat(link.apply(29)).isFocused();
    assertThat(link.apply(29)).isInViewport();
    page.keyboard().press("Home");
    assertThat(link.apply(0)).isFocused();
  }

  @Test
  void afterASearchTheListIsWhereItWas() {
    for (int i = 0; i < 60; i++) {
      browsing.session("where-" + i).update(SessionUpdate.none().title("Where " + i));
    }
    Page page = browsing.page("/");
    Locator looked = page.locator(".row[data-id='" + ids().get(35) + "']");
    list(page).evaluate("pane => { pane.scrollTop = 1000; }");
    assertThat(looked).isInViewport();
    page.locator("#search").fill("where 7");
    assertThat(page.locator(".found b").first()).containsText("Where 7");
    page.locator("#search").press("Escape");
    assertThat(looked).isInViewport();
  }

  @Test
  void aSearchFindsTitlesAndWhatWasSaid_chineseToo_andOpensAtThePlace() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      texts.add(i == 60 ? "我们下周去京都旅行，看红叶。" : "line " + i);
    }
    browsing.conversation("search", "Zanzibar", texts.toArray(String[]::new));
    Page page = browsing.page("/");
    page.locator("#search").fill("zanzi");
    assertThat(page.locator(".found b mark")).hasText("Zanzi");
    page.locator("#search").fill("京都");
    assertThat(page.locator(".found span mark").first()).hasText("京都");
    page.keyboard().press("ArrowDown");
    page.keyboard().press("Enter");
    assertThat(page.locator(".found-here")).containsText("京都旅行");
    assertThat(page.locator(".found-here")).isInViewport();
    assertThat(page.locator("clew-thread-head h1")).hasText("Zanzibar");
    page.locator(".scroll").evaluate("element => { element.scrollTop = element.scrollHeight; }");
    assertThat(page.getByText("line 90", new Page.GetByTextOptions().setExact(true))).hasCount(1);
    page.locator("#search").fill("tag:nothing-has-this");
    assertThat(page.locator(".results .remark")).containsText("Nothing found");
    page.locator("#search").press("Escape");
    assertThat(row(page, "Zanzibar")).isVisible();
  }

  @Test
  void aTitleIsChangedInPlace() {
    browsing.conversation("rename", "Before", "a", "b");
    Page page = browsing.page("/");
    row(page, "Before").locator("a").dblclick();
    page.locator("input.rename").fill("After");
    page.locator("input.rename").press("Enter");
    assertThat(row(page, "After")).hasCount(1);
    Assertions.assertThat(info("rename").title()).isEqualTo("After");
    menu(page, "After");
    choice(page, "Rename").click();
    page.locator("input.rename").fill("Never");
    page.locator("input.rename").press("Escape");
    assertThat(row(page, "After")).hasCount(1);
  }

  @Test
  void pinnedOnesAreOnTop_andTagsAreShownAndSearchedFor() {
    browsing.conversation("pin", "Pin me", "a", "b");
    browsing.conversation("pin-2", "Later than the pin", "a", "b");
    Page page = browsing.page("/");
    menu(page, "Pin me");
    choice(page, "Pin").click();
    assertThat(page.locator(".group h2").first()).hasText("Pinned");
    assertThat(titles(page).first()).hasText("Pin me");
    menu(page, "Pin me");
    choice(page, "Tags").click();
    page.locator("dialog[open] input").fill("travel, japan");
    page.locator("dialog[open] input").press("Enter");
    assertThat(row(page, "Pin me").locator(".tag")).hasText("japan");
    assertThat(row(page, "Pin me").locator(".more-tags")).hasText("+1");
    page.locator("#search").fill("tag:japan");
    assertThat(page.locator(".found b")).hasText("Pin me");
    page.locator("#search").press("Escape");
    menu(page, "Pin me");
    choice(page, "Unpin").click();
    assertThat(page.locator(".group h2").first()).hasText("Today");
    Assertions.assertThat(info("pin").tags()).containsExactlyInAnyOrder("travel", "japan");
  }

  @Test
  void whatIsArchivedIsOutOfSight_andComesBack() {
    browsing.conversation("archive", "Archive me", "a", "b");
    Page page = browsing.page("/");
    menu(page, "Archive me");
    choice(page, "Archive").click();
    assertThat(row(page, "Archive me")).hasCount(0);
    page.locator("clew-sidebar footer button").click();
    choice(page, "Archived conversations").click();
    menu(page, "Archive me");
    choice(page, "Unarchive").click();
    assertThat(row(page, "Archive me")).hasCount(0);
    page.locator(".filter button").click();
    assertThat(row(page, "Archive me")).hasCount(1);
  }

  @Test
  void whatIsDeletedCanBeBroughtBack_andIsGoneOtherwise() {
    browsing.conversation("delete", "Delete me", "a", "b");
    Page page = browsing.conversationPage("delete");
    assertThat(answers(page)).hasCount(1);
    page.keyboard().press("Control+Shift+Backspace");
    agree(page);
    assertThat(row(page, "Delete me")).hasCount(0);
    page.locator(".toast button").click();
    assertThat(row(page, "Delete me")).hasCount(1);
    menu(page, "Delete me");
    choice(page, "Delete").click();
    agree(page);
    assertThat(row(page, "Delete me")).hasCount(0);
    page.close(); // whoever leaves does not want to undo any more
    Eventually.ask("deleted", () -> browsing.session("delete").info(), found -> found.isEmpty());
  }

  @Test
  void severalAreTakenAtOnce() {
    browsing.conversation("bulk-1", "Bulk one", "a", "b");
    browsing.conversation("bulk-2", "Bulk two", "a", "b");
    browsing.conversation("bulk-3", "Bulk three", "a", "b");
    Page page = browsing.page("/");
    page.locator("clew-sidebar footer button").click();
    choice(page, "Select").click();
    row(page, "Bulk one").locator("a").click();
    row(page, "Bulk two").locator("input").check();
    assertThat(page.locator(".bulk span")).hasText("2 selected");
    page.locator(".bulk button").filter(new Locator.FilterOptions().setHasText("Archive")).click();
    assertThat(row(page, "Bulk one")).hasCount(0);
    assertThat(row(page, "Bulk two")).hasCount(0);
    assertThat(row(page, "Bulk three")).hasCount(1);
    Eventually.ask("archived", () -> info("bulk-2").archived(), archived -> archived);
    page.locator(".toast button").click();
    assertThat(row(page, "Bulk two")).hasCount(1);
  }

  @Test
  void aCopyIsMade() {
    browsing.conversation("fork", "Fork me", "a", "b");
    Page page = browsing.conversationPage("fork");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Duplicate").click();
    assertThat(page.locator("clew-thread-head h1")).hasText("Copy of Fork me");
    assertThat(answers(page)).hasText("b");
  }

  @Test
  void aConversationGoesOutAsAFile_andComesIn() throws IOException {
    browsing.conversation("file", "File me", "a", "b");
    Page page = browsing.page("/");
    menu(page, "File me");
    Download download = page.waitForDownload(() -> export(page));
    Path file = browsing.folder().resolve("file.json");
    download.saveAs(file);
    Assertions.assertThat(Files.readString(file)).contains("File me");
    FileChooser chooser = page.waitForFileChooser(() -> Browsing.settings(page, "Import…"));
    chooser.setFiles(file);
    assertThat(page.locator(".toast").first()).containsText("Imported 1 conversation.");
    assertThat(row(page, "File me")).hasCount(2);
    assertThat(answers(page)).hasText("b");
  }

  private static void export(Page page) {
    choice(page, "Export").click();
    choice(page, "Export as JSON").first().click();
  }

  @Test
  void whatIsNewIsMarkedUntilItIsSeen() {
    browsing.conversation("unread", "Unread me", "a", "b");
    Page page = browsing.page("/");
    assertThat(row(page, "Unread me")).hasCount(1);
    browsing.session("unread").addItems(List.of(Item.user("c")));
    refresh(page);
    assertThat(row(page, "Unread me").locator(".dot")).isVisible();
    row(page, "Unread me").locator("a").click();
    assertThat(row(page, "Unread me").locator(".dot")).hasCount(0);
  }

  @Test
  void whatIsCompactedWhileOneLooksIsNotNew() {
    browsing.conversation("short", "Compact me", "a", "b", "c", "d");
    Page page = browsing.conversationPage("short");
    assertThat(answers(page)).hasCount(2);
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Compact conversation").click();
    assertThat(page.locator(".compaction")).isVisible();
    assertThat(row(page, "Compact me")).hasCount(1);
    page.waitForCondition(
        () ->
            (boolean)
                page.evaluate(
                    "async () => { const { updated_at: at } ="
                        + " await (await fetch('/api/sessions/short')).json();"
                        + " return JSON.parse(localStorage['clew.seen']).at.short === at; }"));
    page.locator("clew-sidebar .new").click();
    refresh(page);
    assertThat(row(page, "Compact me").locator(".dot")).hasCount(0);
  }

  @Test
  void aSearchThatLacksAWordSaysSo() {
    Page page = browsing.page("/");
    for (String text : List.of("role:user", "tool:send_mail tag:x", "since:2026-01-31")) {
      page.locator("#search").fill(text);
      assertThat(page.locator(".results .remark")).hasText("Add a word to search for.");
    }
    page.locator("#search").fill("role:user xyzzy");
    assertThat(page.locator(".results .remark")).containsText("Nothing found");
    page.keyboard().press("Control+k");
    page.locator("dialog.palette input").fill("role:user");
    assertThat(page.locator("dialog.palette .remark")).hasText("Add a word to search for.");
  }
}
