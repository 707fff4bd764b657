package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.agent.Tool;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.ServerSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.assertj.core.api.Assertions;

/**
 * A server with a page, and browsers that look at it as one owner. Used by one thread. Whatever a
 * page complains about, or asks another host for, fails the test when it is closed.
 */
final class Browsing implements AutoCloseable {
  private static final String OWNER = "ann";

  final ScriptedModel model = new ScriptedModel();
  final ScriptedModel other = new ScriptedModel();
  final SessionStore store;
  final LiveServer live;
  final List<String> sent = new CopyOnWriteArrayList<>();

  private final Path folder;
  private final String cookie;
  private final List<BrowserContext> contexts = new ArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> forgiven = new ArrayList<>();
  private BrowserContext home;

  Browsing(Path folder) {
    this(folder, Stores.open("sqlite:" + folder.resolve("page.db")));
  }

  /** Over a store that is closed with it. */
  Browsing(Path folder, SessionStore store) {
    this(folder, store, UnaryOperator.identity());
  }

  /** With further settings. */
  Browsing(Path folder, SessionStore store, UnaryOperator<ServerSettings> more) {
    this.folder = folder;
    this.store = store;
    this.live =
        new LiveServer(
            store,
            settings ->
                more.apply(
                    settings
                        .model(model, "scripted")
                        .andModel(other, "other")
                        .chat(
                            ChatSettings.DEFAULT
                                .agent(agent())
                                .limit(0, ChatSettings.AtLimit.REFUSE))));
    this.cookie = signIn();
  }

  record Mail(String to) {}

  private Agent agent() {
    return Agent.builder()
        .name("Assistant")
        .tools(
            Tool.of("send_mail", "Sends mail.", Mail.class, this::send).needingApproval(),
            Tool.of("look_up", "Looks up an address.", Mail.class, mail -> mail.to() + "@x.org"))
        .build();
  }

  private String send(Mail mail) {
    sent.add(mail.to());
    return "{\"sent\":true}";
  }

  private String signIn() {
    String set =
        live.send(
                "POST",
                "/sign-in",
                "token=" + URLEncoder.encode(live.token(OWNER), StandardCharsets.UTF_8),
                "Content-Type",
                "application/x-www-form-urlencoded")
            .headers()
            .firstValue("set-cookie")
            .orElseThrow();
    return set.substring(set.indexOf('=') + 1, set.indexOf(';'));
  }

  String url() {
    return live.server().url();
  }

  Path folder() {
    return folder;
  }

  StoredSession session(String id) {
    return store.session(new SessionKey(OWNER, id));
  }

  /** A conversation of texts, by turns of user and assistant. */
  StoredSession conversation(String id, String title, String... texts) {
    StoredSession session = session(id);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      items.add(i % 2 == 0 ? Item.user(texts[i]) : Item.assistant(texts[i]));
    }
    session.addItems(items);
    session.update(dev.clew.SessionUpdate.none().title(title));
    return session;
  }

  /** A browser of its own, not signed in. */
  BrowserContext stranger(Browser.NewContextOptions options) {
    BrowserContext context = Chromium.browser().newContext(options);
    context.setDefaultTimeout(Chromium.DEADLINE_MILLIS);
    context.onConsoleMessage(
        message -> {
          if (message.type().equals("error")) {
            complaints.add(message.text() + " at " + message.location());
          }
        });
    context.onWebError(error -> complaints.add(String.valueOf(error.error())));
    context.onRequest(
        request -> {
          String asked = request.url();
          if (!asked.startsWith(url() + "/")
              && !asked.startsWith("blob:" + url())
              && !asked.startsWith("data:")) {
            complaints.add("asked another host: " + asked);
          }
        });
    contexts.add(context);
    return context;
  }

  /** A browser of its own, signed in. */
  BrowserContext person(Browser.NewContextOptions options) {
    BrowserContext context = stranger(options);
    context.addCookies(
        List.of(
            new Cookie("clew", cookie)
                .setUrl(url())
                .setHttpOnly(true)
                .setSameSite(SameSiteAttribute.STRICT)));
    return context;
  }

  static Browser.NewContextOptions desktop() {
    return new Browser.NewContextOptions()
        .setViewportSize(1280, 820)
        .setLocale("en-GB")
        .setAcceptDownloads(true);
  }

  /** The page, in a browser that has kept its files. */
  Page page(String path) {
    if (home == null) {
      home = person(desktop());
      contexts.remove(home);
    }
    return open(home, path);
  }

  Page open(BrowserContext context, String path) {
    Page page = context.newPage();
    page.navigate(url() + path);
    assertThat(page.locator("#message")).isVisible();
    return page;
  }

  /** Opens a conversation. */
  Page conversationPage(String id) {
    return page("/#/s/" + Caller.enc(id));
  }

  static void say(Page page, String text) {
    page.locator("#message").fill(text);
    page.locator("#message").press("Enter");
  }

  /** What the assistant has said, in order. */
  static Locator answers(Page page) {
    return page.locator(".entry .assistant .markdown");
  }

  /** An entry of the menu that is open. */
  static Locator choice(Page page, String label) {
    return page.locator(".menu [role^=menuitem]")
        .filter(new Locator.FilterOptions().setHasText(label));
  }

  /** The dialog of settings, opened. */
  static Locator settings(Page page) {
    page.locator("clew-sidebar footer button").click();
    page.locator(".menu [role^=menuitem]").first().click();
    return page.locator("dialog.settings");
  }

  /** Does what a button of the settings is for. */
  static void settings(Page page, String label) {
    settings(page).getByText(label).click();
  }

  /** Agrees to what the page asks. */
  static void agree(Page page) {
    page.locator("dialog[open] .main").click();
  }

  static Locator row(Page page, String title) {
    return page.locator("clew-conversation-list .row")
        .filter(new Locator.FilterOptions().setHasText(title));
  }

  /** Opens the menu of a conversation in the list. */
  static void menu(Page page, String title) {
    row(page, title).hover();
    row(page, title).locator(".icon-button").click();
  }

  /** A picture for whoever looks at the build. */
  static void picture(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(
                Path.of(
                    System.getProperty("clew.target", "target"), "screenshots", name + ".png")));
  }

  /** Complaints that were to be expected. */
  void forgive(String part) {
    forgiven.add(part);
  }

  /** Ends what a test has opened, and fails if there were complaints. */
  void end() {
    contexts.forEach(BrowserContext::close);
    contexts.clear();
    if (home != null) {
      for (Page page : home.pages()) {
        page.evaluate("() => localStorage.clear()");
        page.close();
      }
    }
    model.forget();
    List<String> heard =
        complaints.stream()
            .filter(complaint -> forgiven.stream().noneMatch(complaint::contains))
            .toList();
    complaints.clear();
    forgiven.clear();
    Assertions.assertThat(heard).isEmpty();
  }

  @Override
  public void close() {
    if (home != null) {
      home.close();
    }
    live.close();
    store.close();
  }
}
