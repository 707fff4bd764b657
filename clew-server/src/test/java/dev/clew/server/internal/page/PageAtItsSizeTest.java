package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.agree;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.row;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.FileChooser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.server.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Much of everything: conversations, a message, a file. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PageAtItsSizeTest extends InABrowser {
  private static final int MANY = 150; // more than are loaded at once

  private static void settings(Page page, String label) {
    page.locator("clew-sidebar footer button").click();
    choice(page, label).click();
  }

  private static void many() {
    for (int i = 0; i < MANY; i++) {
      browsing.conversation("many-" + i, "Many " + i, "Question " + i, "Answer " + i);
    }
  }

  private static FilePayload file(String name, String text) {
    return new FilePayload(name, "application/json", text.getBytes(StandardCharsets.UTF_8));
  }

  private static void importing(Page page, FilePayload file) {
    FileChooser chooser = page.waitForFileChooser(() -> Browsing.settings(page, "Import…"));
    chooser.setFiles(file);
  }

  @Test
  @Order(1)
  void everythingGoesOutAndComesInAsOneFile() throws IOException {
    many();
    Page page = browsing.page("/");
    Download download = page.waitForDownload(() -> Browsing.settings(page, "Export all"));
    Path saved = browsing.folder().resolve("all.jsonl");
    download.saveAs(saved);
    Assertions.assertThat(download.suggestedFilename()).isEqualTo("conversations.jsonl");
    Assertions.assertThat(Files.readAllLines(saved)).hasSize(MANY);
    FileChooser chooser = page.waitForFileChooser(() -> Browsing.settings(page, "Import…"));
    chooser.setFiles(saved);
    assertThat(page.locator(".toast")).hasText("Imported " + MANY + " conversations.");
    Assertions.assertThat(browsing.store.list(SessionQuery.of("ann").limit(1000)).sessions())
        .hasSize(2 * MANY);
  }

  @Test
  @Order(2)
  void anExportCanBeCancelled() {
    Page page = browsing.page("/");
    page.route("**/api/export", route -> {}); // it takes long
    Browsing.settings(page, "Export all");
    assertThat(page.locator(".toast")).containsText("Exporting…");
    page.locator(".toast button").click();
    assertThat(page.locator(".toast")).hasCount(0);
    page.unroute("**/api/export");
  }

  @Test
  @Order(3)
  void allMeansAll_alsoWhatIsNotLoaded() {
    Page page = browsing.page("/");
    assertThat(page.locator("clew-conversation-list .row").first()).isVisible();
    settings(page, "Select");
    page.getByText("Select all").click();
    assertThat(page.locator(".bulk span")).hasText("All selected");
    page.locator(".bulk button").filter(new Locator.FilterOptions().setHasText("Archive")).click();
    agree(page);
    assertThat(page.locator("clew-conversation-list .remark"))
        .hasText("Your conversations will appear here.");
    Assertions.assertThat(browsing.store.list(SessionQuery.of("ann").archived(false)).sessions())
        .isEmpty();
    settings(page, "Archived conversations");
    settings(page, "Select");
    page.getByText("Select all").click();
    page.locator(".bulk button.danger").click();
    page.locator(".question input").fill("delete");
    agree(page);
    Eventually.ask(
        "deleted",
        () -> browsing.store.list(SessionQuery.of("ann")).sessions(),
        left -> left.isEmpty());
  }

  @Test
  @Order(4)
  void whatIsNoConversationIsRefusedByName() {
    Page page = browsing.page("/");
    importing(page, file("notes.json", "{\"hello\":1}"));
    assertThat(page.locator(".toast"))
        .hasText(
            "“notes.json” is not a conversation export. JSON and JSONL exports can be imported.");
    assertThat(page.locator("clew-conversation-list .row")).hasCount(0);
    importing(
        page,
        file(
            "two.jsonl",
            """
            {"session_id":"good","title":"Good","items":[]}
            {"session_id":"bad","items":[1]}
            """));
    assertThat(page.locator(".toast").filter(new Locator.FilterOptions().setHasText("Line 2:")))
        .isVisible();
    assertThat(row(page, "Good")).hasCount(1);
    browsing.forgive("400");
  }

  @Test
  @Order(5)
  void aLongMessageIsFolded() {
    browsing.conversation("long", "Long", "a long line\n".repeat(16_000), "ok");
    Page page = browsing.conversationPage("long");
    assertThat(page.locator(".bubble .unfold")).hasText("Show more");
    Assertions.assertThat(page.locator(".bubble").boundingBox().height).isLessThan(800);
    page.locator(".unfold").click();
    assertThat(page.locator(".unfold")).hasText("Show less");
    Assertions.assertThat(page.locator(".bubble").boundingBox().height).isGreaterThan(10_000);
  }

  @Test
  @Order(7)
  void aYearIsShownInMonths_andAQuarterInWeeks() {
    Page page = browsing.page("/");
    settings(page, "Usage");
    page.getByText("365 days").click();
    assertThat(page.getByText("New conversations per month")).isVisible();
    Locator rows = page.locator("clew-plot[name=conversations] tbody tr");
    Assertions.assertThat(rows.count()).isBetween(12, 13);
    page.getByText("90 days").click();
    assertThat(page.getByText("New conversations per week")).isVisible();
    Assertions.assertThat(rows.count()).isBetween(13, 14);
  }

  @Test
  @Order(6)
  void aToastIsInTheDialogThatIsOpen_andWaitsForWhoPointsAtIt() {
    browsing.conversation("share", "Share me", "a", "b");
    browsing.session("share").update(SessionUpdate.none().tags(java.util.Set.of("x")));
    Page page = browsing.conversationPage("share");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Share").click();
    page.locator(".share button.main").click();
    page.locator(".share button.danger").click();
    assertThat(page.locator("dialog .toast").last()).containsText("Link disabled.");
    page.keyboard().press("Escape");
    Locator toast = page.locator(".above > clew-toasts .toast").last();
    assertThat(toast).containsText("Link disabled.");
  }
}
