package dev.clew.server.internal.chat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.Entries;

/** The session that a request names, always one of the caller's. Stateless. */
public final class Addressed {
  public static final String PATH = "/api/sessions/{session_id}";

  private Addressed() {}

  public static SessionKey key(Call call) {
    return key(call.owner(), call.path("session_id"));
  }

  public static SessionKey key(String owner, String id) {
    try {
      return new SessionKey(owner, id);
    } catch (IllegalArgumentException e) {
      throw notFound(id); // no session can have this id
    }
  }

  /** The key of a session that is to be created, or of one in the query. */
  public static SessionKey given(String owner, String id) {
    try {
      return new SessionKey(owner, id);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue("session_id", e.getMessage());
    }
  }

  public static SessionInfo info(SessionStore store, Call call) {
    return info(store, key(call));
  }

  public static SessionInfo info(SessionStore store, SessionKey key) {
    return store.session(key).info().orElseThrow(() -> notFound(key.id()));
  }

  public static void checkItem(SessionStore store, SessionKey key, long at) {
    if (Entries.at(store.session(key), at, false).isEmpty()) {
      throw Problem.invalidValue("at", "the session has no item at position " + at);
    }
  }

  /** The same response for a missing session and for another owner's. */
  public static Problem notFound(String id) {
    return Problem.refused(404, "session_not_found", null, "Session '" + id + "' not found.");
  }

  public static Problem exists(String id) {
    return Problem.refused(
        409, "session_exists", "session_id", "Session '" + id + "' exists already.");
  }
}
