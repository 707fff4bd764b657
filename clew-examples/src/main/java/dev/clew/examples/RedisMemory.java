package dev.clew.examples;

import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.Stores;
import java.util.List;

/**
 * Sessions in Redis, for services on several hosts: add clew-redis and open its URL. The rest of
 * the program stays as it is with any other store. Needs a Redis; give its URL as the argument.
 */
public final class RedisMemory {
  private RedisMemory() {}

  static List<String> talk(SessionStore store) {
    Session session = store.session("user_123");
    session.clearSession();
    return BasicSession.talk(session);
  }

  /** Runs the example. */
  public static void main(String[] args) {
    String url = args.length > 0 ? args[0] : "redis://localhost";
    try (SessionStore host = Stores.open(url + "?prefix=example");
        SessionStore otherHost = Stores.open(url + "?prefix=example")) {
      talk(host).forEach(System.out::println);
      System.out.println(
          "Another host sees " + otherHost.session("user_123").getItems().size() + " items.");
    }
  }
}
