package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.demo.OfflineModel;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Images and files that are part of a message. */
class AttachmentsTest {
  private static final ScriptedModel MODEL = new ScriptedModel();
  private static final String PIXEL =
      "data:image/png;base64,"
          + "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
          + "rkJggg==";
  private static final String FILE = "data:text/html;base64,PGI+aGk8L2I+";

  private static SessionStore store;
  private static LiveServer live;
  private static Caller ann;

  @BeforeAll
  static void start() {
    store = Stores.open("memory:");
    live =
        new LiveServer(
            store, settings -> settings.model(MODEL, "m").andModel(new OfflineModel(), "offline"));
    ann = new Caller(live, "ann");
  }

  @AfterAll
  static void stop() {
    live.close();
    store.close();
  }

  private static Map<String, Object> text(String text) {
    return Map.of("type", "input_text", "text", text);
  }

  private static Map<String, Object> image(String url) {
    return Map.of("type", "input_image", "image_url", url);
  }

  private static Map<String, Object> file(String name, String data) {
    return Map.of("type", "input_file", "filename", name, "file_data", data);
  }

  private static Answer say(String session, Object message) {
    return ann.post("/api/chat", Json.write(Map.of("session_id", session, "message", message)));
  }

  @Test
  void theModelIsShownWhatIsAttached_andItIsStoredAsItCame() {
    say("shown", List.of(text("What is this?"), image(PIXEL), file("a b.html", FILE))).is(200);
    List<Part> shown = ((View.Message) MODEL.lastRequest().input().get(0).view()).content();
    assertThat(((Part.Image) shown.get(1)).url()).contains(PIXEL);
    assertThat(((Part.File) shown.get(2)).filename()).contains("a b.html");
    Item stored = store.session(new SessionKey("ann", "shown")).getItems().get(0);
    assertThat(stored.json()).contains(PIXEL, FILE);
    assertThat(ann.get("/api/sessions/shown").text("title")).isEqualTo("What is this?");
  }

  @Test
  void whoWantsLinksGetsLinks_andFetchesThemOneByOne() {
    say("links", List.of(image(PIXEL), file("päper \"x\".html", FILE))).is(200);
    Answer plain = ann.get("/api/sessions/links/items").is(200);
    assertThat(plain.body()).contains(PIXEL);
    Answer light = ann.get("/api/sessions/links/items?files=links").is(200);
    assertThat(light.body()).doesNotContain("data:");
    Map<String, Object> item = Caller.object(light.data().get(0).get("item"));
    List<Map<String, Object>> parts = Caller.objects(item.get("content"));

    Answer picture = ann.get((String) parts.get(0).get("image_url")).is(200);
    assertThat(LiveServer.contentType(picture.response())).startsWith("image/png");
    assertThat(picture.response().headers().firstValue("content-disposition")).contains("inline");

    String link = (String) parts.get(1).get("file_data");
    Answer page = ann.get(link).is(200);
    assertThat(page.body()).isEqualTo("<b>hi</b>");
    assertThat(LiveServer.contentType(page.response())).startsWith("application/octet-stream");
    assertThat(page.response().headers().firstValue("content-security-policy"))
        .contains("default-src 'none'; sandbox");
    assertThat(page.response().headers().firstValue("content-disposition"))
        .contains("attachment; filename*=UTF-8''p%C3%A4per%20%22x%22.html");
    ann.get(link.replaceAll("\\d+$", "7")).refused(404, "file_not_found");
    ann.get("/api/sessions/links/files/x/0").refused(404, "file_not_found");
    new Caller(live, "bob").get(link).refused(404, "session_not_found");
  }

  @Test
  @Timeout(60) // far more than it needs; by a regular expression that tries again it takes for ever
  void aTextThatOnlyLooksLikeADataUrlIsFoundOutAtOnce() {
    for (String end : List.of("", ";base64", "/;,", ";base64;base64 ,")) {
      String hostile = "data:" + "a".repeat(1_000_000) + end;
      store
          .session(new SessionKey("ann", "hostile"))
          .addItems(List.of(Item.parse(Json.write(message(image(hostile))))));
      assertThat(ann.get("/api/sessions/hostile/items?files=links&limit=1").is(200).body())
          .contains(hostile);
    }
  }

