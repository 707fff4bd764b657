package dev.clew.examples;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Undo by items works on every session. A session of a store can also take back a whole turn, from
 * the user's message on, in one step: mostly that is what "undo" means.
 */
public final class UndoItems {
  private UndoItems() {}

  /** Takes back the last {@code n} items, or as many as there are; the newest comes first. */
  static List<Item> undo(Session session, int n) {
    List<Item> undone = new ArrayList<>();
    while (undone.size() < n) {
      Optional<Item> item = session.popItem();
      if (item.isEmpty()) {
        break;
      }
      undone.add(item.get());
    }
    return undone;
  }

  static List<Item> undoTurn(StoredSession session) {
    return session.undoTurn();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      StoredSession session = store.session("chat");
      for (int i = 1; i <= 4; i++) {
        session.addItems(List.of(Item.user("Question " + i), Item.assistant("Answer " + i)));
      }
      System.out.println("Took back a turn of " + undoTurn(session).size() + " items.");
      System.out.println("Took back " + undo(session, 3).size() + " items.");
      System.out.println(session.getItems().size() + " items are left.");
    }
  }
}
