package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.agree;
import static dev.clew.server.internal.page.Browsing.answers;
import static dev.clew.server.internal.page.Browsing.choice;
import static dev.clew.server.internal.page.Browsing.menu;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.Browsing.say;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.clew.SessionUpdate;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Projects, prompts and tags on the page. */
class PageLibraryTest extends InABrowser {
  private final Caller ann = new Caller(browsing.live, "ann");

  @BeforeEach
  void nothingInTheLibrary() {
    for (String kind : List.of("project", "prompt")) {
      for (var one : ann.get("/api/" + kind + "s").is(200).data()) {
        ann.send("DELETE", "/api/" + kind + "s/" + one.get(kind + "_id"), "").is(200);
      }
    }
    ann.send("DELETE", "/api/sessions?all=true", "").is(200);
  }

  private String project(String name, String more) {
    return ann.post("/api/projects", "{\"name\":\"" + name + "\"" + more + "}")
        .is(200)
        .text("project_id");
  }

  private void prompt(String name, String text) {
    ann.post("/api/prompts", "{\"name\":\"" + name + "\",\"text\":\"" + text + "\"}").is(200);
  }

  private static Locator project(Page page, String name) {
    return page.locator(".projects li").filter(new Locator.FilterOptions().setHasText(name));
  }

  private static Locator form(Page page) {
    return page.locator("dialog.form[open]");
  }

  private static void hasFocus(Page page) {
    page.waitForFunction("() => document.activeElement !== document.body");
  }

  @Test
  void aProjectIsMade_andWhatBeginsInItIsToldItsInstructions() {
    browsing.conversation("elsewhere", "Elsewhere", "a", "b");
    Page page = browsing.page("/");
    page.locator("clew-sidebar footer button").press("Enter");
    choice(page, "New project").press("Enter");
    form(page).locator("[name=name]").fill("Kyoto");
    form(page).locator("[name=instructions]").fill("We travel by train.");
    form(page).locator("[name=model]").selectOption("other");
    form(page).locator("[name=name]").press("Enter");
    assertThat(project(page, "Kyoto")).isVisible();
    hasFocus(page);

    project(page, "Kyoto").locator(".name").press("Enter");
    assertThat(page.locator(".filter")).containsText("Kyoto");
    assertThat(page.locator("clew-conversation-list .remark"))
        .hasText("No conversations in this project yet.");
    page.locator("clew-sidebar .new").press("Enter");
    assertThat(page.locator(".wishes")).containsText("Kyoto");
    assertThat(page.locator(".composer .choice")).containsText("other");
    picture(page, "project");
    say(page, "where to eat");
    assertThat(answers(page)).hasText("echo where to eat");
    assertThat(row(page, "where to eat")).isVisible();
    assertThat(row(page, "Elsewhere")).hasCount(0);
    assertThat(page.locator("clew-thread-head .tag")).hasText("Kyoto");
    Assertions.assertThat(browsing.other.lastRequest().instructions())
        .contains("We travel by train.");
    page.reload();
    assertThat(project(page, "Kyoto")).isVisible();
    assertThat(page.locator("clew-thread-head .tag")).hasText("Kyoto");
    assertThat(row(page, "Elsewhere")).isVisible();
  }

  @Test
  void aConversationMovesIntoAProject_andStaysWhenThatIsDeleted() {
    browsing.conversation("moved", "To be moved", "a", "b");
    project("Kyoto", "");
    Page page = browsing.conversationPage("moved");
    assertThat(project(page, "Kyoto")).isVisible();
    menu(page, "To be moved");
    choice(page, "Project").click();
    choice(page, "Kyoto").click();
    assertThat(page.locator("clew-thread-head .tag")).hasText("Kyoto");
    page.locator("clew-thread-head .tag").click();
    assertThat(page.locator(".filter")).containsText("Kyoto");
    assertThat(row(page, "To be moved")).isVisible();

    menu(page, "To be moved");
    choice(page, "Project").click();
    choice(page, "No project").click();
    assertThat(row(page, "To be moved")).hasCount(0);
    page.locator(".filter button").click();
    menu(page, "To be moved");
    choice(page, "Project").click();
    choice(page, "Kyoto").click();
    assertThat(page.locator("clew-thread-head .tag")).hasText("Kyoto");

    project(page, "Kyoto").locator(".icon-button").click();
    choice(page, "Edit").click();
    form(page).locator("[name=name]").fill("Nara");
    form(page).locator(".main").click();
    assertThat(page.locator("clew-thread-head .tag")).hasText("Nara");
    project(page, "Nara").locator(".icon-button").press("Enter");
    choice(page, "Delete").press("Enter");
    agree(page);
    assertThat(page.locator(".projects")).hasCount(0);
    assertThat(page.locator("clew-thread-head .tag")).hasCount(0);
    assertThat(row(page, "To be moved")).isVisible();
    hasFocus(page);
  }