  private static Map<String, Object> message(Map<String, Object> part) {
    return Map.of("type", "message", "role", "user", "content", List.of(part));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data:image/png;base64,AAAA|true",
        "data:IMAGE/PNG;charset=x;BASE64,AAAA|true",
        "data:image/png ;base64,AAAA|true",
        "data:image/svg+xml;base64,AAAA|false",
        "data:image/png,AAAA|false",
        "data:image/png;base64 ,AAAA|false",
        "data:;base64,AAAA|false",
        "data:,;base64,AAAA|false",
        "data:|false"
      })
  void anImageThatBrowsersMayShowIsALink(String url, boolean link) {
    SessionKey key = new SessionKey("ann", "kinds");
    store.session(key).addItems(List.of(Item.parse(Json.write(message(image(url))))));
    String body = ann.get("/api/sessions/kinds/items?files=links&limit=1").is(200).body();
    assertThat(body.contains("/api/sessions/kinds/files/")).isEqualTo(link);
    assertThat(body.contains(url)).isNotEqualTo(link);
  }

  @Test
  void liveUpdatesHaveLinksToo() {
    say("live", "begin").is(200);
    try (Caller.Events events = ann.stream("GET", "/api/sessions/live/events?files=links", "")) {
      say("live", List.of(image(PIXEL))).is(200);
      assertThat(events.until("appended").data())
          .contains("/api/sessions/live/files/")
          .doesNotContain("base64");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|message|invalid_value",
        "[{\"type\":\"input_text\",\"text\":\" \"}]|message|invalid_value",
        "7|message|invalid_type",
        "[7]|message[0]|invalid_type",
        "[{\"type\":\"input_audio\"}]|message[0].type|invalid_value",
        "[{\"type\":\"input_text\"}]|message[0].text|missing_required_parameter",
        "[{\"type\":\"input_image\"}]|message[0].image_url|missing_required_parameter",
        "[{\"type\":\"input_image\",\"image_url\":\"data:image/svg+xml;base64,AAAA\"}]"
            + "|message[0].image_url|invalid_value",
        "[{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,%%\"}]"
            + "|message[0].image_url|invalid_value",
        "[{\"type\":\"input_image\",\"image_url\":\"javascript:alert(1)\"}]"
            + "|message[0].image_url|invalid_value",
        "[{\"type\":\"input_file\",\"file_data\":\"/etc/passwd\"}]"
            + "|message[0].file_data|invalid_value",
      })
  void whatIsNoPartOfAMessageIsRefused(String message, String param, String code) {
    Answer refused =
        ann.post("/api/chat", "{\"session_id\":\"no\",\"message\":" + message + "}")
            .refused(400, code);
    assertThat(Caller.object(refused.json().get("error"))).containsEntry("param", param);
    ann.get("/api/sessions/no").refused(404, "session_not_found");
  }

  private static String jpeg(int bytes) {
    return "data:image/jpeg;base64," + Base64.getEncoder().encodeToString(new byte[bytes]);
  }

  @Test
  void severalMebibytesAreTaken_andMoreAreRefusedClearly() {
    say("large", List.of(image(jpeg(3 << 20)))).is(200);
    assertThat(ann.get("/api/sessions/large/items?files=links").is(200).body().length())
        .isLessThan(2_000);
    Answer refused = say("large", List.of(image(jpeg(8 << 20)))).refused(413, "body_too_large");
    assertThat(refused.body()).contains("10485760 bytes");
  }

  @Test
  void responsesTakeThemToo_andTheOfflineModelSaysThatItCannotSee() {
    String input =
        Json.write(List.of(Map.of("role", "user", "content", List.of(text("look"), image(PIXEL)))));
    String id =
        ann.post("/v1/responses", "{\"model\":\"m\",\"input\":" + input + "}").is(200).text("id");
    assertThat(ann.get("/api/sessions/" + id + "/items?files=links").is(200).body())
        .contains("/api/sessions/" + id + "/files/");
    Answer offline =
        ann.post("/v1/responses", "{\"model\":\"offline\",\"input\":" + input + "}").is(200);
    assertThat(offline.body()).contains("I cannot see images");
  }
}
