package dev.clew.bench;

import dev.clew.SessionStore;
import dev.clew.bench.Figure.Target;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import dev.clew.testservers.ManySockets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ordinary calls beside very many clients that send a byte now and then. Stateless. */
final class SlowClientsRow implements Row {
  private static final int CONNECTIONS = 4;

  /** Never comes to the end of its head, or of its body. */
  private static final class Slow implements ManySockets.Client {
    private final String opening;
    private final String more;
    private final long begun = System.nanoTime();
    private volatile double seconds;

    Slow(String opening, String more) {
      this.opening = opening;
      this.more = more;
    }

    @Override
    public String opening() {
      return opening;
    }

    @Override
    public String more() {
      return more;
    }

    @Override
    public void left() {
      seconds = secondsSince(begun);
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    int slow = lab.size(2_000, 50);
    try (SessionStore store = SqliteStore.open(lab.file("slow.db"));
        ClewServer server =
            ClewServer.start(
                ServerSettings.of(store).at("127.0.0.1", 0).limits(LimitSettings.NONE));
        ManySockets crowd = new ManySockets(server.port())) {
      String token = server.tokens().create("bench", "bench", Scope.OWN, Optional.empty()).secret();
      byte[] request = HttpLoad.request("GET", "/v1/conversations", token, "");
      try (HttpLoad calls = new HttpLoad(server.port(), CONNECTIONS, 50, k -> request)) {
        for (int i = 0; i < 20; i++) {
          calls.run();
        }
        String head = "Host: localhost\r\nAuthorization: Bearer " + token + "\r\n";
        crowd.begin();
        long start = System.nanoTime();
        List<Slow> clients = new ArrayList<>();
        for (int i = 0; i < slow; i++) {
          clients.add(
              i % 2 == 0
                  ? new Slow("GET /healthz HTTP/1.1\r\nX-Slow: ", "x")
                  : new Slow(
                      "POST /v1/conversations HTTP/1.1\r\n"
                          + head
                          + "Content-Length: 9999\r\n\r\n{",
                      " "));
          crowd.connect(clients.get(i));
        }
        List<Samples> millis = new ArrayList<>();
        while (crowd.open() > 0 && secondsSince(start) < 60) {
          calls.run();
          millis.add(calls.millis());
        }
        Samples all = Samples.all(millis);
        lab.report(
            "calls beside " + slow + " slow connections, p99",
            Samples.of(all.percentile(99)),
            " ms",
            Target.atMost(250),
            "p50 " + Samples.number(all.median()) + " ms, " + CONNECTIONS + " connections");
        lab.report(
            "… the one that stayed longest was cut after",
            Samples.of(clients.stream().mapToDouble(each -> each.seconds).max().orElse(0)),
            " s",
            Target.atMost(20),
            crowd.open() == 0 ? "" : crowd.open() + " were left");
      }
    }
  }

  private static double secondsSince(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
