package dev.clew.examples;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.View;
import java.util.List;

/**
 * The four operations of a session, without a runner: read, add, take back, clear. They are enough
 * to build "undo", "new chat" or an audit, and work on every kind of session.
 */
public final class EditHistory {
  private EditHistory() {}

  /** Adds a message and takes the newest item back; who it was from. */
  static String addAndUndo(Session session) {
    session.addItems(List.of(Item.user("Let's continue later.")));
    Item undone = session.popItem().orElseThrow(); // empty if there is nothing to take back
    return undone.view() instanceof View.Message message ? message.role().wire() : undone.type();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session =
        new MemorySession(
            "chat", List.of(Item.user("Where is the bridge?"), Item.assistant("San Francisco.")));

    System.out.println("Loaded " + session.getItems().size() + " prior items.");
    System.out.println("Took back what the " + addAndUndo(session) + " said.");
    session.getItems(1).forEach(item -> System.out.println("The newest item: " + item.json()));
    session.clearSession();
    System.out.println("After clearing: " + session.getItems().size() + " items.");
  }
}
