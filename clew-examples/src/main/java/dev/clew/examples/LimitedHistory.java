package dev.clew.examples;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionSettings;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.Window;
import dev.clew.agent.Agent;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunInput;
import dev.clew.agent.Runner;
import dev.clew.agent.TokenWindow;
import dev.clew.demo.OfflineModel;
import java.util.List;

/**
 * Three ways to show a model less than everything: a limit for all reads of a session, one for a
 * run, and a window, which never cuts a turn in half. The stored history is not touched.
 */
public final class LimitedHistory {
  private static final SessionKey KEY = SessionKey.of("chat");

  private LimitedHistory() {}

  static String ask(RunConfig config) {
    Agent agent = Agent.builder().name("Assistant").instructions("Answer briefly.").build();
    return Runner.with(new OfflineModel())
        .run(agent, RunInput.text("What is my name?"), config)
        .finalOutput();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      StoredSession session = store.session(KEY);
      session.addItems(List.of(Item.user("My name is Ada."), Item.assistant("Hello Ada.")));
      session.addItems(List.of(Item.user("Thanks!"), Item.assistant("You are welcome.")));

      System.out.println(ask(RunConfig.DEFAULT.session(session)));
      System.out.println(
          ask(RunConfig.DEFAULT.session(store.session(KEY).with(SessionSettings.limit(2)))));
      RunConfig run = RunConfig.DEFAULT.session(session);
      System.out.println(ask(run.sessionSettings(SessionSettings.limit(2))));
      System.out.println(ask(run.window(Window.lastTurns(2))));
      System.out.println(ask(run.window(TokenWindow.of(8000))));
    }
  }
}
