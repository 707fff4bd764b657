package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Documents;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.Caller.Answer;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.TurnSettings;
import dev.clew.tck.FaultyStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request with an idempotency key whose server dies, or seems to, is carried out once. */
@Tag("hostile")
class OnceAfterACrashTest {
  private static final TurnSettings TURNS =
      TurnSettings.DEFAULT.leaseLife(Duration.ofMillis(500)).lockWait(Duration.ofSeconds(30));

  /** More steps than there are: at the end nothing fails any more. */
  private static final int MOST_STEPS = 60;

  @TempDir Path folder;
  private SessionStore store;
  private LiveServer next;
  private Caller there;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("once.db"));
    next = serve(store, new ScriptedModel());
    there = new Caller(next, "ann");
  }

  @AfterEach
  void stop() {
    next.close();
    store.close();
  }

  private static LiveServer serve(SessionStore store, ScriptedModel model) {
    return new LiveServer(store, settings -> settings.model(model, "m").turns(TURNS));
  }

  private String conversation() {
    return there.post("/v1/conversations", "{}").is(200).text("id");
  }

  private static String request(String conversation, String more) {
    return "{\"model\":\"m\",\"input\":\"a\",\"conversation\":\""
        + conversation
        + "\""
        + more
        + "}";
  }

  private List<String> texts(String conversation) {
    return store.session(new SessionKey("ann", conversation)).getItems().stream()
        .map(Item::view)
        .map(view -> ((View.Message) view).text())
        .toList();
  }

  /**
   * Sends it again until it is not under way any more. Who follows a stream of a server that seems
   * to live hears at its end that it does not.
   */
  private Answer again(String body, String key) {
    return Eventually.ask(
        "the request is not under way any more",
        () -> there.post("/v1/responses", body, "Idempotency-Key", key),
        answer -> answer.status() != 409 && !answer.body().contains("event: response.failed"));
  }

  /* As if the process had been killed before one of its calls to the store: none gets through
   * from then on, no heartbeat and no cleaning up. */
  @ParameterizedTest
  @ValueSource(strings = {"", ",\"store\":false", ",\"stream\":true"})
  void whereverTheServerDied_theRequestIsAnsweredWhenItIsSentAgain_andItsTurnIsThereOnce(
      String more) {
    for (int step = 1; ; step++) {
      assertThat(step).isLessThan(MOST_STEPS);
      String conversation = conversation();
      String body = request(conversation, more);
      String key = "k" + step;
      FaultyStore dying = new FaultyStore(store);
      AtomicInteger left = new AtomicInteger(step);
      AtomicBoolean asked = new AtomicBoolean();
      AtomicBoolean dead = new AtomicBoolean();
      LiveServer doomed = serve(dying, new ScriptedModel());
      try {
        Caller here = new Caller(doomed, "ann");
        dying.failBefore(
            call -> {
              if (asked.get() && left.decrementAndGet() < 0) {
                dead.set(true);
              }
              return dead.get();
            });
        asked.set(true);
        here.post("/v1/responses", body, "Idempotency-Key", key);
        asked.set(false);
        Answer answer = again(body, key);
        if (more.contains("false") && answer.status() == 400) { // it was answered before it died
          assertThat(answer.body()).contains("idempotency_key_used");
        } else {
          assertThat(answer.is(200).body()).contains("\"completed\"").doesNotContain("\"failed\"");
        }
        assertThat(texts(conversation)).as("step " + step).containsExactly("a", "echo a");
        Answer third = there.post("/v1/responses", body, "Idempotency-Key", key);
        assertThat(third.status()).isNotEqualTo(409);
        assertThat(texts(conversation)).containsExactly("a", "echo a");
      } finally {
        dying.heal();
        doomed.close();
      }
      if (!dead.get()) {
        assertThat(step).isGreaterThan(3);
        return;
      }
    }
  }

  /** A server that was only stopped for a while, and was taken for dead. */
  @ParameterizedTest
  @ValueSource(strings = {"", ",\"store\":false"})
  void aServerThatWakesUpAfterItWasTakenForDead_writesNothing(String more) {
    String conversation = conversation();
    String body = request(conversation, more);
    FaultyStore sleeping = new FaultyStore(store);
    ScriptedModel model = new ScriptedModel();
    ScriptedModel.Held held = model.thenHold("too", " late");
    LiveServer asleep = serve(sleeping, model);
    try {
      Caller here = new Caller(asleep, "ann");
      var first = here.sendAsync("POST", "/v1/responses", body, "Idempotency-Key", "k");
      Eventually.open("the model is asked", held.begun);
      sleeping.failBefore(call -> call.name().startsWith("leases.renew"));
      Answer answer = again(body, "k").is(200);
      assertThat(answer.body()).contains("\"completed\"");
      sleeping.heal();
      held.release();
      assertThat(Caller.join(first).status()).isNotEqualTo(200);
      assertThat(texts(conversation)).containsExactly("a", "echo a");
      Answer third = there.post("/v1/responses", body, "Idempotency-Key", "k");
      assertThat(third.body())
          .isEqualTo(more.isEmpty() ? answer.body() : third.body())
          .contains(more.isEmpty() ? "completed" : "idempotency_key_used");
      assertThat(texts(conversation)).containsExactly("a", "echo a");
    } finally {
      sleeping.heal();
      asleep.close();
    }
  }

  @Test
  void aTurnThatWasAnsweredAndNotWrittenIsWrittenWhenTheRequestIsSentAgain() {
    String conversation = conversation();
    FaultyStore faulty = new FaultyStore(store);
    LiveServer broken = serve(faulty, new ScriptedModel());
    try {
      faulty.failBefore(FaultyStore.every("apply"));
      Caller here = new Caller(broken, "ann");
      String body = request(conversation, "");
      assertThat(here.post("/v1/responses", body, "Idempotency-Key", "k").status())
          .isGreaterThanOrEqualTo(500);
      assertThat(texts(conversation)).isEmpty();
      Answer answer = again(body, "k").is(200);
      assertThat(Json.fields(answer.body()).get("status")).isEqualTo("\"completed\"");
      // Whoever looks at a response that was answered writes its turn; there must be but one.
      for (Documents.Document record :
          store.documents().list("ann", "response/", Optional.empty(), 10)) {
        there.get("/v1/responses/" + record.name().substring("response/".length())).is(200);
      }
      assertThat(texts(conversation)).containsExactly("a", "echo a");
    } finally {
      faulty.heal();
      broken.close();
    }
  }
}
