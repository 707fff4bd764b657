package dev.clew.examples;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.util.List;

/**
 * What has to be closed is the store, by try-with-resources; a session is a handle that owns
 * nothing, and may be made anew for each request.
 */
public final class SessionLifecycle {
  private static final Agent AGENT =
      Agent.builder().name("Assistant").instructions("Answer briefly.").build();

  private SessionLifecycle() {}

  static String chat(SessionStore store, String user, String text) {
    StoredSession session = store.session("user_" + user + "_session");
    List<Item> history = session.getItems(100);
    String answer = Runner.with(new OfflineModel()).run(AGENT, text, session).finalOutput();
    return "(" + history.size() + " items before) " + answer;
  }

  /** Runs the example. */
  public static void main(String[] args) {
    String url = "sqlite:" + (args.length > 0 ? args[0] : "conversations.db");
    try (SessionStore store = Stores.open(url)) {
      System.out.println(chat(store, "ada", "My name is Ada."));
    } // closed: all that was acknowledged is on disk
    try (SessionStore store = Stores.open(url)) {
      System.out.println(chat(store, "ada", "What is my name?"));
    }
  }
}
