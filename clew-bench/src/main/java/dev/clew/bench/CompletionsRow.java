package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.agent.ModelResponse;
import dev.clew.bench.Figure.Target;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What it costs to recognize and record a conversation whose client sends all of it each time: one
 * connection that is kept, on SQLite with every commit synced. Stateless.
 */
final class CompletionsRow implements Row {
  private static final String OWNER = "bench";
  private static final int SHORT = 200;
  private static final int LONG = 2_000;
  private static final String SAID = "California.";

  @Override
  public void measure(Lab lab) throws Exception {
    ModelResponse answer = ModelResponse.of(Item.assistant(SAID));
    Model instant = request -> answer;
    try (SessionStore store = SqliteStore.open(lab.file("completions.db"));
        ClewServer server =
            ClewServer.start(
                ServerSettings.of(store)
                    .at("127.0.0.1", 0)
                    .limits(LimitSettings.NONE)
                    .model(instant, "instant"))) {
      String token = server.tokens().create(OWNER, "bench", Scope.OWN, Optional.empty()).secret();
      Client client = new Client(HttpClient.newHttpClient(), server.url(), token);
      int warm = lab.size(300, 5);
      int turns = lab.size(60, 5);
      measure(client, 100, warm); // not counted
      List<Double> over = new ArrayList<>();
      List<Double> flat = new ArrayList<>();
      Medians last = Medians.NONE;
      for (int round = 0; round < lab.rounds; round++) {
        Medians some = measure(client, round, turns);
        over.add(some.chat / some.responses);
        flat.add((some.longChat - some.longUnkept) / (some.chat - some.unkept));
        last = some;
      }
      lab.report(
          "stored chat completion over a response that follows another, 200 messages, p50",
          samples(over),
          "",
          Target.atMost(1.5),
          last.details());
      lab.report(
          "recording at 2,000 messages over 200, without reading the body",
          samples(flat),
          "",
          Target.atMost(1.3),
          "the time with recording less that with 'store': false");
    }
  }

  private static Samples samples(List<Double> values) {
    return Samples.of(values.stream().mapToDouble(each -> each).toArray());
  }

  /** Milliseconds. Immutable. */
  private record Medians(
      double responses, double chat, double unkept, double longChat, double longUnkept) {
    static final Medians NONE = new Medians(0, 0, 0, 0, 0);

    String details() {
      return String.format(
          Locale.ROOT,
          "ms: response %.2f, completion %.2f, not stored %.2f; of 2,000: %.2f, %.2f",
          responses,
          chat,
          unkept,
          longChat,
          longUnkept);
    }
  }

  private static Medians measure(Client client, int name, int turns) throws Exception {
    Chain chain = new Chain(client, name);
    Talk kept = new Talk(client, SHORT, name, "");
    Talk unkept = new Talk(client, SHORT, name, "\"store\":false,");
    Talk longKept = new Talk(client, LONG, name, "");
    Talk longUnkept = new Talk(client, LONG, name, "\"store\":false,");
    double[][] millis = new double[5][turns];
    for (int i = 0; i < turns; i++) {
      millis[0][i] = chain.turn();
      millis[1][i] = kept.turn();
      millis[2][i] = unkept.turn();
      millis[3][i] = longKept.turn();
      millis[4][i] = longUnkept.turn();
    }
    return new Medians(
        Samples.of(millis[0]).median(),
        Samples.of(millis[1]).median(),
        Samples.of(millis[2]).median(),
        Samples.of(millis[3]).median(),
        Samples.of(millis[4]).median());
  }

  private record Client(HttpClient http, String url, String token) {
    /** The answer, and in milliseconds how long it took. */
    Answer post(String path, String body) throws Exception {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + path))
              .header("Authorization", "Bearer " + token)
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      long start = System.nanoTime();
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      double millis = (System.nanoTime() - start) / 1e6;
      if (response.statusCode() != 200) {
        throw new IllegalStateException(path + " answered " + response.body());
      }
      return new Answer(response.body(), millis);
    }
  }

  private record Answer(String body, double millis) {}

  private static String message(String role, String text) {
    return new JsonObject().put("role", role).put("content", text).toString();
  }

  private static List<String> history(int messages, int name) {
    List<String> history = new ArrayList<>();
    for (int i = 0; i < messages; i += 2) {
      history.add(message("user", "What state is it in? (" + i + " of " + name + ")"));
      history.add(message("assistant", SAID));
    }
    return history;
  }

  /** A client that sends its whole history. */
  private static final class Talk {
    private final Client client;
    private final String more;
    private final List<String> history;

    Talk(Client client, int messages, int name, String more) throws Exception {
      this.client = client;
      this.more = more;
      this.history = history(messages, name + messages);
      turn();
    }

    double turn() throws Exception {
      history.add(message("user", "And this one? " + history.size()));
      String body =
          "{\"model\":\"instant\"," + more + "\"messages\":" + JsonObject.array(history) + "}";
      double millis = client.post("/v1/chat/completions", body).millis();
      history.add(message("assistant", SAID));
      return millis;
    }
  }

  /** A client that names the response before. */
  private static final class Chain {
    private final Client client;
    private String previous;

    Chain(Client client, int name) throws Exception {
      this.client = client;
      String input = JsonObject.array(history(SHORT, name));
      Answer first =
          client.post("/v1/responses", "{\"model\":\"instant\",\"input\":" + input + "}");
      previous = id(first);
    }

    private static String id(Answer answer) {
      return String.valueOf(Json.string(Json.fields(answer.body()).get("id")));
    }

    double turn() throws Exception {
      Answer answer =
          client.post(
              "/v1/responses",
              "{\"model\":\"instant\",\"input\":\"And this one?\",\"previous_response_id\":\""
                  + previous
                  + "\"}");
      previous = id(answer);
      return answer.millis();
    }
  }
}
