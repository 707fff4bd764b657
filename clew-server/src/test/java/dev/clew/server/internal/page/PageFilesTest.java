package dev.clew.server.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.agent.Agent;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import dev.clew.demo.ScheduleAssistant;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.LiveServer;
import dev.clew.server.operate.Scope;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a browser is given at {@code /}, and how it signs in and out. */
class PageFilesTest {
  private static final Path WEB = Path.of("src/main/resources/web");
  private static final MemoryStore STORE = MemoryStore.builder().build();
  private static LiveServer live;
  private static String cookie;

  @BeforeAll
  static void start() {
    live = new LiveServer(STORE);
    cookie = cookieOf(signIn(live.token("ann")));
  }

  @AfterAll
  static void stop() {
    live.close();
    STORE.close();
  }

  private static HttpResponse<String> signIn(String token) {
    return live.send(
        "POST",
        "/sign-in",
        "token=" + URLEncoder.encode(token, StandardCharsets.UTF_8),
        "Content-Type",
        "application/x-www-form-urlencoded");
  }

  private static String cookieOf(HttpResponse<?> answer) {
    String cookie = answer.headers().firstValue("set-cookie").orElseThrow();
    return cookie.substring(0, cookie.indexOf(';'));
  }

  private static HttpResponse<String> get(String path, String... headers) {
    return live.send("GET", path, "", headers);
  }

  @Test
  void whateverIsShownHasASign_andThePageCanBeInstalled() {
    HttpResponse<String> sign = get("/favicon.ico");
    assertThat(sign.statusCode()).isEqualTo(200);
    assertThat(sign.headers().firstValue("content-type").orElseThrow()).startsWith("image/svg+xml");
    assertThat(sign.body()).startsWith("<svg");
    String path =
        assets().stream().filter(one -> one.endsWith(".webmanifest")).findFirst().orElseThrow();
    HttpResponse<String> manifest = get(path);
    assertThat(manifest.headers().firstValue("content-type").orElseThrow())
        .startsWith("application/manifest+json");
    Map<String, Object> fields = Json.readObject(manifest.body());
    assertThat(fields).containsEntry("start_url", "/").containsEntry("display", "standalone");
    Map<?, ?> icon = (Map<?, ?>) ((List<?>) fields.get("icons")).get(0);
    String icons = path.substring(0, path.lastIndexOf('/') + 1) + icon.get("src");
    assertThat(get(icons).statusCode()).isEqualTo(200);
  }

  @Test
  void theWorkerKnowsTheFilesOfTheVersion_andTheShellIsNobodys() {
    HttpResponse<String> worker = get("/service-worker.js");
    assertThat(worker.headers().firstValue("content-type").orElseThrow())
        .startsWith("text/javascript");
    assertThat(worker.headers().firstValue("cache-control")).hasValue("no-cache");
    List<String> kept =
        Pattern.compile("\"(/assets/[^\"]+)\"")
            .matcher(worker.body())
            .results()
            .map(found -> found.group(1))
            .toList();
    String digest = kept.get(0).split("/", -1)[2];
    assertThat(worker.body()).contains("VERSION = '" + digest + "'");
    assertThat(assets()).contains(kept.toArray(String[]::new));
    assertThat(get("/shell").body())
        .isEqualTo(page())
        .isEqualTo(get("/shell", "Cookie", cookie).body());
    assertThat(get("/shell").headers().firstValue("content-security-policy"))
        .isEqualTo(get("/", "Cookie", cookie).headers().firstValue("content-security-policy"));
  }

  @Test
  void behindHttpsTheCookieIsSentByThatOnly() {
    assertThat(signIn(live.token("ann")).headers().firstValue("set-cookie").orElseThrow())
        .doesNotContain("Secure");
    try (LiveServer server = new LiveServer(STORE, settings -> settings.behindHttps(true))) {
      String body = "token=" + URLEncoder.encode(server.token("ann"), StandardCharsets.UTF_8);
      String type = "application/x-www-form-urlencoded";
      assertThat(server.send("POST", "/sign-in", body, "Content-Type", type).headers().map())
          .extractingByKey("set-cookie")
          .asString()
          .contains("Secure");
    }
  }

