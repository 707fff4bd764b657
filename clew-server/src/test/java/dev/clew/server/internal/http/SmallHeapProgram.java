package dev.clew.server.internal.http;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import java.util.Optional;

/** A server with the offline model, in a process of its own that has little memory. */
final class SmallHeapProgram {
  private SmallHeapProgram() {}

  /** Prints where it listens and two tokens, and lives until it is killed. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    SessionStore store = Stores.open(args[0]);
    ClewServer server =
        ClewServer.start(
            ServerSettings.of(store)
                .at("127.0.0.1", 0)
                .openMetrics(true)
                .limits(LimitSettings.DEFAULT.requestsPerMinute(0))); // tests ask until it is so
    System.out.println(server.url());
    for (String owner : new String[] {"ann", "bob"}) {
      System.out.println(server.tokens().create(owner, "", Scope.OWN, Optional.empty()).secret());
    }
    System.out.flush();
    Thread.currentThread().join();
  }
}
