package dev.clew.server.internal.sessions;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.Entries;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether an answer was good: a note beside its item, {@code {"rating":"up"}}, perhaps with a
 * {@code reason}. Thread-safe.
 */
final class Ratings {
  private static final int MOST_BYTES = 1 << 16;
  private static final int ATTEMPTS = 50;
  private static final int LONGEST_REASON = 2_000;

  private final SessionStore store;
  private final boolean strict;

  Ratings(SessionStore store, boolean strict) {
    this.store = store;
    this.strict = strict;
  }

  void rate(Call call) {
    Fields body = Fields.of(call, MOST_BYTES, strict, Set.of("rating", "reason"));
    if (body.given("rating").isEmpty()) {
      throw Problem.missing("rating");
    }
    Optional<String> rating = body.text("rating");
    Optional<String> reason = body.text("reason", LONGEST_REASON);
    if (rating.isPresent() && !Set.of("up", "down").contains(rating.get())) {
      throw Problem.invalidValue("rating", "supported values are 'up', 'down' and null");
    }
    for (int attempt = 1; ; attempt++) {
      SessionInfo info = Addressed.info(store, call);
      Entry entry = entry(call, info);
      Map<String, Object> notes = new LinkedHashMap<>(entry.notes());
      notes.remove("reason");
      notes.remove("rating");
      rating.ifPresent(value -> notes.put("rating", value));
      rating.flatMap(value -> reason).ifPresent(text -> notes.put("reason", text));
      Commit change =
          Commit.replaceItem(entry.position(), new Draft(entry.item(), notes))
              .expectVersion(info.version());
      try {
        var unused = store.session(info.key()).commit(change);
        call.reply(
            SessionJson.entry(
                new Entry(
                    entry.position(), entry.item(), entry.addedAt(), notes, entry.compacted())));
        return;
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private Entry entry(Call call, SessionInfo info) {
    String text = call.path("position");
    long position = text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    return Entries.at(store.session(info.key()), position, false)
        .orElseThrow(
            () ->
                Problem.refused(
                    404, "item_not_found", null, "The session has no item at '" + text + "'."));
  }
}