  @Test
  void nobodyMayPutThePageIntoAFrame() {
    for (HttpResponse<String> answer : List.of(get("/", "Cookie", cookie), get("/"))) {
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
          .contains("frame-ancestors 'none'")
          .doesNotContain("unsafe");
    }
  }

  private static String page() {
    return get("/", "Cookie", cookie).body();
  }

  private static List<String> assets() {
    Matcher paths = Pattern.compile("\"(/assets/[^\"]+)\"").matcher(page());
    List<String> found = new ArrayList<>();
    while (paths.find()) {
      found.add(paths.group(1));
    }
    return found.stream().distinct().toList();
  }

  @Test
  void whoIsNotSignedInIsAskedForAToken_inTheLanguageOfTheBrowser() {
    HttpResponse<String> asked = get("/", "Accept-Language", "fr, zh-CN;q=0.9, en;q=0.8");
    assertThat(asked.statusCode()).isEqualTo(200);
    assertThat(asked.body()).contains("<html lang=\"zh\">").contains("name=\"token\"");
    assertThat(asked.body()).contains("class=\"sign-in asked\"");
    assertThat(asked.body().split("<script", -1)).hasSize(3); // looks, and the way back
    assertThat(asked.body()).doesNotContain("<script>");
    assertThat(asked.headers().firstValue("content-security-policy").orElseThrow())
        .contains("script-src 'self';");
    assertThat(get("/").body()).contains("<html lang=\"en\">");
  }

  @Test
  void aTokenIsExchangedForACookieThatScriptsDoNotGet() {
    HttpResponse<String> answer = signIn("  " + live.token("ann") + "\n");
    assertThat(answer.statusCode()).isEqualTo(303);
    assertThat(answer.headers().firstValue("location")).hasValue("/");
    assertThat(answer.headers().firstValue("set-cookie").orElseThrow())
        .contains("HttpOnly")
        .contains("SameSite=Strict");
    assertThat(get("/", "Cookie", cookieOf(answer)).body()).contains("<clew-page>");
    assertThat(get("/api/me", "Cookie", cookieOf(answer)).body()).contains("\"owner\":\"ann\"");
  }

  @Test
  void aTokenThatIsNotKnownIsRefused() {
    HttpResponse<String> refused = signIn("clew_forged");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("class=\"sign-in refused\"");
    assertThat(refused.headers().firstValue("set-cookie")).isEmpty();
    assertThat(signIn("").statusCode()).isEqualTo(401);
  }

  @Test
  void theCookieIsWorthWhatTheTokenIsWorth_andNothingWhenThatIsRevoked() {
    var reader =
        live.server()
            .tokens()
            .create("bob", "reader", Set.of(dev.clew.server.operate.Scope.READ), Optional.empty());
    String readers = cookieOf(signIn(reader.secret()));
    assertThat(get("/api/sessions", "Cookie", readers).statusCode()).isEqualTo(200);
    assertThat(
            live.send("POST", "/api/chat", "{\"message\":\"x\"}", "Cookie", readers).statusCode())
        .isEqualTo(403);
    assertThat(live.server().tokens().revoke(reader.token().id())).isTrue();
    assertThat(get("/api/sessions", "Cookie", readers).statusCode()).isEqualTo(401);
    assertThat(get("/", "Cookie", readers).body()).contains("name=\"token\"");
  }

