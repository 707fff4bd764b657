package dev.clew.examples;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import java.util.List;
import java.util.function.Predicate;

/**
 * Clearing cannot be undone, so ask first. How many items there are the store knows without reading
 * them.
 */
public final class ClearWithConfirmation {
  private ClearWithConfirmation() {}

  static String clear(StoredSession session, Predicate<String> confirm) {
    long items = session.info().map(info -> info.itemCount()).orElse(0L);
    if (items == 0) {
      return "The session is empty already.";
    }
    if (!confirm.test("Delete " + items + " items?")) {
      return "Nothing was deleted.";
    }
    session.clearSession();
    return "The session is empty now.";
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      StoredSession session = store.session("chat");
      session.addItems(List.of(Item.user("Hello"), Item.assistant("Hi!")));
      System.out.println(clear(session, question -> answer(question, "no")));
      System.out.println(clear(session, question -> answer(question, "yes")));
      System.out.println(clear(session, question -> answer(question, "yes")));
    }
  }

  /** Where a program would read the console. */
  private static boolean answer(String question, String typed) {
    System.out.println(question + " (yes/no) " + typed);
    return typed.equals("yes");
  }
}