  @Test
  void aTemporaryConversationIsInNoList_andGoneWhenOneLeaves() {
    browsing.conversation("other", "Another one", "a", "b");
    Page page = browsing.page("/");
    Locator toggle = page.locator(".wishes button[aria-pressed]");
    toggle.press("Enter");
    assertThat(toggle).hasAttribute("aria-pressed", "true");
    picture(page, "temporary-begins");
    say(page, "my very private plan");
    assertThat(answers(page)).hasText("echo my very private plan");
    assertThat(page.locator(".passing")).containsText("Not in your conversations");
    assertThat(page.locator("clew-conversation-list .row")).hasCount(1);
    picture(page, "temporary");
    page.reload();
    assertThat(answers(page)).hasText("echo my very private plan");
    browsing.model.thenText("as a branch");
    page.locator("[aria-label='Regenerate']").click();
    assertThat(answers(page)).hasText("as a branch");
    assertThat(page.locator(".passing")).isVisible();
    assertThat(page.locator(".toast")).hasCount(0);
    page.locator("#search").fill("private");
    assertThat(page.locator(".results .remark")).containsText("private");
    page.locator("#search").fill("");

    row(page, "Another one").locator("a").click();
    assertThat(page.locator(".toast")).containsText("Temporary conversation deleted.");
    page.locator(".toast button").click();
    assertThat(answers(page)).hasText("as a branch");
    page.locator("clew-sidebar .new").click();
    assertThat(page.locator(".toast")).containsText("Temporary conversation deleted.");
    page.close(); // nobody wants it back any more
    Eventually.ask(
        "deleted", () -> ann.get("/api/sessions?temporary=true").is(200).data(), List::isEmpty);
  }

  @Test
  void aTemporaryConversationCanBeKept() {
    Page page = browsing.page("/");
    page.locator(".wishes button[aria-pressed]").click();
    say(page, "better kept");
    assertThat(answers(page)).hasText("echo better kept");
    page.locator(".passing button").press("Enter");
    assertThat(page.locator(".passing")).hasCount(0);
    assertThat(row(page, "better kept")).isVisible();
    hasFocus(page);
    page.locator("clew-sidebar .new").click();
    assertThat(page.locator("clew-welcome h1")).isVisible();
    assertThat(page.locator(".toast")).hasCount(0);
    assertThat(row(page, "better kept")).isVisible();
  }

  @Test
  void promptsAreManaged_andInsertedBehindASlash() {
    prompt("explain", "Explain {it}.");
    Page page = browsing.page("/");
    Browsing.settings(page, "Manage prompts");
    Locator prompts = page.locator("dialog.prompts");
    assertThat(prompts.locator("li")).hasCount(1);
    prompts.locator(".add").press("Enter");
    form(page).locator("[name=name]").fill("translate");
    form(page).locator("[name=text]").fill("Translate into {language}, as a {role} would:\n");
    form(page).locator(".main").click();
    assertThat(prompts.locator("li")).hasCount(2);
    picture(page, "prompts");
    prompts.locator("[aria-label='Delete “explain”']").press("Enter");
    assertThat(prompts.locator("li")).hasCount(1);
    hasFocus(page);
    page.keyboard().press("Escape");
    prompt("trail", "A trail.");

    Locator field = page.locator("#message");
    field.focus();
    page.keyboard().type("/");
    assertThat(page.locator(".slash li")).hasCount(2);
    picture(page, "slash");
    page.keyboard().type("tr");
    page.keyboard().press("ArrowDown");
    assertThat(page.locator(".slash li[aria-selected=true]")).containsText("/translate");
    assertThat(field).hasAttribute("aria-activedescendant", "slash-1");
    page.keyboard().press("Escape");
    assertThat(page.locator(".slash")).hasCount(0);
    assertThat(field).hasValue("/tr");
    page.keyboard().type("ansl");
    page.keyboard().press("Enter");
    assertThat(field).hasValue("Translate into {language}, as a {role} would:\n");
    assertThat(page.locator(".slash")).hasCount(0);
    page.keyboard().type("French");
    page.keyboard().press("Tab");
    page.keyboard().type("poet");
    assertThat(field).hasValue("Translate into French, as a poet would:\n");
    page.keyboard().press("Tab");
    assertThat(field).not().isFocused();
    field.focus();
    page.keyboard().press("Control+z");
    assertThat(field).not().hasValue("Translate into French, as a poet would:\n");

    field.fill("/no such prompt");
    field.press("Enter");
    assertThat(answers(page)).hasText("echo /no such prompt");
  }