  @Test
  void aPageOfAnotherOriginCannotSignSomebodyInOrOut() {
    String token = live.server().tokens().create("eve", "x", Scope.OWN, Optional.empty()).secret();
    for (String path : List.of("/sign-in", "/sign-out")) {
      HttpResponse<String> answer =
          live.send("POST", path, "token=" + token, "Origin", "https://evil.example");
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.headers().firstValue("set-cookie")).isEmpty();
    }
  }

  @Test
  void aLinkThatWasUsedSaysSo_unlessOneIsSignedIn() {
    HttpResponse<String> used = get("/sign-in?code=used");
    assertThat(used.statusCode()).isEqualTo(401);
    assertThat(used.body()).contains("class=\"sign-in used\"");
    assertThat(get("/sign-in?code=used", "Cookie", cookie).statusCode()).isEqualTo(303);
  }

  @Test
  void signingOutTakesTheCookieAway_andMakesItWorthNothing() {
    String token = live.token("ann");
    String mine = cookieOf(signIn(token));
    String elsewhere = cookieOf(signIn(token));
    assertThat(get("/api/me", "Cookie", mine).statusCode()).isEqualTo(200);
    HttpResponse<String> out = live.send("POST", "/sign-out", "", "Cookie", mine);
    assertThat(get("/api/me", "Cookie", mine).statusCode()).isEqualTo(401);
    assertThat(get("/api/me", "Cookie", elsewhere).statusCode()).isEqualTo(200);
    for (String same : otherTextsOfTheSameBytes(mine)) {
      assertThat(get("/api/me", "Cookie", same).statusCode()).as(same).isEqualTo(401);
    }
    assertThat(out.statusCode()).isEqualTo(303);
    assertThat(out.headers().firstValue("set-cookie").orElseThrow())
        .contains("clew=;")
        .contains("1970");
  }

  /** What a lenient reader of Base64 takes for the same cookie. */
  private static List<String> otherTextsOfTheSameBytes(String cookie) {
    List<String> texts = new ArrayList<>();
    texts.add(cookie + "=");
    String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    int last = digits.indexOf(cookie.charAt(cookie.length() - 1));
    for (int i = 1; i < 4; i++) {
      texts.add(cookie.substring(0, cookie.length() - 1) + digits.charAt((last & ~3) + i));
    }
    return texts;
  }

  @Test
  void meTellsWhoCallsAndWhatAnswers() {
    assertThat(get("/api/me", "Cookie", cookie).body())
        .startsWith(
            "{\"owner\":\"ann\",\"scopes\":[\"read\",\"write\"],\"model\":\"offline\","
                + "\"models\":[\"offline\"],\"offline\":true,\"context_tokens\":128000,"
                + "\"projects\":0,\"token_id\":\"");
  }

  @Test
  void thePageMayDoNothingButWhatItNeeds() {
    String policy =
        get("/", "Cookie", cookie).headers().firstValue("content-security-policy").orElseThrow();
    assertThat(policy)
        .startsWith("default-src 'none'; script-src 'self' 'sha256-")
        .contains("require-trusted-types-for 'script'")
        .doesNotContain("unsafe")
        .doesNotContain("http");
  }

  @Test
  void filesAreKeptForEver_compressed_andChangeTheirAddressWithTheirContent() throws Exception {
    assertThat(assets()).hasSizeGreaterThan(30);
    HttpClient http = HttpClient.newHttpClient();
    long onTheWire = 0;
    for (String path : assets()) {
      HttpResponse<byte[]> zipped =
          http.send(
              HttpRequest.newBuilder(URI.create(live.server().url() + path))
                  .header("Accept-Encoding", "gzip, br")
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(zipped.statusCode()).as(path).isEqualTo(200);
      assertThat(zipped.headers().firstValue("cache-control").orElseThrow()).contains("immutable");
      assertThat(zipped.headers().firstValue("content-encoding")).hasValue("gzip");
      String whole = get(path).body();
      assertThat(whole).isEqualTo(unzip(zipped.body()));
      String tag = zipped.headers().firstValue("etag").orElseThrow();
      assertThat(get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
      onTheWire += zipped.body().length;
    }
    assertThat(onTheWire).isLessThan(350 << 10);
  }

  private static String unzip(byte[] bytes) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void noPathOfARequestIsTheNameOfAFile() {
    String main =
        assets().stream().filter(path -> path.endsWith("/main.js")).findFirst().orElseThrow();
    String base = main.substring(0, main.indexOf("/page/") + 1);
    for (String name :
        List.of(
            "files.txt",
            "page.html",
            "..%2ffiles.txt",
            "page%2F..%2F..%2Ffiles.txt",
            "%2e%2e/%2e%2e/META-INF/MANIFEST.MF",
            "page/",
            "page/main.js%00.css",
            "page\\main.js".replace("\\", "%5C"))) {
      assertThat(get(base + name).statusCode()).as(name).isNotEqualTo(200);
    }
    assertThat(get("/assets/0000000000000000/page/main.js").statusCode()).isEqualTo(404);
  }

  @Test
  void everyFileIsListed_andNoFileAsksAnotherHost() throws IOException {
    String listed = Files.readString(WEB.resolve("files.txt"));
    try (Stream<Path> files = Files.list(WEB.resolve("page"))) {
      for (Path file : files.toList()) {
        assertThat(listed).contains(" page/" + file.getFileName() + "\n");
        String text = Files.readString(file, StandardCharsets.ISO_8859_1); // one is an image
        assertThat(text.replace("http://www.w3.org/2000/svg", ""))
            .as(file.toString())
            .doesNotContain("://")
            .doesNotContain("innerHTML");
      }
    }
  }

  @Test
  void allLanguagesSayTheSameThings_andNothingIsSaidThatHasNoWords() throws IOException {
    Set<String> english = words("words.en.js");
    Set<String> more = words("words-more.en.js");
    assertThat(english).doesNotContainAnyElementsOf(more);
    for (String other : List.of("de", "es", "zh")) {
      assertThat(words("words." + other + ".js")).as(other).isEqualTo(english);
      assertThat(words("words-more." + other + ".js")).as(other).isEqualTo(more);
    }
    english.addAll(more);
    Set<String> said = new TreeSet<>();
    Pattern use = Pattern.compile("say\\('(\\w+)'|'(key\\w+|try\\w+|tool[A-Z]\\w+)'");
    try (Stream<Path> files = Files.list(WEB.resolve("page"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".js")).toList()) {
        Matcher matcher = use.matcher(Files.readString(file));
        while (matcher.find()) {
          said.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
      }
    }
    said.removeAll(Set.of("keydown"));
    assertThat(english).containsAll(said);
  }

  @Test
  void whatTheWelcomeSuggestsTheOfflineModelDoes_inEveryLanguage() throws IOException {
    Clock now = Clock.fixed(Instant.parse("2026-03-04T10:00:00Z"), ZoneOffset.UTC);
    Agent agent = ScheduleAssistant.agent(now, ZoneOffset.UTC);
    for (String language : List.of("en", "de", "es", "zh")) {
      Matcher tries =
          Pattern.compile("(?m)^  try\\w+: '(.+)',$")
              .matcher(Files.readString(WEB.resolve("page/words." + language + ".js")));
      int count = 0;
      try (MemoryStore store = new MemoryStore()) {
        while (tries.find()) {
          String said = tries.group(1);
          RunResult result =
              Runner.with(new OfflineModel()).run(agent, said, store.session("s" + count++));
          assertThat(result.newItems())
              .as(said + " – " + result.finalOutput())
              .anyMatch(item -> item.type().equals("function_call"));
        }
      }
      assertThat(count).as(language).isEqualTo(3);
    }
  }

  private static Set<String> words(String file) throws IOException {
    Matcher keys =
        Pattern.compile("(?m)^  (\\w+):").matcher(Files.readString(WEB.resolve("page/" + file)));
    Set<String> found = new TreeSet<>();
    while (keys.find()) {
      found.add(keys.group(1));
    }
    return found;
  }
}
