package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.LiveServer;
import dev.clew.tck.TestClock;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a link shows, and how it ends. */
class SharesTest {
  private final TestClock clock = new TestClock(Instant.now());
  private final MemoryStore store = MemoryStore.builder().clock(clock).build();
  private final LiveServer live = new LiveServer(store, settings -> settings.clock(clock));
  private final Caller ann = new Caller(live, "ann");

  @AfterEach
  void close() {
    live.close();
    store.close();
  }

  private String link(String fields, String... headers) {
    store
        .session(new SessionKey("ann", "s"))
        .addItems(List.of(Item.user("**as typed**"), Item.assistant(ANSWER)));
    return ann.post("/api/sessions/s/shares", fields, headers).is(200).text("path");
  }

  private static final String ANSWER =
      """
      # Head

      - [x] a **bold** one

      | a | b |
      |---|---|
      | 1 | 2 |

      ```java
      int x = 1 < 2;
      ```

      <script>alert(1)</script> <img src=x onerror=alert(1)>
      [bad](javascript:alert(1)) [here](/sign-out) [good](https://example.org/a?b&c) ![cat](https://evil.example/c.png)
      """;

  private HttpResponse<String> opened(String path) {
    return live.send("GET", path, "", "Accept", "text/html,*/*", "Accept-Language", "de-AT, en");
  }

  @Test
  void anAnswerIsRendered_andNothingInItRunsOrLoads() {
    HttpResponse<String> page = opened(link("", "Accept-Language", "zh-CN,zh;q=0.9"));
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body())
        .contains("<html lang=\"zh\">", "<main>", "助手", "**as typed**")
        .contains("<h3 class=\"level1\">Head</h3>", "<strong>bold</strong>", "<td>1</td>")
        .contains("<span class=\"language\">java</span>", "int x = 1 &lt; 2;")
        .contains("href=\"https://example.org/a?b&amp;c\"", "cat (evil.example)</a>")
        .contains("&lt;script&gt;")
        .doesNotContain("<script", "<img", "javascript:", "/sign-out", "onerror=alert(1)>");
    assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
        .contains("default-src 'none'", "sandbox");
  }

  @Test
  void whatIsNestedTooDeepIsText() {
    store
        .session(new SessionKey("ann", "s"))
        .addItems(List.of(Item.assistant(">".repeat(100_000) + "a " + "*a ".repeat(50_000))));
    assertThat(opened(link("")).body()).contains("<p class=\"plain\">&gt;&gt;");
  }

  @Test
  void aLinkEndsByItself() {
    String path = link("{\"expires_in_seconds\":3600}");
    Answer listed = ann.get("/api/shares").is(200);
    assertThat(String.valueOf(listed.data().get(0).get("expires_at"))).endsWith("Z");
    assertThat(opened(path).statusCode()).isEqualTo(200);
    clock.advance(Duration.ofMinutes(61));
    assertThat(opened(path).statusCode()).isEqualTo(404);
    assertThat(ann.get("/api/shares").is(200).data()).isEmpty();
    ann.post("/api/sessions/s/shares", "{\"expires_in_seconds\":0}").refused(400, "invalid_value");
  }

  @Test
  void aLinkThatHasEndedIsAPageForAPerson_andJsonForAProgram() {
    HttpResponse<String> page = opened("/shared/nothing");
    assertThat(page.statusCode()).isEqualTo(404);
    assertThat(page.headers().firstValue("content-type").orElseThrow()).startsWith("text/html");
    assertThat(page.body()).contains("<html lang=\"de\">", "nicht mehr gültig");
    assertThat(live.send("GET", "/shared/nothing", "").body()).contains("share_not_found");
  }
}
