package dev.clew.server.internal.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.clew.server.internal.page.Browsing.picture;
import static dev.clew.server.internal.page.Browsing.row;
import static dev.clew.server.internal.page.Browsing.say;
import static dev.clew.server.internal.page.PageAccessTest.isAccessible;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.clew.server.LiveServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page without a connection, and in a newer version. */
class PageShellTest extends InABrowser {
  @BeforeAll
  static void fill() {
    browsing.conversation("secret", "A secret of Ann", "the secret question", "the secret answer");
    browsing.conversation("back", "Back again", "a question", "an answer");
  }

  /** Waits for the worker that keeps the files of the page. */
  private static void keeps(Page page) {
    page.evaluate(
        "async () => { await navigator.serviceWorker.ready;"
            + " while (!navigator.serviceWorker.controller) await new Promise(requestAnimationFrame); }");
  }

  @Test
  void thePageOpensWithoutAConnection_saysSo_andGoesOnWhenItIsBack() {
    BrowserContext context = browsing.person(Browsing.desktop());
    Page page = browsing.open(context, "/#/s/back");
    assertThat(page.locator(".entry")).hasCount(2);
    keeps(page);
    page.reload();
    assertThat(page.locator(".entry")).hasCount(2);
    context.setOffline(true);
    page.reload();
    assertThat(page.locator(".offline")).containsText("The server cannot be reached");
    assertThat(page.locator("#message")).isVisible();
    assertThat(page.locator("body")).not().containsText("an answer");
    assertThat(page.locator("body")).not().containsText("Back again");
    isAccessible(page);
    picture(page, "offline-from-start");
    context.setOffline(false);
    assertThat(page.locator(".offline")).hasCount(0);
    assertThat(row(page, "Back again")).isVisible();
    assertThat(page.locator(".entry")).hasCount(2);
    say(page, "still there?");
    assertThat(Browsing.answers(page).last()).hasText("echo still there?");
    browsing.forgive("ERR_INTERNET_DISCONNECTED");
    browsing.forgive("fetching the script"); // of the service worker
  }

  @Test
  void aServerThatIsGoneIsLikeNoConnection() {
    LiveServer server = new LiveServer(browsing.store);
    BrowserContext context = browsing.stranger(Browsing.desktop());
    Page page = context.newPage();
    page.navigate(server.server().signInLink());
    assertThat(page.locator("#message")).isVisible();
    keeps(page);
    browsing.forgive("asked another host: " + server.server().url());
    server.close();
    page.reload();
    assertThat(page.locator(".offline")).containsText("The server cannot be reached");
    browsing.forgive("ERR_CONNECTION_REFUSED");
  }

  @Test
  void nothingThatIsSomebodysIsKept() {
    BrowserContext context = browsing.person(Browsing.desktop());
    Page page = browsing.open(context, "/#/s/secret");
    assertThat(page.locator(".entry").first()).isVisible();
    keeps(page);
    page.reload();
    say(page, "one more secret");
    page.keyboard().press("Control+k");
    page.keyboard().type("secret");
    assertThat(page.locator(".palette .found").first()).isVisible();
    List<?> kept =
        (List<?>)
            page.evaluate(
                "async () => { const all = [];"
                    + " for (const name of await caches.keys()) {"
                    + "   const cache = await caches.open(name);"
                    + "   for (const request of await cache.keys()) {"
                    + "     const text = await (await cache.match(request)).text();"
                    + "     all.push(new URL(request.url).pathname"
                    + "       + (/secret (question|answer)|of Ann|more secret|\"ann\"/.test(text) ? ' LEAK' : ''));"
                    + "   } } return all; }");
    Assertions.assertThat(kept).hasSizeGreaterThan(40);
    for (Object one : kept) {
      Assertions.assertThat(String.valueOf(one)).matches("/shell|/assets/[0-9a-f]{16}/[\\w./-]+");
    }
  }

