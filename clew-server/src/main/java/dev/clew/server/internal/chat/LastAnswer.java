package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/** The answer to the last message of a session, taken out to make room for another. Immutable. */
final class LastAnswer {
  private static final int PAGE = 64;

  private final long messageAt;
  private final List<Entry> entries;

  private LastAnswer(long messageAt, Collection<Entry> entries) {
    this.messageAt = messageAt;
    this.entries = List.copyOf(entries);
  }

  /** Takes the answer out. The caller has the session for itself. */
  static LastAnswer takeFrom(StoredSession session) {
    Deque<Entry> answer = new ArrayDeque<>();
    OptionalLong message = OptionalLong.empty();
    Range range = Range.latest(PAGE);
    while (message.isEmpty()) {
      EntryPage page = session.entries(range);
      List<Entry> entries = page.entries();
      for (int i = entries.size() - 1; i >= 0 && message.isEmpty(); i--) {
        if (Window.startsTurn(entries.get(i).item())) {
          message = OptionalLong.of(entries.get(i).position());
        } else {
          answer.addFirst(entries.get(i));
        }
      }
      if (message.isEmpty() && (!page.hasMore() || entries.isEmpty())) {
        throw Problem.invalid(
            "nothing_to_answer", null, "The session has no message that could be answered again.");
      }
      range = entries.isEmpty() ? range : Range.before(entries.get(0).position(), PAGE);
    }
    if (!answer.isEmpty()) {
      List<Item> items = answer.stream().map(Entry::item).toList();
      session.commit(Commit.replaceSuffix(items, List.of()));
    }
    return new LastAnswer(message.getAsLong(), answer);
  }

  /** Puts the answer back, if nothing has come in its place. */
  void putBack(StoredSession session) {
    if (entries.isEmpty()) {
      return;
    }
    List<Draft> drafts = entries.stream().map(Draft::of).toList();
    try {
      session.commit(Commit.appendDrafts(drafts).expectTail(messageAt));
    } catch (ClewException.VersionConflict e) {
      // A part of the new answer was stored, or somebody else has said something.
    }
  }
}
