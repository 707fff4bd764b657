package dev.clew.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.openai.client.okhttp.OpenAIOkHttpClient;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a model does when its server does not, for each of the two APIs. */
abstract class ModelTroubles {
  private static final String KEY = "a-key-that-nobody-may-see";

  private final TestServer server = new TestServer();

  /** The model of that API. */
  abstract Model make(OpenAiBuilder builder);

  /** An answer that says this text, not streamed. */
  abstract String answer(String text);

  /** The events of such an answer. */
  abstract String[] events(String text);

  /** An event with a piece of text. */
  abstract String delta(String text);

  private OpenAiBuilder builder() {
    return OpenAiModels.builder(Map.of())
        .baseUrl(server.baseUrl())
        .apiKey(KEY)
        .modelName("test-model")
        .timeout(Duration.ofSeconds(20))
        .maxRetries(0);
  }

  private final Model model = make(builder());

  @AfterEach
  void stop() {
    server.close();
  }

  private static ModelResponse ask(Model model, boolean streamed) {
    return ask(model, streamed, event -> {});
  }

  private static ModelResponse ask(Model model, boolean streamed, Consumer<ModelEvent> listener) {
    ModelRequest request = ModelRequest.of("", List.of(Item.user("Hello")));
    return streamed ? model.stream(request, listener) : model.respond(request);
  }

  private ClewException failure(boolean streamed) {
    Throwable thrown = catchThrowable(() -> ask(model, streamed));
    assertThat(thrown).isInstanceOf(ClewException.class);
    assertNoKeyIn(thrown);
    return (ClewException) thrown;
  }

