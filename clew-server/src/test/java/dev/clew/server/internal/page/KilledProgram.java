package dev.clew.server.internal.page;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.ClewServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.ServerSettings;
import dev.clew.server.settings.TurnSettings;
import java.time.Duration;

/** A server in a process of its own, whose model stops in the middle of its first answer. */
final class KilledProgram {
  private KilledProgram() {}

  /**
   * {@code STORE PORT}: prints its address and the link to sign in, and lives until it is killed.
   */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    SessionStore store = Stores.open(args[0]);
    int port = Integer.parseInt(args[1]);
    ScriptedModel model = new ScriptedModel();
    if (port == 0) {
      model.thenHold("The first half", " and the second");
    }
    ClewServer server =
        ClewServer.start(
            ServerSettings.of(store)
                .at("127.0.0.1", port)
                .model(model, "scripted")
                .turns(TurnSettings.DEFAULT.leaseLife(Duration.ofSeconds(2))));
    System.out.println(server.port());
    System.out.println(server.signInLink());
    System.out.flush();
    Thread.currentThread().join();
  }
}
