package dev.clew.redis;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.kit.Pages;
import dev.clew.kit.SessionCursor;
import dev.clew.redis.SessionScripts.Conditions;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists an owner's sessions by merging the lists of its buckets. Thread-safe.
 *
 * <p>A page costs two round trips: some entries of each bucket, and the first sessions. Pinned,
 * archived and tagged sessions have an unordered list in each bucket, which is read as a whole. One
 * script writes a session and its lists, so they agree.
 *
 * @param readOnly whether stray entries must stay
 */
record SessionList(
    Server server,
    Keys keys,
    SessionScripts scripts,
    @Nullable Long defaultLife,
    boolean readOnly) {
  SessionPage page(SessionQuery query, long now) {
    Optional<SessionCursor> cursor =
        query.cursor().map(text -> SessionCursor.decode(query.order(), text));
    Marked marked = Marked.of(query);
    Places places =
        marked == null
            ? new Merge(query, cursor.orElse(null))
            : marked.places(server, keys, query, cursor);
    List<SessionInfo> found = new ArrayList<>();
    while (found.size() <= query.limit()) {
      List<SessionCursor> next = places.next(query.limit() + 1 - found.size());
      if (next.isEmpty()) {
        break;
      }
      for (SessionInfo info : live(query.owner(), next, marked, now)) {
        if (Pages.matches(query, info)) {
          found.add(info);
        }
      }
    }
    return Pages.first(query, found);
  }

  /** Places of sessions in the order of a list. */
  interface Places {
    /** The next ones, at most {@code count}; none at the end. */
    List<SessionCursor> next(int count);
  }

  /** The sessions at these places that exist; stray entries are removed. */
  private List<SessionInfo> live(
      String owner, List<SessionCursor> places, @Nullable Marked marked, long now) {
    List<Keys.OfSession> of =
        places.stream().map(place -> keys.of(new SessionKey(owner, place.id()))).toList();
    List<Map<byte[], byte[]>> hashes =
        server.together(
            of.get(0).session,
            () -> of.stream().map(session -> Ask.hash(session.session)).toList());
    List<SessionInfo> live = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      SessionHash hash = SessionHash.of(hashes.get(i));
      if (hash.isLive(defaultLife, now)) {
        live.add(hash.info(defaultLife));
      } else if (!readOnly) {
        scripts.run(
            Script.DELETE,
            of.get(i),
            now,
            Conditions.FREE,
            "tidy",
            places.get(i).title(),
            marked == null ? "" : marked.mark());
      }
    }
    return live;
  }

  /** The entries of all buckets in the order of the list. Not thread-safe. */
  private final class Merge implements Places {
    /** The entries of one bucket that were read and not used yet. */
    private static final class Bucket {
      final int number;
      final Deque<SessionCursor> entries = new ArrayDeque<>();
      @Nullable SessionCursor last;
      boolean more = true;

      Bucket(int number) {
        this.number = number;
      }

      SessionCursor first() {
        return entries.getFirst();
      }

      void add(List<SessionCursor> read, int asked) {
        more = read.size() == asked;
        for (SessionCursor entry : read) {
          if (last == null || entry.compareTo(last) > 0) {
            entries.add(entry);
          }
        }
        if (!entries.isEmpty()) {
          last = entries.getLast();
        }
      }
    }

    private final SessionQuery query;
    private final String owner;
    private final int chunk;
    private final PriorityQueue<Bucket> buckets =
        new PriorityQueue<>(Comparator.comparing(Bucket::first));

    Merge(SessionQuery query, @Nullable SessionCursor start) {
      this.query = query;
      this.owner = Keys.ownerHash(query.owner());
      this.chunk = query.limit() / 16 + 8;
      List<Bucket> all = new ArrayList<>();
      for (int i = 0; i < Keys.BUCKETS; i++) {
        Bucket bucket = new Bucket(i);
        bucket.last = start;
        all.add(bucket);
      }
      List<List<SessionCursor>> read = read(all, 0, chunk);
      for (Bucket bucket : all) {
        bucket.add(read.get(bucket.number), chunk);
        refill(bucket);
      }
    }

    /** Reads until the bucket has an entry or is at its end. */
    private void refill(Bucket bucket) {
      // Entries of the same time as the last one are read again.
      for (int offset = 0; bucket.entries.isEmpty() && bucket.more; offset += chunk) {
        bucket.add(read(List.of(bucket), offset, chunk).get(0), chunk);
      }
      if (!bucket.entries.isEmpty()) {
        buckets.add(bucket);
      }
    }

    @Override
    public List<SessionCursor> next(int count) {
      List<SessionCursor> next = new ArrayList<>();
      while (next.size() < count && !buckets.isEmpty()) {
        Bucket bucket = buckets.remove();
        next.add(bucket.entries.removeFirst());
        refill(bucket);
      }
      return next;
    }

    /** Entries of each bucket from its last one on. */
    private List<List<SessionCursor>> read(List<Bucket> of, int offset, int count) {
      return query.order() == Order.TITLE
          ? read(of, bucket -> byTitle(bucket, offset, count), this::titled)
          : read(of, bucket -> byTime(bucket, offset, count), this::timed);
    }

    private <T> List<List<SessionCursor>> read(
        List<Bucket> of,
        Function<Bucket, AsyncCommand<byte[], byte[], List<T>>> ask,
        Function<T, SessionCursor> place) {
      return server.together(keys.owners(), () -> of.stream().map(ask).toList()).stream()
          .map(entries -> entries.stream().map(place).toList())
          .toList();
    }

    private AsyncCommand<byte[], byte[], List<ScoredValue<byte[]>>> byTime(
        Bucket bucket, int offset, int count) {
      char list = query.order() == Order.UPDATED ? 'u' : 'c';
      return Ask.scored(
          CommandType.ZRANGEBYSCORE,
          keys.bucket(owner, bucket.number, list),
          bucket.last == null ? "-inf" : -bucket.last.millis(),
          "+inf",
          "WITHSCORES",
          "LIMIT",
          offset,
          count);
    }

    private SessionCursor timed(ScoredValue<byte[]> entry) {
      String id = Wire.text(entry.getValue());
      return new SessionCursor(query.order(), -(long) entry.getScore(), "", id);
    }

    private AsyncCommand<byte[], byte[], List<byte[]>> byTitle(
        Bucket bucket, int offset, int count) {
      SessionCursor last = bucket.last;
      return Ask.values(
          CommandType.ZRANGEBYLEX,
          keys.bucket(owner, bucket.number, 't'),
          last == null ? "-" : "(" + last.title() + "\n" + last.id(),
          "+",
          "LIMIT",
          offset,
          count);
    }

    private SessionCursor titled(byte[] entry) {
      String[] fields = Wire.text(entry).split("\n", 2);
      return new SessionCursor(Order.TITLE, 0, fields[0], fields[1]);
    }
  }
}
