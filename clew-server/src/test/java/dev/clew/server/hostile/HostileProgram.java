package dev.clew.server.hostile;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import dev.clew.server.settings.TurnSettings;
import java.time.Duration;
import java.util.Optional;

/** A server with the offline model and its usual limits, in a process of its own. */
final class HostileProgram {
  private HostileProgram() {}

  /** {@code STORE}: prints its port and two tokens, and lives until it is killed. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    SessionStore store = Stores.open(args[0]);
    ClewServer server =
        ClewServer.start(
            ServerSettings.of(store)
                .at("127.0.0.1", 0)
                .openMetrics(true)
                .turns(TurnSettings.DEFAULT.leaseLife(Duration.ofSeconds(1))));
    System.out.println(server.port());
    for (String owner : new String[] {"ann", "bob"}) {
      System.out.println(server.tokens().create(owner, "", Scope.OWN, Optional.empty()).secret());
    }
    System.out.flush();
    Thread.currentThread().join();
  }
}
