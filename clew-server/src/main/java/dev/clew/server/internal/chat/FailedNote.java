package dev.clew.server.internal.chat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.kit.Contended;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The note of a message whose turn failed, such as {@code {"failed":"model_failed"}}, so that it
 * can be seen later and by others. Stateless.
 */
final class FailedNote {
  private static final String NAME = "failed";
  private static final int PAGE = 64;

  private FailedNote() {}

  /** Notes that the last message of a session was not answered. */
  static void set(StoredSession session, String code) {
    change(session, Optional.of(code));
  }

  /** Removes the note, because the message was answered after all. */
  static void remove(StoredSession session) {
    change(session, Optional.empty());
  }

  private static void change(StoredSession session, Optional<String> code) {
    Contended.repeat(
        () -> {
          long version = session.info().map(info -> info.version()).orElse(0L);
          Optional<Commit> noted =
              lastMessage(session)
                  .filter(entry -> !Optional.ofNullable(entry.notes().get(NAME)).equals(code))
                  .map(entry -> noted(entry, code));
          noted.ifPresent(commit -> session.commit(commit.expectVersion(version)));
          return noted;
        });
  }

  private static Commit noted(Entry entry, Optional<String> code) {
    Map<String, Object> notes = new LinkedHashMap<>(entry.notes());
    notes.remove(NAME);
    code.ifPresent(text -> notes.put(NAME, text));
    return Commit.replaceItem(entry.position(), new Draft(entry.item(), notes));
  }

  private static Optional<Entry> lastMessage(StoredSession session) {
    for (Entry entry : Range.latest(PAGE).walk(session::entries)) {
      if (Window.startsTurn(entry.item())) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }
}
