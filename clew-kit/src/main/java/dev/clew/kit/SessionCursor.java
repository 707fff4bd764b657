package dev.clew.kit;

import dev.clew.SessionInfo;
import dev.clew.SessionQuery.Order;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;

/**
 * A position in a list of one owner's sessions: the value it is ordered by, and the id that breaks
 * ties. Immutable. Two cursors compare only within one order.
 *
 * @param order the order of the list
 * @param millis the time ordered by; 0 when ordered by title
 * @param title the title in lower case; empty unless ordered by title
 * @param id the session's id
 */
public record SessionCursor(Order order, long millis, String title, String id)
    implements Comparable<SessionCursor> {
  private static final Comparator<SessionCursor> PLACES =
      Comparator.comparing(SessionCursor::millis, Comparator.<Long>reverseOrder())
          .thenComparing(SessionCursor::title, TextOrder.BY_CODE_POINT)
          .thenComparing(SessionCursor::id, TextOrder.BY_CODE_POINT);

  /** The cursor of a session in a list of that order. */
  public static SessionCursor of(Order order, SessionInfo info) {
    return of(order, info.createdAt(), info.updatedAt(), info.title(), info.key().id());
  }

  /** The cursor of a session with these times, title and id. */
  public static SessionCursor of(
      Order order, Instant createdAt, Instant updatedAt, String title, String id) {
    return switch (order) {
      case UPDATED -> new SessionCursor(order, updatedAt.toEpochMilli(), "", id);
      case CREATED -> new SessionCursor(order, createdAt.toEpochMilli(), "", id);
      case TITLE -> new SessionCursor(order, 0, Pages.titleKey(title), id);
    };
  }

  /** The cursor as text that needs no escaping in a URL. */
  public String encode() {
    // Neither titles nor ids have line ends.
    String text = order.name().charAt(0) + "" + millis + "\n" + title + "\n" + id;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The cursor in a text that {@link #encode} returned.
   *
   * @throws IllegalArgumentException if it did not, or for a list of another order
   */
  public static SessionCursor decode(Order order, String text) {
    try {
      String[] fields =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(text)))
              .toString()
              .split("\n", -1);
      if (fields.length == 3 && fields[0].startsWith(order.name().substring(0, 1))) {
        long millis = Long.parseLong(fields[0].substring(1));
        return new SessionCursor(order, millis, fields[1], fields[2]);
      }
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw bad(order, e);
    }
    throw bad(order, null);
  }

  private static IllegalArgumentException bad(
      Order order, @org.jspecify.annotations.Nullable Exception cause) {
    return new IllegalArgumentException(
        "the cursor is not one of a list ordered by "
            + order
            + "; pass SessionPage.next() of the page before, with the same order",
        cause);
  }

  @Override
  public int compareTo(SessionCursor other) {
    return PLACES.compare(this, other);
  }
}
