package dev.clew.server.internal.sessions;

import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.server.internal.chat.ChatApi;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;

/** The session that a path names, always one of the caller's own. Stateless. */
final class Addressed {
  /** Where the routes of one session are. */
  static final String PATH = "/api/sessions/{session_id}";

  private Addressed() {}

  /** Its key, whether it exists or not. */
  static SessionKey key(Call call) {
    String id = call.path("session_id");
    try {
      return new SessionKey(call.owner(), id);
    } catch (IllegalArgumentException e) {
      throw ChatApi.notFound(id); // nothing can have this id
    }
  }

  /** What is known of it. */
  static SessionInfo info(SessionStore store, Call call) {
    SessionKey key = key(call);
    return store.session(key).info().orElseThrow(() -> ChatApi.notFound(key.id()));
  }

  /** Refuses a position at which the history has no item. */
  static void checkItem(SessionStore store, SessionKey key, long at) {
    if (store.session(key).entries(Range.after(at - 1, 1)).entries().stream()
        .noneMatch(entry -> entry.position() == at)) {
      throw Problem.invalidValue("at", "the session has no item at position " + at);
    }
  }
}
