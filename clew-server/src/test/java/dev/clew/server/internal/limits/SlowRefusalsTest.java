package dev.clew.server.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import dev.clew.server.settings.LimitSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers who ask again as soon as they are refused. */
@Tag("hostile")
class SlowRefusalsTest {
  private static final String PATH = "/api/sessions";

  private final AtomicLong nanos = new AtomicLong();
  private final SlowRefusals refusals = new SlowRefusals(nanos::get);

  private void refuse(String who, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(refusals.begin(who)).as("refusal %d waits", i).isFalse();
    }
  }

  @Test
  void theFirstRefusalsAreAnsweredAtOnce_furtherOnesWait_thoseOfOthersDoNot() {
    refuse("bob", SlowRefusals.PROMPT);
    assertThat(refusals.begin("bob")).isTrue();
    refuse("ann", SlowRefusals.PROMPT);
  }

  @Test
  void whoComesAgainLaterIsAnsweredAtOnce() {
    refuse("bob", SlowRefusals.PROMPT);
    for (int i = 0; i < 10; i++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1)); // as Retry-After says
      refuse("bob", 1);
    }
  }

  @Test
  void soManyWaitAtMost_andEachThatEndsMakesRoom() {
    refuse("bob", SlowRefusals.PROMPT);
    for (int i = 0; i < SlowRefusals.MOST_WAITING; i++) {
      assertThat(refusals.begin("bob")).isTrue();
    }
    assertThat(refusals.begin("bob")).isFalse();
    assertThat(refusals.waiting()).isEqualTo(SlowRefusals.MOST_WAITING);
    refusals.end("bob");
    assertThat(refusals.begin("bob")).isTrue();
  }

  @Test
  void aRefusalThatWaitedIsWholeAndItsConnectionGoesOn() throws Exception {
    try (MemoryStore store = new MemoryStore();
        LiveServer live =
            new LiveServer(
                store, settings -> settings.limits(LimitSettings.DEFAULT.requestsPerMinute(1)))) {
      String token = live.token("bob");
      HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      long begun = System.nanoTime();
      List<CompletableFuture<HttpResponse<String>>> refused = new ArrayList<>();
      send(client, live, token).join(); // the one that the limit allows
      for (int i = 0; i < 3 * SlowRefusals.PROMPT; i++) {
        refused.add(send(client, live, token));
      }
      new Caller(live, "ann").get(PATH).is(200);
      for (CompletableFuture<HttpResponse<String>> one : refused) {
        HttpResponse<String> answer = one.join();
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.body()).contains("rate_limit_exceeded");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
      }
      assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(SlowRefusals.DELAY.toNanos());
      assertThat(send(client, live, token).join().statusCode()).isEqualTo(429);
    }
  }

  private static CompletableFuture<HttpResponse<String>> send(
      HttpClient client, LiveServer live, String token) {
    return client.sendAsync(
        HttpRequest.newBuilder(URI.create(live.server().url() + PATH))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
