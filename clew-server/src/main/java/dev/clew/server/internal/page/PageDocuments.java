package dev.clew.server.internal.page;

import dev.clew.json.Json;
import dev.clew.server.internal.page.Assets.Asset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Collectors;

/**
 * The two documents at {@code /}, the page and the sign-in form, and the script that opens the page
 * without a connection. Thread-safe.
 */
final class PageDocuments {
  /* Allows only our own files. The import map is inline, so its digest is allowed. Trusted types
   * come from the two libraries that sanitise what they make, and for the service worker. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'%s; style-src 'self'; font-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types lit-html dompurify clew";

  private final Assets assets;
  private final String importMap;
  private final String page;
  private final String signIn;
  private final String serviceWorker;

  PageDocuments(Assets assets) {
    this.assets = assets;
    this.importMap = importMap();
    this.page = fill(Assets.text("/web/page.html"));
    this.signIn = fill(Assets.text("/web/sign-in.html"));
    this.serviceWorker =
        Assets.text("/web/service-worker.js")
            .replace("{{digest}}", assets.digest())
            .replace("{{files}}", firstFiles());
  }

  String page(String language) {
    return page.replace("{{language}}", language);
  }

  /**
   * The sign-in form.
   *
   * @param state why it is shown: asked, refused, or the link was used
   */
  String signIn(String language, String state) {
    return signIn.replace("{{language}}", language).replace("{{state}}", state);
  }

  String serviceWorker() {
    return serviceWorker;
  }

  /** Whatever the page needs at once, as JSON. */
  private String firstFiles() {
    return assets.all().stream()
        .filter(asset -> asset.isFirst() || asset.name().equals("page/appearance.js"))
        .map(asset -> Json.quote(assets.path(asset.name())))
        .collect(Collectors.joining(",\n  ", "[\n  ", ",\n]"));
  }

  String pagePolicy() {
    byte[] digest = Assets.sha256(importMap.getBytes(StandardCharsets.UTF_8));
    return POLICY.formatted(" 'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
  }

  static String signInPolicy() {
    return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        + " form-action 'self';"
        + " base-uri 'none'; frame-ancestors 'none'";
  }

  private String fill(String template) {
    String filled =
        template
            .replace("{{importmap}}", importMap)
            .replace("{{preload}}", preload())
            .replace("{{styles}}", styles());
    for (Asset asset : assets.all()) {
      filled = filled.replace("{{" + asset.name() + "}}", assets.path(asset.name()));
    }
    return filled;
  }

  private String importMap() {
    String map = Assets.text("/web/importmap.json").strip();
    for (Asset asset : assets.all()) {
      map = map.replace("{{" + asset.name() + "}}", assets.path(asset.name()));
    }
    return map;
  }

  /** Lets the browser load all modules at once. */
  private String preload() {
    return assets.all().stream()
        .filter(Asset::isFirstModule)
        .map(asset -> "<link rel=\"modulepreload\" href=\"" + assets.path(asset.name()) + "\">")
        .collect(Collectors.joining("\n"));
  }

  private String styles() {
    return assets.all().stream()
        .filter(Asset::isFirstStyle)
        .map(asset -> "<link rel=\"stylesheet\" href=\"" + assets.path(asset.name()) + "\">")
        .collect(Collectors.joining("\n"));
  }
}
