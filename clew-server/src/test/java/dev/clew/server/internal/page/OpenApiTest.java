package dev.clew.server.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The description of the API, for programs and for people. */
class OpenApiTest {
  private static SessionStore store;
  private static LiveServer live;

  @BeforeAll
  static void start() {
    store = Stores.open("memory:");
    live = new LiveServer(store);
  }

  @AfterAll
  static void stop() {
    live.close();
    store.close();
  }

  @Test
  void everyRouteIsDescribed_andNothingElse() {
    Set<String> routes = new TreeSet<>();
    OpenApi.described(live.routes()).forEach(route -> routes.add(route.toString()));
    assertThat(OpenApi.operations()).isEqualTo(routes);
  }

  @Test
  void aRouteThatIsNotDescribedFailsTheBuild() {
    Route more = Route.get("/api/more", Scope.READ, "More.", call -> {});
    assertThatThrownBy(() -> OpenApi.of(List.of(more)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("GET /api/more");
  }

  @Test
  void everyReferenceLeadsSomewhere_andEverySchemaIsUsed() {
    String document = live.send("GET", "/openapi.json", "").body();
    Map<String, Object> components = Caller.object(Json.readObject(document).get("components"));
    Set<String> referred = new TreeSet<>();
    Matcher reference =
        Pattern.compile("\"#/components/(schemas|parameters)/(\\w+)\"").matcher(document);
    while (reference.find()) {
      referred.add(reference.group(1) + "/" + reference.group(2));
    }
    List<String> there = new ArrayList<>();
    for (String kind : List.of("schemas", "parameters")) {
      Caller.object(components.get(kind)).keySet().forEach(name -> there.add(kind + "/" + name));
    }
    assertThat(referred).containsExactlyInAnyOrderElementsOf(there);
  }

  @Test
  void theDocumentSaysWhatARouteTakesReturnsAndRefuses() {
    HttpResponse<String> response = live.send("GET", "/openapi.json", "");
    Map<String, Object> document = Json.readObject(response.body());
    assertThat(document).containsEntry("openapi", "3.1.0");
    Map<String, Object> paths = Caller.object(document.get("paths"));
    Map<String, Object> chat = Caller.object(Caller.object(paths.get("/api/chat")).get("post"));
    assertThat(chat).containsKeys("summary", "requestBody").containsEntry("x-scope", "write");
    assertThat(Caller.object(chat.get("responses")).keySet())
        .contains("200", "400", "401", "403", "409", "413", "415", "429", "500", "502", "503");
    Map<String, Object> health = Caller.object(Caller.object(paths.get("/healthz")).get("get"));
    assertThat(health).containsEntry("security", List.of());
    assertThat(paths).doesNotContainKey("/conversations");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | application/json | {"status":"ok"}                | true
          200 | application/json | {"status":"ok","more":1}       | false
          200 | application/json | {}                             | false
          200 | application/json | {"status":1}                   | false
          201 | application/json | {"status":"ok"}                | false
          200 | text/html        | {"status":"ok"}                | false
          """)
  void theTestsHoldAnswersAgainstIt(int status, String type, String body, boolean documented) {
    ThrowingCallable check = () -> live.documented().check("GET", "/healthz", status, type, body);
    if (documented) {
      assertThatCode(check).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(check).isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void thePageLoadsNothingFromElsewhereAndRunsNothingInline() {
    HttpResponse<String> page = live.send("GET", "/docs", "");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'")
        .doesNotContain("unsafe", "http");
    assertThat(page.body()).doesNotContain("http:", "https:", "//", "style=", "onload=");
    Matcher script = Pattern.compile("<script(.*?)>(.*?)</script>").matcher(page.body());
    assertThat(script.results().map(found -> found.group(2))).containsExactly("", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"swagger-ui-bundle.js", "swagger-ui.css", "docs.js"})
  void thePageFindsItsFiles(String file) {
    assertThat(live.send("GET", "/docs", "").body()).contains("\"docs/" + file + "\"");
    HttpResponse<String> found = live.send("GET", "/docs/" + file, "");
    assertThat(found.statusCode()).isEqualTo(200);
    assertThat(found.body()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing.js", "api.json", "..%2Fdocs.html", "OpenApi.class"})
  void thePageHasNoOtherFiles(String file) {
    assertThat(live.send("GET", "/docs/" + file, "").statusCode()).isEqualTo(404);
  }
}