  /** The server as it will be: its script is that of another version as soon as it is updated. */
  private static final class Updated implements HttpHandler, AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpServer server;
    private final String digest;
    private volatile boolean updated;

    Updated(String digest) throws IOException {
      this.digest = digest;
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", this);
      server.setExecutor(Executors.newCachedThreadPool());
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(browsing.url() + exchange.getRequestURI()));
      String cookie = exchange.getRequestHeaders().getFirst("Cookie");
      if (cookie != null) {
        request.header("Cookie", cookie);
      }
      try (exchange) {
        HttpResponse<byte[]> answer =
            http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        byte[] body = answer.body();
        for (String name : List.of("Content-Type", "Content-Security-Policy")) {
          answer
              .headers()
              .firstValue(name)
              .ifPresent(v -> exchange.getResponseHeaders().set(name, v));
        }
        if (updated && exchange.getRequestURI().getPath().equals("/service-worker.js")) {
          String script = new String(body, StandardCharsets.UTF_8);
          body =
              script
                  .replace("'" + digest + "'", "'feedfeedfeedfeed'")
                  .getBytes(StandardCharsets.UTF_8);
        }
        exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  @Test
  void aNewVersionTakesThePlaceOfTheOldOne_andTheWindowSaysSo() throws IOException {
    Matcher script =
        Pattern.compile("VERSION = '(\\w+)'")
            .matcher(browsing.live.send("GET", "/service-worker.js", "").body());
    Assertions.assertThat(script.find()).isTrue();
    String digest = script.group(1);
    try (Updated server = new Updated(digest)) {
      browsing.forgive("asked another host: " + server.url());
      Page page = browsing.person(Browsing.desktop()).newPage();
      page.navigate(server.url());
      assertThat(row(page, "A secret of Ann")).isVisible();
      keeps(page);
      Assertions.assertThat(page.evaluate("() => caches.keys()"))
          .isEqualTo(List.of("clew-" + digest));
      assertThat(page.locator(".toast")).hasCount(0);
      server.updated = true;
      page.evaluate(
          "() => document.dispatchEvent(new Event('visibilitychange'))"); // who comes back
      assertThat(page.locator(".toast")).containsText("A new version of this page is available");
      page.waitForCondition(
          () -> page.evaluate("() => caches.keys()").equals(List.of("clew-feedfeedfeedfeed")));
      page.locator(".toast button").click();
      assertThat(row(page, "A secret of Ann")).isVisible();
      assertThat(page.locator(".toast")).hasCount(0);
    }
  }

  @Test
  void whatTheBrowserDrawsAroundThePageHasItsColours() {
    Page page =
        browsing.open(browsing.person(Browsing.desktop().setColorScheme(ColorScheme.DARK)), "/");
    Assertions.assertThat(themeColour(page)).isEqualTo("#1b1a18");
    Browsing.settings(page).locator("select").first().selectOption("light");
    Assertions.assertThat(themeColour(page)).isEqualTo("#fcfbf9");
    page.reload();
    assertThat(page.locator("#message")).isVisible();
    Assertions.assertThat(themeColour(page)).isEqualTo("#fcfbf9");
    Browsing.settings(page).locator("select").first().selectOption("asSystem");
    Assertions.assertThat(themeColour(page)).isEqualTo("#1b1a18");
    Object icon =
        page.evaluate(
            "async () => { const icon = new Image();"
                + " icon.src = document.querySelector('link[rel=apple-touch-icon]').href;"
                + " await icon.decode(); return [icon.naturalWidth, icon.naturalHeight]; }");
    Assertions.assertThat(icon).isEqualTo(List.of(180, 180));
  }

  private static Object themeColour(Page page) {
    return page.evaluate(
        "() => [...document.querySelectorAll('meta[name=theme-color]')]"
            + ".find(meta => matchMedia(meta.media).matches).content");
  }
}
