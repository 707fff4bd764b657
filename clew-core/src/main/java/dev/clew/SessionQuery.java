package dev.clew;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Which sessions of one owner to list, and in what order. Immutable.
 *
 * <p>Every store has an index of the sessions that are pinned, that are archived, and that have
 * tags: the cost of such a page does not depend on how many other sessions there are.
 *
 * @param owner whose sessions
 * @param order newest-updated first by default
 * @param limit 1 to 1,000
 * @param cursor where the previous page ended, see {@link SessionPage#next()}
 * @param archived only archived ones, or only the others
 * @param pinned only pinned ones, or only the others
 * @param tag only those with this tag
 * @param updatedAfter only those updated after this
 * @param updatedBefore only those updated before this
 * @param titleContains only those whose title contains this, ignoring case
 */
public record SessionQuery(
    String owner,
    Order order,
    int limit,
    Optional<String> cursor,
    Optional<Boolean> archived,
    Optional<Boolean> pinned,
    Optional<String> tag,
    Optional<Instant> updatedAfter,
    Optional<Instant> updatedBefore,
    Optional<String> titleContains) {
  /** The most sessions on one page. */
  public static final int MAX_LIMIT = 1000;

  /**
   * How a list is ordered. Titles, and ids where sessions tie, are ordered by Unicode code point,
   * on every store: an emoji (beyond U+FFFF) comes after a full-width letter (U+FF21).
   */
  public enum Order {
    /** Newest-updated first. */
    UPDATED,
    /** Newest first. */
    CREATED,
    /** By title, ignoring case; untitled ones first. */
    TITLE
  }

  /** Checks owner and limit. */
  public SessionQuery {
    SessionKey.checkOwner(owner);
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MAX_LIMIT);
    }
  }

  /** The 50 newest-updated sessions of an owner. */
  public static SessionQuery of(String owner) {
    return new SessionQuery(
        owner,
        Order.UPDATED,
        50,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** In another order. */
  public SessionQuery order(Order value) {
    return with(copy -> copy.order = value);
  }

  /** With pages of another size. */
  public SessionQuery limit(int value) {
    return with(copy -> copy.limit = value);
  }

  /** Starting where a page ended. */
  public SessionQuery cursor(String value) {
    return with(copy -> copy.cursor = Optional.of(value));
  }

  /** Only archived sessions, or only the others. */
  public SessionQuery archived(boolean value) {
    return with(copy -> copy.archived = Optional.of(value));
  }

  /** Only pinned sessions, or only the others. */
  public SessionQuery pinned(boolean value) {
    return with(copy -> copy.pinned = Optional.of(value));
  }

  /** Only sessions with this tag. */
  public SessionQuery tag(String value) {
    return with(copy -> copy.tag = Optional.of(value));
  }

  /** Only sessions updated after this. */
  public SessionQuery updatedAfter(Instant value) {
    return with(copy -> copy.updatedAfter = Optional.of(value));
  }

  /** Only sessions updated before this. */
  public SessionQuery updatedBefore(Instant value) {
    return with(copy -> copy.updatedBefore = Optional.of(value));
  }

  /** Only sessions whose title contains this. */
  public SessionQuery titleContains(String value) {
    return with(copy -> copy.titleContains = Optional.of(value));
  }

  /** The sessions of this page and all that follow, each page read when it is needed. */
  public Iterable<SessionInfo> walk(Function<SessionQuery, SessionPage> read) {
    return () ->
        new PageWalk<>(
            this,
            query -> {
              SessionPage page = read.apply(query);
              return new PageWalk.Page<>(page.sessions(), page.next().map(query::cursor));
            });
  }

  private SessionQuery with(Consumer<Copy> change) {
    Copy copy = new Copy();
    change.accept(copy);
    return copy.done();
  }

  /** A copy in which one field is set. */
  private final class Copy {
    Order order = SessionQuery.this.order;
    int limit = SessionQuery.this.limit;
    Optional<String> cursor = SessionQuery.this.cursor;
    Optional<Boolean> archived = SessionQuery.this.archived;
    Optional<Boolean> pinned = SessionQuery.this.pinned;
    Optional<String> tag = SessionQuery.this.tag;
    Optional<Instant> updatedAfter = SessionQuery.this.updatedAfter;
    Optional<Instant> updatedBefore = SessionQuery.this.updatedBefore;
    Optional<String> titleContains = SessionQuery.this.titleContains;

    SessionQuery done() {
      return new SessionQuery(
          owner,
          order,
          limit,
          cursor,
          archived,
          pinned,
          tag,
          updatedAfter,
          updatedBefore,
          titleContains);
    }
  }
}
