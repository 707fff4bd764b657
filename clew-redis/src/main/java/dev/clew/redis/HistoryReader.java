package dev.clew.redis;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.internal.DamageReports;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads histories. Thread-safe. */
final class HistoryReader {
  private final Server server;
  private final Keys keys;
  private final Changes changes;
  private final DamageReports damage;
  private final @Nullable Long defaultLife;

  HistoryReader(
      Server server, Keys keys, Changes changes, DamageReports damage, @Nullable Long defaultLife) {
    this.server = server;
    this.keys = keys;
    this.changes = changes;
    this.damage = damage;
    this.defaultLife = defaultLife;
  }

  /** The newest items, oldest first. */
  List<Item> items(SessionKey key, int limit, long now) {
    if (limit == 0) {
      return List.of();
    }
    Keys.OfSession of = keys.of(key);
    int last = limit == Integer.MAX_VALUE ? -1 : limit - 1;
    List<byte[]> members =
        members(
            of, () -> Ask.values(CommandType.LRANGE, Ask.args(of.items()).add(0).add(last)), now);
    Item[] items = new Item[members.size()];
    for (int i = 0; i < items.length; i++) {
      Item item = Member.item(members.get(i));
      if (item == null) {
        return read(key, Range.latest(limit), now).items();
      }
      items[items.length - 1 - i] = item;
    }
    return List.of(items);
  }

  /*
   * Two commands in one round trip. The session may change between them; then what is read is of the
   * later moment, and whether it had expired of the earlier, which both are moments of this call.
   */
  private <T> List<T> members(
      Keys.OfSession of, Supplier<AsyncCommand<byte[], byte[], List<T>>> command, long now) {
    Server.Both<List<byte[]>, List<T>> found =
        server.both(of.items(), () -> Ask.head(of.session()), command);
    SessionHash session = SessionHash.ofHead(found.first());
    changes.check(of, session.version());
    return session.isLive(defaultLife, now) ? found.second() : List.of();
  }

  /** A member of a history or of its archive, damaged or not. */
  static final class Found {
    private final byte[] member;
    private final boolean compacted;

    private Found(byte[] member, boolean compacted) {
      this.member = member;
      this.compacted = compacted;
    }

    Optional<Entry> entry() {
      return Member.entry(member, compacted);
    }
  }

  private static List<Found> found(List<?> members, boolean compacted) {
    List<Found> found = new ArrayList<>(members.size());
    members.forEach(member -> found.add(new Found((byte[]) member, compacted)));
    return found;
  }

  EntryPage read(SessionKey key, Range range, long now) {
    Keys.OfSession of = keys.of(key);
    // If damaged members are in the way, more are read until there are enough.
    for (long want = range.limit() + 1L; ; want = want * 2 + 16) {
      List<Found> found = found(of, range, want, now);
      List<Entry> entries = new ArrayList<>(found.size());
      for (Found each : found) {
        if (entries.size() > range.limit()) {
          break;
        }
        Optional<Entry> entry = each.entry();
        if (entry.isPresent()) {
          entries.add(entry.get());
        } else {
          damage.found(key.toString(), Member.position(each.member).orElse(0));
        }
      }
      boolean more = entries.size() > range.limit();
      if (more || found.size() < want) {
        if (more) {
          entries.remove(entries.size() - 1);
        }
        if (range.backward()) {
          Collections.reverse(entries);
        }
        return new EntryPage(entries, more);
      }
    }
  }

  /** Members in the direction of reading, of one moment. */
  private List<Found> found(Keys.OfSession of, Range range, long want, long now) {
    List<Object> answer =
        server.repeat(
            Script.READ,
            new byte[][] {of.session(), of.items(), of.archive(), of.archivePlaces()},
            Keys.bytes(range.cursor().isPresent() ? Long.toString(range.cursor().getAsLong()) : ""),
            Changes.flag(range.backward()),
            Changes.number(want),
            Changes.flag(range.includeCompacted()));
    SessionHash session = SessionHash.ofHead((List<?>) answer.get(0));
    changes.check(of, session.version());
    if (!session.isLive(defaultLife, now)) {
      return List.of();
    }
    List<Found> all = found((List<?>) answer.get(1), true);
    List<Found> live = found((List<?>) answer.get(2), false);
    Collections.reverse(live);
    all.addAll(live);
    if (range.backward()) {
      Collections.reverse(all);
    }
    return all;
  }

  /** All members up to and including a position. */
  List<byte[]> upTo(Keys.OfSession of, long position, long now) {
    Range range =
        position == Long.MAX_VALUE
            ? Range.latest(Integer.MAX_VALUE)
            : Range.before(position + 1, Integer.MAX_VALUE);
    List<Found> found = found(of, range, Integer.MAX_VALUE, now);
    Collections.reverse(found);
    return found.stream().map(each -> each.member).toList();
  }

  /** The newest members and the version of the session, which may have grown since. */
  record Tail(SessionHash session, List<Found> newestFirst) {}

  /** Enough of the newest members to have so many readable ones, if there are. */
  Tail tail(Keys.OfSession of, int readable) {
    for (long want = readable; ; want = want * 2 + 16) {
      long last = want - 1;
      Server.Both<List<byte[]>, List<byte[]>> answer =
          server.both(
              of.items(),
              () -> Ask.head(of.session()),
              () -> Ask.values(CommandType.LRANGE, Ask.args(of.items()).add(0).add(last)));
      List<Found> found = found(answer.second(), false);
      long count = found.stream().filter(each -> each.entry().isPresent()).count();
      if (count >= readable || found.size() < want) {
        return new Tail(SessionHash.ofHead(answer.first()), found);
      }
    }
  }

  Optional<Entry> find(SessionKey key, String itemId, long now) {
    Keys.OfSession of = keys.of(key);
    String prefix = Keys.item(itemId) + ":";
    List<byte[]> places =
        server.get(
            of.ids(),
            redis ->
                redis.zrangebylex(
                    of.ids(),
                    io.lettuce.core.Range.from(
                        io.lettuce.core.Range.Boundary.including(Keys.bytes(prefix)),
                        io.lettuce.core.Range.Boundary.excluding(
                            Keys.bytes(Keys.item(itemId) + ";")))));
    return places.stream()
        .map(place -> Long.parseLong(SessionHash.text(place).substring(prefix.length())))
        .sorted(Collections.reverseOrder())
        .map(position -> at(of, position, now))
        .flatMap(Optional::stream)
        .filter(entry -> entry.item().id().filter(itemId::equals).isPresent())
        .findFirst();
  }

  private Optional<Entry> at(Keys.OfSession of, long position, long now) {
    return found(of, Range.after(position - 1, 1), 1, now).stream()
        .findFirst()
        .flatMap(Found::entry)
        .filter(entry -> entry.position() == position);
  }
}
