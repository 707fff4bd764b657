package dev.clew.examples;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.Window;
import java.util.List;

/**
 * Keeps a stored history from growing for ever: at most so many of the newest items stay, whole
 * turns only. It is one transaction, so items that arrive meanwhile are kept, and what was taken
 * out goes to the session's archive. To only show the model less, use a window instead.
 */
public final class ManageHistory {
  private ManageHistory() {}

  /** Whether there was something to take out. */
  static boolean trim(StoredSession session, int maxItems) {
    int kept = Window.lastItems(maxItems).read(session).size();
    List<Entry> newest = session.entries(Range.latest(kept + 1)).entries();
    if (newest.size() <= kept) {
      return false;
    }
    session.commit(Commit.replacePrefix(newest.get(0).position(), List.of()));
    return true;
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      StoredSession session = store.session("chat");
      for (int i = 1; i <= 40; i++) {
        session.addItems(List.of(Item.user("Question " + i), Item.assistant("Answer " + i)));
      }
      System.out.println("Trimmed: " + trim(session, 50));
      System.out.println(session.getItems().size() + " items, from " + session.getItems().get(0));
      System.out.println("Trimmed: " + trim(session, 50));
    }
  }
}