  @Test
  void aConversationIsAnsweredAsItsSettingsSay_andAllAsThoseOfThePersonDo() {
    Page page = browsing.page("/");
    Browsing.settings(page, "Instructions for all conversations");
    form(page).locator("textarea").fill("In British English.");
    form(page).locator(".main").press("Enter");
    assertThat(page.locator(".toast")).containsText("Saved.");
    page.locator(".welcome .told").press("Enter");
    form(page).locator("[name=temperature]").fill("0.5");
    form(page).locator("[name=reasoning_effort]").selectOption("low");
    picture(page, "model-settings");
    form(page).locator("[name=max_output_tokens]").fill("500");
    form(page).locator("[name=max_output_tokens]").press("Enter");
    assertThat(page.locator(".welcome .told")).containsText("Instructions are set");
    say(page, "a cool answer");
    assertThat(answers(page)).hasText("echo a cool answer");
    Assertions.assertThat(browsing.model.lastRequest().settings().fields())
        .containsEntry("temperature", 0.5)
        .containsEntry("max_output_tokens", 500L)
        .containsEntry("reasoning", Map.of("effort", "low"));
    Assertions.assertThat(browsing.model.lastRequest().instructions())
        .contains("In British English.");
    page.locator("clew-thread-head [aria-label=More]").click();
    choice(page, "Instructions").click();
    assertThat(form(page).locator("[name=temperature]")).hasValue("0.5");
    form(page).locator("[name=temperature]").fill("");
    form(page).locator("[name=reasoning_effort]").selectOption("");
    form(page).locator(".main").click();
    Eventually.ask(
        "the settings",
        () -> ann.get("/api/sessions").is(200).data().get(0).get("model_settings"),
        Map.of("max_output_tokens", 500L)::equals);
    ann.send("PATCH", "/api/preferences", "{\"instructions\":null}").is(200);
  }

