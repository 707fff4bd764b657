package dev.clew.examples;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import dev.clew.manage.UserSessions;
import java.time.Duration;

/**
 * One store for all users, each with a session for every type of conversation. The user is part of
 * the session's key, so nobody can get at another's history, whatever ids look like.
 */
public final class ManyUsers {
  private static final Agent AGENT =
      Agent.builder().name("Assistant").instructions("Answer briefly.").build();

  private final UserSessions users;
  private final Runner runner = Runner.with(new OfflineModel());

  ManyUsers(SessionStore store) {
    users = new UserSessions(store);
  }

  /** What a web service would call for each request; may be called by many threads. */
  String handle(String user, String type, String text) {
    return runner.run(AGENT, text, users.getSession(user, type)).finalOutput();
  }

  int removeOlderThan(Duration age) {
    return users.cleanup(age);
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      ManyUsers service = new ManyUsers(store);
      System.out.println(service.handle("user_001", "work", "My name is Ada."));
      System.out.println(service.handle("user_001", "work", "What is my name?"));
      System.out.println(service.handle("user_001", "personal", "What is my name?"));
      System.out.println(service.handle("user_002", "work", "What is my name?"));
      System.out.println("Removed: " + service.removeOlderThan(Duration.ofDays(30)));
    }
  }
}
