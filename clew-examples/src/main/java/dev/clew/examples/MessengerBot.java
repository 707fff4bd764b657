package dev.clew.examples;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.Window;
import dev.clew.agent.Agent;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunInput;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;

/**
 * A bot behind a messenger. A chat has its own session, by platform and chat or user. Messengers
 * deliver a message again when the answer comes late: its id as the operation id makes the second
 * delivery get the first answer, without asking the model or storing anything twice.
 */
public final class MessengerBot {
  /** What the platform delivers. */
  record Message(String id, String chatType, String chatId, String userId, String text) {
    String sessionId() {
      return "feishu:" + (chatType.equals("group") ? chatId : userId);
    }
  }

  private static final Agent AGENT =
      Agent.builder().name("Bot").instructions("Answer briefly.").build();

  private final SessionStore store;
  private final Runner runner = Runner.with(new OfflineModel());

  MessengerBot(SessionStore store) {
    this.store = store;
  }

  String onMessage(Message message) {
    RunConfig config =
        RunConfig.DEFAULT
            .session(store.session(message.sessionId()))
            .operationId(message.id())
            .window(Window.lastMessages(20));
    return runner.run(AGENT, RunInput.text(message.text()), config).finalOutput();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      MessengerBot bot = new MessengerBot(store);
      Message first = new Message("om_1", "private", "oc_9", "ou_ada", "My name is Ada.");
      System.out.println(bot.onMessage(first));
      System.out.println(bot.onMessage(first)); // delivered again
      System.out.println(
          bot.onMessage(new Message("om_2", "private", "oc_9", "ou_ada", "Who am I?")));
      System.out.println(
          bot.onMessage(new Message("om_3", "group", "oc_5", "ou_ada", "Who am I?")));
      System.out.println(store.session("feishu:ou_ada").getItems().size() + " items");
    }
  }
}
