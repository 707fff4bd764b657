package dev.clew.server.internal.page;

import dev.clew.server.internal.page.Assets.Asset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Collectors;

/**
 * The two documents a browser may be given at {@code /}: the page, and where one signs in.
 * Thread-safe.
 */
final class PageDocuments {
  /* Nothing is allowed but what comes from here. The import map stands in the document, so it is
   * allowed by its digest. Trusted types are made by the two libraries that check what they make. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'%s; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types lit-html dompurify";

  private final Assets assets;
  private final String importMap;
  private final String page;
  private final String signIn;

  PageDocuments(Assets assets) {
    this.assets = assets;
    this.importMap = importMap();
    this.page = fill(Assets.text("/web/page.html"));
    this.signIn = fill(Assets.text("/web/sign-in.html"));
  }

  String page(String language) {
    return page.replace("{{language}}", language);
  }

  /**
   * Where one signs in.
   *
   * @param state why one is there: asked, refused, or by a link that was used before
   */
  String signIn(String language, String state) {
    return signIn.replace("{{language}}", language).replace("{{state}}", state);
  }

  /** What a browser lets the page do. */
  String pagePolicy() {
    byte[] digest = Assets.sha256(importMap.getBytes(StandardCharsets.UTF_8));
    return POLICY.formatted(" 'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
  }

  /** What it lets the other one do, which has no scripts. */
  static String signInPolicy() {
    return "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';"
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

  /** So that the browser asks for all of them at once, not for one after the other. */
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
