package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What a server costs beside its store and its model: 16 connections that are kept, on SQLite with
 * every commit synced. Stateless.
 */
final class ServerRow implements Row {
  private static final int CONNECTIONS = 16;
  private static final String OWNER = "bench";

  /** Answers before it is asked. */
  private static final class Instant implements Model {
    private static final ModelResponse RESPONSE = ModelResponse.of(Item.assistant("California."));

    @Override
    public ModelResponse respond(ModelRequest request) {
      return RESPONSE;
    }

    @Override
    public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
      return RESPONSE;
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    try (SessionStore store = SqliteStore.open(lab.file("server.db"));
        ClewServer server = ClewServer.start(naming(store, "instant"))) {
      String token = server.tokens().create(OWNER, "bench", Scope.OWN, Optional.empty()).secret();
      for (int i = 0; i < CONNECTIONS; i++) {
        for (int turn = 0; turn < 25; turn++) {
          store.session(new SessionKey(OWNER, name(i))).addItems(Turn.of(turn).items());
        }
      }
      reads(lab, store, server, token);
      writes(lab, store, server, token);
      responses(lab, server, token);
    }
  }

  /** A server runs for weeks; its code is compiled after some ten thousand calls. */
  private static int warmUp(Lab lab) {
    return lab.size(45_000, 500);
  }

  private static String name(int connection) {
    return "conv_" + "a".repeat(47) + Integer.toHexString(connection);
  }

  /** The newest items, beside a constant of the same size from a server with the same tokens. */
  private static void reads(Lab lab, SessionStore store, ClewServer server, String token)
      throws Exception {
    int each = lab.size(200, 20);
    try (HttpLoad items =
        new HttpLoad(
            server.port(),
            CONNECTIONS,
            each,
            k -> get("/v1/conversations/" + name(k) + "/items?limit=20", token))) {
      items.run();
      // The list of models with one name so long that the answers are of one size.
      int size = items.bytes();
      int rest = size - modelsBytes(store, "x", token);
      try (ClewServer constant = ClewServer.start(naming(store, "x".repeat(rest + 1)));
          HttpLoad same =
              new HttpLoad(constant.port(), CONNECTIONS, each, k -> get("/v1/models", token))) {
        Times times =
            new Race()
                .add("items", items)
                .add("constant", same)
                .run(lab.rounds, lab.size(10, 2), warmUp(lab));
        lab.report(
            "GET …/items?limit=20 over a constant of that size, 16 connections",
            times.ratio("constant", "items"),
            "",
            Target.atLeast(0.5),
            "a second: "
                + times.perSecond("items", items.requests())
                + ", constant "
                + times.perSecond("constant", same.requests())
                + "; "
                + size
                + " bytes");
      }
    }
  }

  private static int modelsBytes(SessionStore store, String name, String token) throws Exception {
    try (ClewServer server = ClewServer.start(naming(store, name));
        HttpLoad load = new HttpLoad(server.port(), 1, 1, k -> get("/v1/models", token))) {
      load.run();
      return load.bytes();
    }
  }

  private static ServerSettings naming(SessionStore store, String model) {
    return ServerSettings.of(store)
        .at("127.0.0.1", 0)
        .limits(LimitSettings.NONE)
        .model(new Instant(), model);
  }

  private static byte[] get(String path, String token) {
    return HttpLoad.request("GET", path, token, "");
  }

  private static void writes(Lab lab, SessionStore store, ClewServer server, String token)
      throws Exception {
    int each = lab.size(40, 8);
    String body = "{\"items\":[" + String.join(",", Turn.of(1).texts()) + "]}";
    try (HttpLoad posts =
            new HttpLoad(
                server.port(),
                CONNECTIONS,
                each,
                k ->
                    HttpLoad.request(
                        "POST", "/v1/conversations/" + name(k) + "/items", token, body));
        Appending appends = new Appending(store, each)) {
      Times times =
          new Race()
              .add("http", posts)
              .add("store", appends)
              .run(lab.rounds, lab.size(5, 2), warmUp(lab));
      lab.report(
          "POST …/items of 4, 16 connections, over the store with 16 threads",
          times.ratio("store", "http"),
          "",
          Target.atLeast(0.7),
          "a second: "
              + times.perSecond("http", posts.requests())
              + ", store "
              + times.perSecond("store", posts.requests()));
    }
  }

  /** The same appends to the same sessions, without a server. */
  private record Appending(SessionStore store, int each, ExecutorService threads)
      implements Race.Block, AutoCloseable {
    Appending(SessionStore store, int each) {
      this(store, each, Executors.newFixedThreadPool(CONNECTIONS));
    }

    @Override
    public long run() throws Exception {
      long start = System.nanoTime();
      List<Future<?>> running =
          IntStream.range(0, CONNECTIONS)
              .<Future<?>>mapToObj(k -> threads.submit(() -> append(k)))
              .toList();
      for (Future<?> one : running) {
        one.get();
      }
      return System.nanoTime() - start;
    }

    private void append(int thread) {
      for (int i = 0; i < each; i++) {
        store.session(new SessionKey(OWNER, name(thread))).addItems(Turn.of(1).items());
      }
    }

    @Override
    public void close() {
      threads.shutdownNow();
    }
  }

  private static void responses(Lab lab, ClewServer server, String token) throws Exception {
    String body = "{\"model\":\"instant\",\"input\":\"What state is it in?\",\"store\":false}";
    try (HttpLoad load =
        new HttpLoad(
            server.port(),
            CONNECTIONS,
            lab.size(1_500, 20),
            k -> HttpLoad.request("POST", "/v1/responses", token, body))) {
      Samples millis = warm(load, lab);
      report(lab, "POST /v1/responses, store:false", millis);
    }
    String kept = body.replace("false", "true");
    try (HttpLoad load =
        new HttpLoad(
            server.port(),
            CONNECTIONS,
            lab.size(1_500, 20),
            k -> HttpLoad.request("POST", "/v1/responses", token, kept))) {
      report(lab, "POST /v1/responses, stored", warm(load, lab));
    }
  }

  private static Samples warm(HttpLoad load, Lab lab) throws Exception {
    long until = System.nanoTime() + warmUp(lab) * 1_000_000L;
    do {
      load.run();
    } while (System.nanoTime() < until);
    load.run();
    return load.millis();
  }

  private static void report(Lab lab, String what, Samples millis) {
    lab.report(
        what + ", instant model, 16 connections, p50",
        Samples.of(millis.median()),
        " ms",
        Target.atMost(3),
        "");
    lab.report("… p99", Samples.of(millis.percentile(99)), " ms", Target.atMost(15), "");
  }
}
