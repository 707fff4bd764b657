package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.SOAK;
import static dev.clew.server.hostile.ServerProcess.get;
import static dev.clew.server.hostile.ServerProcess.post;
import static dev.clew.server.hostile.ServerProcess.say;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.ClewServer;
import dev.clew.server.hostile.ServerProcess.Answer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.testservers.AttackedServer;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one owner is answered tells nothing about another: not by content, order, score or count.
 */
@Tag("hostile")
class OwnersTest {
  private static final int ROUNDS = SOAK ? 200 : 3;
  private static final int PAIRS = SOAK ? 4000 : 20;
  private static final List<String> WORDS =
      List.of("vault", "code", "is", "kestrel", "kestrex", "g", "c", "the", "zebra");

  private static final String COMPLETION =
      "{\"model\":\"m\",\"store\":true,\"messages\":[{\"role\":\"user\",\"content\":\"the vault\"}]}";

  /** What bob asks. Some of the ids are ann's. */
  private static final List<String> QUESTIONS =
      List.of(
          "/api/sessions",
          "/api/sessions?limit=2",
          "/api/sessions?archived=true",
          "/api/search?q=g",
          "/api/search?q=g%20c",
          "/api/search?q=%22g%22%20%22c%22",
          "/api/search?q=vault",
          "/api/search?q=kestre",
          "/api/search?q=vault_code_is_k",
          "/api/search?q=zebra&limit=1",
          "/api/sessions/same/items",
          "/api/sessions/same/messages",
          "/api/sessions/anns",
          "/api/sessions/anns/items",
          "/v1/conversations/same",
          "/v1/conversations/same/items",
          "/v1/conversations/anns/items",
          "/v1/chat/completions",
          "/api/sessions/same/branches",
          "/api/sessions/anns/branches",
          "/api/sessions/same/queue",
          "/api/sessions/anns/queue",
          "/api/turns",
          "/api/shares",
          "/api/export",
          "/api/me",
          "/api/usage");

  @TempDir Path folder;
  private SessionStore store;
  private ClewServer server;
  private AttackedServer ann;
  private AttackedServer bob;

  @BeforeEach
  void start() throws Exception {
    store = Stores.open("sqlite:" + folder.resolve("o.db"));
    server =
        ClewServer.start(ServerSettings.of(store).at("127.0.0.1", 0).limits(LimitSettings.NONE));
    ann = caller("ann");
    bob = caller("bob");
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private AttackedServer caller(String owner) {
    return new AttackedServer(
        server.port(), server.tokens().create(owner, "", Scope.OWN, Optional.empty()).secret());
  }

  private Map<String, Answer> asked() {
    Map<String, Answer> answers = new LinkedHashMap<>();
    for (String question : QUESTIONS) {
      Answer answer =
          question.contains("search")
              ? ServerProcess.until(
                  "all is indexed",
                  () -> get(bob, question),
                  found -> !found.body().contains("\"partial\":true"))
              : get(bob, question);
      answers.put(question, new Answer(answer.status(), withoutRequest(answer.body())));
    }
    return answers;
  }

  private static String withoutRequest(String body) {
    return body.replaceAll("\"request_id\":\"[^\"]*\"", "");
  }

  private void acts(Random random) {
    String session = random.nextBoolean() ? "same" : "anns";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      text.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
    }
    switch (random.nextInt(8)) {
      case 0 -> ServerProcess.send(ann.request("/api/sessions/" + session).DELETE());
      case 1 ->
          ServerProcess.send(
              ann.request("/api/sessions/" + session)
                  .method("PATCH", body("{\"title\":\"" + text + "\",\"pinned\":true}")));
      case 2 -> post(ann, "/api/sessions/" + session + "/shares", "{}");
      case 3 -> post(ann, "/v1/chat/completions", COMPLETION);
      case 4 ->
          post(
              ann,
              "/api/import",
              "{\"session_id\":\""
                  + session
                  + "\",\"items\":[{\"role\":\"user\",\"content\":\"g\"}]}");
      default -> say(ann, session, text.toString());
    }
  }

  private static BodyPublisher body(String json) {
    return BodyPublishers.ofString(json);
  }

  @Test
  void whateverAnotherOwnerDoes_theAnswersStayTheSame() {
    long seed = SOAK ? System.nanoTime() : 1;
    Random random = new Random(seed);
    for (String text : List.of("g g c", "g c c", "the vault code is kestrel", "g c")) {
      assertThat(say(bob, "same", text).status()).isEqualTo(200);
    }
    assertThat(say(bob, "other", "the vault code is kestrex").status()).isEqualTo(200);
    Map<String, Answer> before = asked();
    assertThat(before.get("/api/search?q=vault").body()).contains("kestrel", "score");
    assertThat(before.get("/api/sessions/anns").status()).isEqualTo(404);
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < 15; i++) {
        acts(random);
      }
      assertThat(asked()).as("seed %s, round %s", seed, round).isEqualTo(before);
    }
  }

  /**
   * Nor by time: of many pairs of questions, one for something of ann's and one for nothing, either
   * takes longer about as often. In the build only that they are answered alike; the share is
   * looked at in the long version, where chance alone leaves the bounds once in 10^80 runs.
   */
  @Test
  void whatIsSomebodyElsesTakesAsLongAsNothing() {
    assertThat(say(ann, "anns", "the zebra of ann").status()).isEqualTo(200);
    assertThat(say(bob, "same", "hello").status()).isEqualTo(200);
    List<List<String>> pairs =
        List.of(
            List.of("/api/sessions/anns", "/api/sessions/none"),
            List.of("/api/sessions/anns/items", "/api/sessions/none/items"),
            List.of("/v1/conversations/anns", "/v1/conversations/none"),
            List.of("/api/search?q=zebra", "/api/search?q=zebru"));
    Random random = new Random(1);
    for (List<String> pair : pairs) {
      int longer = 0;
      for (int i = 0; i < PAIRS; i++) {
        int first = random.nextInt(2);
        long one = nanos(pair.get(first));
        long two = nanos(pair.get(1 - first));
        if (first == 0 ? one > two : two > one) {
          longer++;
        }
      }
      assertThat(withoutRequest(get(bob, pair.get(0)).body()).replace("anns", "none"))
          .isEqualTo(withoutRequest(get(bob, pair.get(1)).body()));
      System.out.printf("%s took longer than nothing in %d of %d%n", pair.get(0), longer, PAIRS);
      if (SOAK) {
        assertThat((double) longer / PAIRS).as(pair.get(0)).isBetween(0.35, 0.65);
      }
    }
  }

  private long nanos(String path) {
    long begun = System.nanoTime();
    assertThat(get(bob, path).status()).isIn(200, 404);
    return System.nanoTime() - begun;
  }
}
