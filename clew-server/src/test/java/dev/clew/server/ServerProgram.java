package dev.clew.server;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.server.settings.TurnSettings;
import java.time.Duration;

/**
 * A server in a process of its own, whose model first wants to send mail and then begins to answer
 * and never ends.
 */
public final class ServerProgram {
  public static final TurnSettings TURNS =
      TurnSettings.DEFAULT.leaseLife(Duration.ofSeconds(2)).lockWait(Duration.ofSeconds(30));

  private ServerProgram() {}

  /** Prints where it listens, and lives until it is killed. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    SessionStore store = Stores.open(args[0]);
    ScriptedModel model = new ScriptedModel();
    model.thenItems(Item.functionCall("c1", "send_mail", "{\"to\":\"bob\"}"));
    ScriptedModel.Held held = model.thenHold("Half", " and more");
    ClewServer server =
        ClewServer.start(
            ServerSettings.of(store)
                .at("127.0.0.1", 0)
                .model(model, "tiny")
                .chat(ChatSettings.DEFAULT.agent(ChatServers.agent(to -> {})))
                .turns(TURNS));
    System.out.println(server.url());
    System.out.flush();
    held.begun.await();
    Thread.currentThread().join();
  }
}
