package dev.clew.examples;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import java.util.List;

/**
 * To begin anew with some context, replace the whole history by a system message, in one
 * transaction; title and tags stay. Clearing and then adding would leave an empty session if the
 * program died between the two.
 */
public final class ResetWithContext {
  private ResetWithContext() {}

  static void reset(StoredSession session, String context) {
    session.replaceHistory(List.of(Item.system(context)));
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      StoredSession session = store.session("chat");
      session.addItems(List.of(Item.user("Hello"), Item.assistant("Hi!")));
      reset(session, "The user has moved from Berlin to Oslo.");
      session.getItems().forEach(System.out::println);
    }
  }
}
