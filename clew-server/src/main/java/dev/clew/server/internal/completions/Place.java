package dev.clew.server.internal.completions;

import dev.clew.SessionKey;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where the record of a request goes. Immutable.
 *
 * @param root the session that the client names; the session itself if it names none
 * @param kind how it gets there
 * @param position of the newest item, to append; of the item that is replaced, for a branch
 * @param matched how many steps of the request are there already
 * @param chain the digest of what is there
 * @param system the digest of the instructions that were recorded last, if known
 * @param calls the ids of the last tool calls as they are recorded
 * @param marked whether the session is known to have notes
 */
record Place(
    SessionKey session,
    String root,
    Kind kind,
    OptionalLong position,
    int matched,
    String chain,
    String system,
    List<String> calls,
    boolean marked) {
  enum Kind {
    NEW,
    APPEND,
    BRANCH
  }

  static Place fresh(SessionKey session) {
    return new Place(
        session,
        session.id(),
        Kind.NEW,
        OptionalLong.empty(),
        0,
        Steps.START,
        "",
        List.of(),
        false);
  }
}
