package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.Entries;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The answer to the last message of a session, removed to make room for another. Immutable. */
record LastAnswer(long messageAt, List<Entry> entries) {
  private static final int PAGE = 64;

  /** Removes the answer. The caller must have locked the session. */
  static LastAnswer takeFrom(StoredSession session) {
    Deque<Entry> answer = new ArrayDeque<>();
    for (Entry entry : Entries.newestFirst(session, PAGE)) {
      if (Window.startsTurn(entry.item())) {
        if (!answer.isEmpty()) {
          List<Item> items = answer.stream().map(Entry::item).toList();
          session.commit(Commit.replaceSuffix(items, List.of()));
        }
        return new LastAnswer(entry.position(), List.copyOf(answer));
      }
      answer.addFirst(entry);
    }
    throw Problem.invalid("nothing_to_answer", null, "The session has no message to answer again.");
  }

  /** Restores the answer unless something has taken its place. */
  void putBack(StoredSession session) {
    if (entries.isEmpty()) {
      return;
    }
    List<Draft> drafts = entries.stream().map(Draft::of).toList();
    try {
      session.commit(Commit.appendDrafts(drafts).expectTail(messageAt));
    } catch (ClewException.VersionConflict e) {
      // Part of the new answer was stored, or something else was said.
    }
  }
}
