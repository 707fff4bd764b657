package dev.clew.server.internal.page;

import dev.clew.SessionKey;
import dev.clew.demo.OfflineModel;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.auth.Cookies;
import dev.clew.server.internal.auth.Gate;
import dev.clew.server.internal.auth.SignIn;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Language;
import dev.clew.server.internal.http.Principal;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.library.Library;
import dev.clew.server.internal.page.Assets.Asset;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.PriceSettings;
import dev.clew.server.settings.ServerSettings;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;
import org.jspecify.annotations.Nullable;

/** The page, its files, sign-in and sign-out. Thread-safe. */
public final class PageApi {
  private static final String FOR_EVER = "public, max-age=31536000, immutable";

  private final Gate gate;
  private final Tokens tokens;
  private final Cookies cookies;
  private final SignIn link;
  private final ServerSettings settings;
  private final Library library;
  private @Nullable Files files;

  private record Files(Assets assets, PageDocuments documents) {}

  public PageApi(
      Gate gate,
      Tokens tokens,
      Cookies cookies,
      SignIn link,
      ServerSettings settings,
      Library library) {
    this.gate = gate;
    this.tokens = tokens;
    this.cookies = cookies;
    this.link = link;
    this.settings = settings;
    this.library = library;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/", Scope.OPEN, "The page, or the sign-in form.", this::document),
        Route.get("/shell", Scope.OPEN, "The page, for a browser to keep.", this::shell),
        Route.get(
            "/service-worker.js",
            Scope.OPEN,
            "The script that opens the page without a connection.",
            this::serviceWorker),
        Route.get("/assets/{digest}/<name>", Scope.OPEN, "A file of the page.", this::asset),
        Route.get("/favicon.ico", Scope.OPEN, "The icon of the page.", this::sign),
        Route.get(
            "/sign-in", Scope.OPEN, "Signs in with the link printed at startup.", this::enter),
        Route.post("/sign-in", Scope.OPEN, "Signs in with a token.", this::signIn),
        Route.post("/sign-out", Scope.OPEN, "Signs out.", this::signOut),
        Route.get("/api/me", Scope.READ, "Returns the caller and the models.", this::me));
  }

  /** Loaded on the first visit, so that a server can start without the page. */
  private synchronized Files files() {
    if (files == null) {
      Assets assets = Assets.load();
      files = new Files(assets, new PageDocuments(assets));
    }
    return files;
  }

  private void document(Call call) {
    if (isSignedIn(call)) {
      shell(call);
    } else {
      askToSignIn(call, 200, "asked");
    }
  }

  /** The page is the same for everybody: whose it is, it asks for. */
  private void shell(Call call) {
    PageDocuments documents = files().documents();
    html(call, 200, documents.page(Language.of(call).code()), documents.pagePolicy());
  }

  private void serviceWorker(Call call) {
    call.answerHeader("Cache-Control", "no-cache");
    call.reply(200, "text/javascript; charset=utf-8", files().documents().serviceWorker());
  }

  private boolean isSignedIn(Call call) {
    try {
      return gate.identify(Scope.READ, null, call.cookie(Cookies.NAME), call.address())
          .may(Scope.READ);
    } catch (Problem e) {
      return false;
    }
  }

  private void askToSignIn(Call call, int status, String state) {
    String html = files().documents().signIn(Language.of(call).code(), state);
    html(call, status, html, PageDocuments.signInPolicy());
  }

  private static void html(Call call, int status, String html, String policy) {
    call.answerHeader("Content-Security-Policy", policy);
    call.answerHeader("Cache-Control", "no-store");
    call.answerHeader("Referrer-Policy", "same-origin");
    call.answerHeader("Cross-Origin-Opener-Policy", "same-origin");
    call.reply(status, "text/html; charset=utf-8", html);
  }

  private void asset(Call call) {
    Assets assets = files().assets();
    Optional<Asset> found =
        call.path("digest").equals(assets.digest())
            ? assets.find(call.path("name"))
            : Optional.empty();
    Asset asset =
        found.orElseThrow(() -> Problem.notFound("There is no such file; reload the page."));
    String tag = "\"" + assets.digest() + "\"";
    call.answerHeader("ETag", tag);
    call.answerHeader("Cache-Control", FOR_EVER);
    call.answerHeader("Vary", "Accept-Encoding");
    if (call.header("If-None-Match").filter(tag::equals).isPresent()) {
      call.replyEmpty(304);
      return;
    }
    boolean zip = call.header("Accept-Encoding").orElse("").contains("gzip");
    if (zip) {
      call.answerHeader("Content-Encoding", "gzip");
    }
    call.reply(200, asset.type(), asset.bytes(zip));
  }

  /** The icon for answers without a document, such as JSON or an image. */
  private void sign(Call call) {
    Asset sign = files().assets().find("page/clew.svg").orElseThrow();
    call.answerHeader("Cache-Control", "public, max-age=86400");
    call.reply(200, sign.type(), sign.bytes(false));
  }

  private void enter(Call call) {
    if (call.isHead()) { // a preview of the link must not use it up
      askToSignIn(call, 200, "asked");
    } else if (link.take(call.query("code").orElse(""))) {
      call.signedIn(Cookies.ownerOfThePage(SessionKey.DEFAULT_OWNER));
      give(call, cookies.forOwner(SessionKey.DEFAULT_OWNER));
      seeOther(call);
    } else if (isSignedIn(call)) {
      seeOther(call); // they used this link before
    } else {
      gate.refuseAfterTooMany(call.address());
      askToSignIn(call, 401, "used");
    }
  }

  private void signIn(Call call) {
    String token = call.formField("token").orElse("").strip();
    Optional<Principal> who =
        tokens.verify(token).map(Principal::of).filter(one -> one.may(Scope.READ));
    if (who.isEmpty()) {
      gate.refuseAfterTooMany(call.address());
      askToSignIn(call, 401, "refused");
      return;
    }
    call.signedIn(who.get());
    give(call, cookies.forToken(token));
    seeOther(call);
  }

  private void signOut(Call call) {
    Optional.ofNullable(call.cookie(Cookies.NAME)).ifPresent(cookies::signOut);
    call.setCookie(HttpCookie.build(Cookies.NAME, "").path("/").maxAge(0).build());
    seeOther(call);
  }

  private static void seeOther(Call call) {
    call.answerHeader("Location", "/");
    call.replyEmpty(303);
  }

  /** Sets a cookie that scripts and other pages cannot access. */
  private void give(Call call, String value) {
    call.setCookie(
        HttpCookie.build(Cookies.NAME, value)
            .path("/")
            .httpOnly(true)
            .secure(settings.behindHttps())
            .sameSite(HttpCookie.SameSite.STRICT)
            .maxAge(Cookies.LIFE.toSeconds())
            .build());
  }

  private void me(Call call) {
    List<String> scopes = call.principal().scopes().stream().map(Scope::word).sorted().toList();
    JsonObject me =
        new JsonObject()
            .put("owner", call.owner())
            .put("scopes", scopes)
            .put("model", settings.models().choices().get(0))
            .put("models", settings.models().choices())
            .put("offline", settings.models().first() instanceof OfflineModel)
            .put("context_tokens", settings.turns().contextTokens())
            .put("projects", library.projects().all(call.owner()).size());
    PriceSettings prices = settings.prices();
    if (!prices.isEmpty()) {
      JsonObject models = new JsonObject();
      prices
          .models()
          .forEach(
              (model, price) ->
                  models.raw(
                      model,
                      new JsonObject()
                          .raw("input", price.input().toPlainString())
                          .raw("cached_input", price.cachedInput().toPlainString())
                          .raw("output", price.output().toPlainString())
                          .toString()));
      me.put("prices", new JsonObject().put("currency", prices.currency()).put("models", models));
    }
    call.principal().tokenId().ifPresent(id -> me.put("token_id", id));
    if (settings.adminReads() && call.principal().may(Scope.ADMIN)) {
      me.put("reads_others", true);
    }
    call.reply(me);
  }
}