  @Test
  void tagsAreCompletedWhileTyping_andListed() {
    browsing.conversation("one", "The first", "a", "b");
    browsing.conversation("two", "The second", "a", "b");
    browsing.session("one").update(SessionUpdate.none().tags(Set.of("travel", "work")));
    Page page = browsing.conversationPage("two");
    menu(page, "The second");
    choice(page, "Tags").click();
    assertThat(form(page).locator(".tag")).hasText(new String[] {"travel", "work"});
    form(page).locator("input").fill("japan, tra");
    assertThat(form(page).locator(".tag")).hasText(new String[] {"travel"});
    form(page).locator(".tag").press("Enter");
    assertThat(form(page).locator("input")).hasValue("japan, travel");
    assertThat(form(page).locator(".tag[aria-pressed=true]")).hasText("travel");
    form(page).locator("input").press("Enter");
    assertThat(page.locator("clew-thread-head .tag")).hasText(new String[] {"japan", "travel"});
    page.locator("clew-sidebar footer button").click();
    choice(page, "Tags").click();
    assertThat(page.locator(".menu [role=menuitem]"))
        .hasText(
            new Pattern[] {
              Pattern.compile("japan\\s*1"),
              Pattern.compile("travel\\s*2"),
              Pattern.compile("work\\s*1")
            });
    choice(page, "work").click();
    assertThat(row(page, "The first")).isVisible();
    assertThat(row(page, "The second")).hasCount(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void noneOfItHindersAnybody(ColorScheme scheme) {
    String id = project("Three days in Kyoto", "");
    prompt("translate", "Translate into {language}: and much more text than has room in one row");
    ann.post("/api/chat", "{\"message\":\"hi\",\"session_id\":\"a\",\"project\":\"" + id + "\"}")
        .is(200);
    ann.send("PATCH", "/api/sessions/a", "{\"tags\":[\"travel\"]}").is(200);
    List<String> found = new ArrayList<>();
    Page page = browsing.open(browsing.person(Browsing.desktop().setColorScheme(scheme)), "/");
    assertThat(page.locator(".projects")).isVisible();
    page.locator(".wishes button[aria-pressed]").click();
    check(page, "welcome", scheme, found);
    page.locator("#message").fill("/");
    assertThat(page.locator(".slash li")).hasCount(1);
    check(page, "slash", scheme, found);
    page.locator("#message").fill("");
    say(page, "hello");
    assertThat(answers(page)).hasText("echo hello");
    check(page, "temporary", scheme, found);
    page.locator(".projects .icon-button").first().click();
    assertThat(form(page)).isVisible();
    check(page, "project-form", scheme, found);
    page.keyboard().press("Escape");
    Browsing.settings(page, "Manage prompts");
    assertThat(page.locator("dialog.prompts")).isVisible();
    check(page, "prompts", scheme, found);
    page.keyboard().press("Escape");
    page.locator(".projects .name").click();
    assertThat(page.locator(".filter")).isVisible();
    menu(page, "hi");
    choice(page, "Tags").click();
    assertThat(form(page)).isVisible();
    check(page, "tags", scheme, found);
    page.keyboard().press("Escape");
    Browser.NewContextOptions phone =
        new Browser.NewContextOptions()
            .setViewportSize(390, 780)
            .setIsMobile(true)
            .setHasTouch(true)
            .setLocale("en-GB")
            .setColorScheme(scheme);
    Page small = browsing.open(browsing.person(phone), "/");
    assertThat(small.locator(".wishes")).isVisible();
    small.locator("#message").fill("/");
    assertThat(small.locator(".slash li")).hasCount(1);
    check(small, "phone-slash", scheme, found);
    small.locator("#message").fill("");
    small.locator(".show-list").first().tap();
    assertThat(small.locator(".projects")).isInViewport();
    check(small, "phone-projects", scheme, found);
    Assertions.assertThat(found).isEmpty();
  }

  private static void check(Page page, String name, ColorScheme scheme, List<String> found) {
    picture(page, "library-" + name + "-" + scheme);
    PageAccessTest.hindrances(page).forEach(one -> found.add(name + ": " + one));
  }

  @Test
  void aProjectThatIsChosenWhereAConversationBeginsIsItsProject() {
    String kyoto = project("Kyoto", "");
    Page page = browsing.page("/");
    project(page, "Kyoto").locator(".name").click();
    assertThat(page.locator(".wishes")).containsText("Kyoto");
    project(page, "Kyoto").locator(".name").click();
    assertThat(page.locator(".wishes")).not().containsText("Kyoto");
    project(page, "Kyoto").locator(".name").click();
    say(page, "where to eat");
    assertThat(answers(page)).hasText("echo where to eat");
    assertThat(page.locator("clew-thread-head .tag")).hasText("Kyoto");
    Assertions.assertThat(ann.get("/api/sessions?project=" + kyoto).is(200).data()).hasSize(1);
  }

  @Test
  void whatIsTypedIntoAFormBeforeEscapeIsThereAgain_butNotWhatIsCancelled() {
    Page page = browsing.page("/");
    Browsing.settings(page, "Manage prompts");
    Locator add = page.locator("dialog.prompts .add");
    add.press("Enter");
    form(page).locator("[name=text]").fill("three hundred words");
    page.keyboard().press("Escape");
    assertThat(form(page)).hasCount(0);
    add.press("Enter");
    assertThat(form(page).locator("[name=text]")).hasValue("three hundred words");
    form(page).locator("button[formnovalidate]").click();
    add.press("Enter");
    assertThat(form(page).locator("[name=text]")).hasValue("");
  }
}