  private static void assertNoKeyIn(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      assertThat(String.valueOf(t)).doesNotContain(KEY).doesNotContain("sk-proj");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKeyThatIsRefusedIsUnauthorizedAndNeverShown(boolean streamed) {
    server.then(
        TestServer.json(
            401,
            TestServer.error("Incorrect key " + KEY + " or sk-proj-123456789", "invalid_api_key"),
            "x-request-id",
            "req_7"));

    assertThat(failure(streamed))
        .isInstanceOf(ClewException.Unauthorized.class)
        .hasMessageContaining("test-model")
        .hasMessageContaining("Incorrect key *** or ***")
        .hasMessageContaining("invalid_api_key")
        .hasMessageContaining("req_7");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tooManyRequestsAreRateLimited(boolean streamed) {
    server.then(
        TestServer.json(429, TestServer.error("Slow down", "rate_limited"), "Retry-After", "7"));

    ClewException failure = failure(streamed);

    assertThat(failure)
        .isInstanceOf(ClewException.RateLimited.class)
        .hasMessageContaining("Slow down")
        .hasMessageContaining("after 7 s");
    assertThat(failure.retryable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerThatFailsMayBeAskedAgain(boolean streamed) {
    server.then(
        TestServer.json(500, TestServer.error("Oops", "server_error"), "x-request-id", "req_1"));

    ClewException failure = failure(streamed);

    assertThat(failure)
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("500: Oops")
        .hasMessageContaining("req_1");
    assertThat(failure.retryable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestThatIsWrongStaysWrong(boolean streamed) {
    server
        .then(TestServer.json(400, TestServer.error("Unknown parameter", "unknown_parameter")))
        .then(TestServer.json(404, TestServer.error("No such model", "model_not_found")));

    ClewException bad = failure(streamed);
    ClewException missing = failure(streamed);

    assertThat(bad).isInstanceOf(ClewException.ModelFailed.class);
    assertThat(bad.retryable()).isFalse();
    assertThat(missing).hasMessageContaining("No such model").hasMessageContaining("base URL");
    assertThat(missing.retryable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 422})
  void whatIsWrongWithARequestIsSaidInTheProvidersWordsWithoutNamesAndKeys(int status) {
    String said = "bad thing of org-abcdefgh12 at https://u:pw@host " + "x ".repeat(400);
    server.then(TestServer.json(status, TestServer.error(said, "xx")));

    ClewException failure = failure(false);

    assertThat(failure).isInstanceOf(ClewException.ModelFailed.class);
    String refusal = ((ClewException.ModelFailed) failure).refusal().orElseThrow();
    assertThat(refusal).startsWith("bad thing of *** at https://***host x").endsWith("…");
    assertThat(refusal.length()).isLessThan(310);
  }

  @ParameterizedTest
  @CsvSource({
    "400, API key not valid. Please pass a valid API key.",
    "400, Your credit balance is too low",
    "404, No such model",
    "500, bad thing"
  })
  void whatTheCallerCannotChangeIsNoRefusalOfTheRequest(int status, String said) {
    server.then(TestServer.json(status, TestServer.error(said, "xx")));

    assertThat(((ClewException.ModelFailed) failure(false)).refusal()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aModelSaysThatItIsOverloaded_orThatARequestIsTooLarge(boolean streamed) {
    server.then(TestServer.json(503, TestServer.error("Busy", "x")));
    ClewException busy = failure(streamed);
    server.then(TestServer.json(413, TestServer.error("Too large", "x")));
    ClewException large = failure(streamed);

    assertThat(busy)
        .isInstanceOfSatisfying(
            ClewException.ModelFailed.class, it -> assertThat(it.isOverloaded()).isTrue());
    assertThat(busy.retryable()).isTrue();
    assertThat(large)
        .isInstanceOfSatisfying(
            ClewException.ModelFailed.class, it -> assertThat(it.isTooLarge()).isTrue());
    assertThat(large.retryable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theClientTriesAgain(boolean streamed) {
    server
        .then(TestServer.json(429, TestServer.error("Slow", "x"), "Retry-After-Ms", "1"))
        .then(TestServer.json(503, TestServer.error("Busy", "x"), "Retry-After-Ms", "1"))
        .then(streamed ? TestServer.events(events("Here")) : TestServer.json(200, answer("Here")));

    ModelResponse response = ask(make(builder().maxRetries(2)), streamed);

    assertThat(response.output()).hasSize(1);
    assertThat(response.output().get(0).json()).contains("Here");
    assertThat(server.received()).extracting(TestServer.Received::body).hasSize(3);
    assertThat(server.received().get(2).body()).isEqualTo(server.received().get(0).body());
    assertThat(server.last().headers().getFirst("X-Stainless-Retry-Count")).isEqualTo("2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLockedConversationIsTriedAgainAndThenBusy(boolean streamed) {
    TestServer.Answer locked =
        TestServer.json(
            400, TestServer.error("Locked", "conversation_locked"), "Retry-After-Ms", "1");
    server.then(locked).then(locked);

    assertThatThrownBy(() -> ask(make(builder().maxRetries(1)), streamed))
        .isInstanceOf(ClewException.SessionBusy.class);
    assertThat(server.received()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerThatDoesNotAnswerInTimeFails(boolean streamed) {
    server.then(server.hang());

    Throwable thrown =
        catchThrowable(() -> ask(make(builder().timeout(Duration.ofMillis(200))), streamed));

    assertThat(thrown)
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("did not answer in time");
    assertThat(((ClewException) thrown).retryable()).isTrue();
  }

  @Test
  void aStreamThatStopsToFlowFails() {
    server.then(server.hangAfter("text/event-stream", TestServer.eventText(delta("Once"))));

    assertThatThrownBy(() -> ask(make(builder().timeout(Duration.ofMillis(400))), true))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("did not answer in time");
  }

  @Test
  void anAnswerThatIsCutFails() {
    server.then(TestServer.cut("application/json", answer("Here").substring(0, 30)));

    ClewException failure = failure(false);

    assertThat(failure)
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("broke off");
    assertThat(failure.retryable()).isTrue();
  }

  @Test
  void aStreamThatIsCutFailsThoughItsTextWasHeard() {
    server.then(TestServer.cut("text/event-stream", TestServer.eventText(delta("Once "))));
    StringBuilder heard = new StringBuilder();

    assertThatThrownBy(
            () -> ask(model, true, event -> heard.append(((ModelEvent.TextDelta) event).text())))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("broke off");
    assertThat(heard).hasToString("Once ");
  }

  @Test
  void aStreamThatEndsInTheMiddleFails() {
    server.then(TestServer.events(delta("Once ")));

    ClewException failure = failure(true);

    assertThat(failure)
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("in the middle");
    assertThat(failure.retryable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>Bad gateway</html>", "", "[1,2]", "{\"id\":\"x\"", "{}{}"})
  void anAnswerThatIsNoJsonObjectFails(String body) {
    server.then(TestServer.json(200, body)).then(TestServer.json(200, body));

    assertThat(failure(false))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("no JSON object");
    assertThat(failure(true)).isInstanceOf(ClewException.ModelFailed.class);
  }

  @Test
  void anEventThatIsNoJsonFails() {
    server.then(TestServer.events(delta("Once"), "{\"type\":"));

    assertThat(failure(true))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("no JSON object");
  }

  @Test
  void anErrorWithinAStreamFails() {
    server.then(
        TestServer.events(
            delta("Once"),
            "{\"type\":\"error\",\"sequence_number\":7,\"code\":\"server_error\","
                + "\"message\":\"flat\",\"param\":null,\"error\":{\"type\":\"server_error\","
                + "\"code\":\"server_error\",\"message\":\"It broke for "
                + KEY
                + "\",\"param\":null}}"));

    ClewException failure = failure(true);

    assertThat(failure)
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("It broke for ***");
    assertThat(failure.retryable()).isTrue();
  }

  @Test
  void nobodyAtTheAddressIsSaid() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Model nobody = make(builder().baseUrl("http://127.0.0.1:" + port + "/v1"));

    assertThatThrownBy(() -> ask(nobody, false))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("cannot be reached")
        .hasMessageContaining("127.0.0.1:" + port);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptEndsARequestThatWaitsForItsAnswer(boolean streamed) throws Exception {
    server.then(server.hang());
    Waiting waiting = new Waiting(() -> ask(model, streamed));
    server.awaitRequests(1);

    waiting.thread.interrupt();

    assertThat(waiting.outcome.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("interrupted");
    assertThat(waiting.stillInterrupted).isTrue();
  }

  @Test
  void anInterruptEndsAStreamAndItsConnection() throws Exception {
    server.then(server.hangAfter("text/event-stream", TestServer.eventText(delta("Once "))));
    BlockingQueue<ModelEvent> heard = new ArrayBlockingQueue<>(10);
    Waiting waiting = new Waiting(() -> ask(model, true, heard::add));
    assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(new ModelEvent.TextDelta("Once "));

    waiting.thread.interrupt();

    assertThat(waiting.outcome.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ClewException.ModelFailed.class);
    assertThat(server.awaitClientGone()).isTrue();
  }

  @Test
  void anInterruptEndsThePauseBeforeTheNextTry() throws Exception {
    server.then(TestServer.json(429, TestServer.error("Slow", "x"), "Retry-After", "8"));
    Model patient = make(builder().maxRetries(2));
    Waiting waiting = new Waiting(() -> ask(patient, false));
    server.awaitRequests(1);

    waiting.thread.interrupt();

    assertThat(waiting.outcome.get(5, TimeUnit.SECONDS))
        .isInstanceOf(ClewException.ModelFailed.class);
  }

  @Test
  void aClientOfTheCallersOwnIsUsedAsItIs() {
    server.then(TestServer.json(429, "{}", "Retry-After-Ms", "1"));
    server.then(TestServer.json(200, answer("Here")));
    Model own =
        make(
            OpenAiModels.builder(Map.of())
                .client(
                    OpenAIOkHttpClient.builder()
                        .baseUrl(server.baseUrl())
                        .apiKey("mine")
                        .putHeader("X-Mine", "yes")
                        .maxRetries(1)
                        .build()));

    assertThat(ask(own, false).output()).hasSize(1);

    assertThat(server.received()).hasSize(2);
    assertThat(server.last().headers().getFirst("Authorization")).isEqualTo("Bearer mine");
    assertThat(server.last().headers().getFirst("X-Mine")).isEqualTo("yes");
  }

  @Test
  void anInterruptReleasesWhoWaitsWithAClientOfTheirOwn() throws Exception {
    server.then(server.hang());
    Model own =
        make(
            OpenAiModels.builder(Map.of())
                .client(OpenAIOkHttpClient.builder().baseUrl(server.baseUrl()).apiKey("k").build())
                .timeout(Duration.ofSeconds(20)));
    Waiting waiting = new Waiting(() -> ask(own, true));
    server.awaitRequests(1);

    waiting.thread.interrupt();

    assertThat(waiting.outcome.get(5, TimeUnit.SECONDS))
        .isInstanceOf(ClewException.ModelFailed.class);
  }

  /** A thread that waits for a model, and how that ended. */
  private static final class Waiting {
    final CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    final Thread thread;
    volatile boolean stillInterrupted;

    Waiting(Runnable call) {
      thread =
          new Thread(
              () -> {
                Throwable thrown = catchThrowable(call::run);
                stillInterrupted = Thread.currentThread().isInterrupted();
                outcome.complete(thrown);
              });
      thread.start();
    }
  }
}
