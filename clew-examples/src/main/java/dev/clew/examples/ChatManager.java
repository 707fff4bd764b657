package dev.clew.examples;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.manage.ChatMessage;
import dev.clew.manage.ChatSession;
import dev.clew.manage.SessionManager;
import java.time.Duration;
import java.util.List;

/**
 * Sessions of a chat platform by key, as messages with a role and a text, for programs that do not
 * want to know about items. Everything is written through; save only makes sure that an empty
 * session exists.
 */
public final class ChatManager {
  private ChatManager() {}

  static List<String> history(SessionManager sessions, String key) {
    return sessions.getMessages(key, 20).stream()
        .map((ChatMessage message) -> message.role().wire() + ": " + message.content())
        .toList();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    String folder = args.length > 0 ? args[0] : "sessions";
    try (SessionStore store = Stores.open("jsonl:" + folder)) { // a readable file a session
      SessionManager sessions = new SessionManager(store);
      String key = "feishu:oc_xxx";

      ChatSession session = sessions.getOrCreate(key);
      session.setActiveSkill("calendar");
      sessions.addMessage(key, "system", "Be brief."); // not part of the chat below
      sessions.addMessage(key, "user", "Hello");
      sessions.addMessage(key, "assistant", "Hi!");
      history(sessions, key).forEach(System.out::println);

      System.out.println("Sessions: " + sessions.listSessions().size());
      System.out.println("Too old: " + sessions.cleanup(Duration.ofDays(7)));
      sessions.clear(key);
      System.out.println("After clear: " + history(sessions, key));
      System.out.println("Deleted: " + sessions.delete(key));
    }
  }
}
