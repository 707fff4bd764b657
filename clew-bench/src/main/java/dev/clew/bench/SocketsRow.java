package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.bench.Figure.Target;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Responses over a WebSocket beside streamed ones, and sockets that say nothing. Stateless. */
final class SocketsRow implements Row {
  private static final int TURNS = 50;
  private static final int OWNERS = 4;
  private static final String FIELDS = "\"model\":\"instant\",\"input\":\"hello\",\"store\":";

  /** Says eight words before it is asked. */
  private static final class Instant implements Model {
    private static final String TEXT = "It is in the state of California. ";
    private static final ModelResponse RESPONSE = ModelResponse.of(Item.assistant(TEXT));

    @Override
    public ModelResponse respond(ModelRequest request) {
      return RESPONSE;
    }

    @Override
    public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
      for (String word : TEXT.split("(?<= )", -1)) {
        listener.accept(new ModelEvent.TextDelta(word));
      }
      return RESPONSE;
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    try (SessionStore store = SqliteStore.open(lab.file("sockets.db"));
        ClewServer server =
            ClewServer.start(
                ServerSettings.of(store)
                    .at("127.0.0.1", 0)
                    .limits(LimitSettings.NONE)
                    .model(new Instant(), "instant"))) {
      List<String> tokens = new ArrayList<>();
      for (int i = 0; i < OWNERS; i++) {
        tokens.add(
            server.tokens().create("bench" + i, "bench", Scope.OWN, Optional.empty()).secret());
      }
      turns(lab, server, tokens.get(0), false);
      turns(lab, server, tokens.get(0), true);
      idle(lab, server, tokens);
    }
  }

  private static void turns(Lab lab, ClewServer server, String token, boolean stored)
      throws Exception {
    String fields = FIELDS + stored;
    try (TurnClient socket = TurnClient.socket(server.port(), token);
        TurnClient http = TurnClient.http(server.port())) {
      byte[] create = TurnClient.message("{\"type\":\"response.create\"," + fields + "}");
      byte[] post =
          HttpLoad.request("POST", "/v1/responses", token, "{\"stream\":true," + fields + "}");
      List<Double> socketMicros = new ArrayList<>();
      List<Double> httpMicros = new ArrayList<>();
      long warm = System.nanoTime() + lab.size(20_000, 500) * 1_000_000L;
      List<Double> ratios = new ArrayList<>();
      while (System.nanoTime() < warm) {
        block(socket, create);
        block(http, post);
      }
      for (int round = 0; round < lab.rounds; round++) {
        List<Double> ofSocket = new ArrayList<>();
        List<Double> ofHttp = new ArrayList<>();
        for (int i = 0; i < lab.size(20, 2); i++) {
          ofSocket.addAll(block(socket, create));
          ofHttp.addAll(block(http, post));
        }
        ratios.add(samples(ofSocket).median() / samples(ofHttp).median());
        socketMicros.addAll(ofSocket);
        httpMicros.addAll(ofHttp);
      }
      lab.report(
          "turn over a WebSocket over a streamed one, store:" + stored + ", p50",
          samples(ratios),
          "",
          Target.atMost(0.9),
          "WebSocket "
              + Samples.number(samples(socketMicros).median())
              + " µs, HTTP "
              + Samples.number(samples(httpMicros).median())
              + " µs, one connection each");
    }
  }

  /** Some turns, one after another; how many microseconds each took. */
  private static List<Double> block(TurnClient client, byte[] request) throws IOException {
    List<Double> micros = new ArrayList<>();
    for (int i = 0; i < TURNS; i++) {
      long start = System.nanoTime();
      client.turn(request);
      micros.add((System.nanoTime() - start) / 1e3);
    }
    return micros;
  }

  private static void idle(Lab lab, ClewServer server, List<String> tokens) throws Exception {
    int count = lab.size(1_000, 50);
    byte[] request = HttpLoad.request("GET", "/v1/conversations", tokens.get(0), "");
    try (HttpLoad calls = new HttpLoad(server.port(), 4, 50, k -> request)) {
      for (int i = 0; i < lab.size(200, 10); i++) {
        calls.run();
      }
      long before = heapAtRest();
      Samples alone = calls(lab, calls);
      List<TurnClient> sockets = new ArrayList<>();
      try {
        for (int i = 0; i < count; i++) {
          sockets.add(TurnClient.socket(server.port(), tokens.get(i % OWNERS)));
        }
        Samples beside = calls(lab, calls);
        long after = heapAtRest();
        lab.report(
            "heap of each of " + count + " idle WebSockets",
            Samples.of((after - before) / 1024.0 / count),
            " KiB",
            Target.atMost(40),
            "with the client's end, which is in the same process");
        lab.report(
            "… p99 of other calls, over the same without them",
            Samples.of(beside.percentile(99) / alone.percentile(99)),
            "",
            Target.atMost(1.3),
            Samples.number(alone.percentile(99))
                + " ms alone, "
                + Samples.number(beside.percentile(99))
                + " ms beside them");
      } finally {
        for (TurnClient socket : sockets) {
          socket.close();
        }
      }
    }
  }

  private static Samples calls(Lab lab, HttpLoad calls) throws IOException {
    List<Samples> millis = new ArrayList<>();
    for (int i = 0; i < lab.size(200, 5); i++) {
      calls.run();
      millis.add(calls.millis());
    }
    return Samples.all(millis);
  }

  private static long heapAtRest() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static Samples samples(List<Double> values) {
    return Samples.of(values.stream().mapToDouble(value -> value).toArray());
  }
}
