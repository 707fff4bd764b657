package dev.clew.redis;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.internal.DamageReports;
import io.lettuce.core.ScoredValue;
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
  private static final byte[] WITHSCORES = Keys.bytes("WITHSCORES");

  private final Server server;
  private final Keys keys;
  private final Changes changes;
  private final DamageReports damage;
  private final @Nullable Long defaultLife;

  HistoryReader(
      Server server,
      Keys keys,
      Changes changes,
      DamageReports damage,
      @Nullable Long defaultLife) {
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
    String from = limit == Integer.MAX_VALUE ? "0" : "-" + limit;
    List<byte[]> members =
        members(
            of,
            () -> Ask.values(CommandType.ZRANGE, Ask.args(of.items()).add(from).add(-1)),
            now);
    List<Item> items = new ArrayList<>(members.size());
    for (byte[] member : members) {
      Item item = Member.item(member);
      if (item == null) {
        return read(key, Range.latest(limit), now).items();
      }
      items.add(item);
    }
    return Collections.unmodifiableList(items);
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

  /** A member and the position it stands at, damaged or not. */
  record Placed(long position, byte[] member, boolean compacted) {
    Optional<Entry> entry() {
      return Member.entry(member, compacted);
    }
  }

  private static List<Placed> placed(List<ScoredValue<byte[]>> members) {
    return members.stream()
        .map(member -> new Placed((long) member.getScore(), member.getValue(), false))
        .toList();
  }

  /** Members and positions as scripts return them. */
  static List<Placed> placed(List<?> flat, boolean compacted) {
    List<Placed> placed = new ArrayList<>(flat.size() / 2);
    for (int i = 0; i < flat.size(); i += 2) {
      double score = Double.parseDouble(SessionHash.text((byte[]) flat.get(i + 1)));
      placed.add(new Placed((long) score, (byte[]) flat.get(i), compacted));
    }
    return placed;
  }

  EntryPage read(SessionKey key, Range range, long now) {
    Keys.OfSession of = keys.of(key);
    // If damaged members are in the way, more are read until there are enough.
    for (long want = range.limit() + 1L; ; want = want * 2 + 16) {
      List<Placed> found =
          range.includeCompacted() ? compacted(of, range, want, now) : live(of, range, want, now);
      List<Entry> entries = new ArrayList<>(found.size());
      for (Placed placed : found) {
        if (entries.size() > range.limit()) {
          break;
        }
        Optional<Entry> entry = placed.entry();
        if (entry.isPresent()) {
          entries.add(entry.get());
        } else {
          damage.found(key.toString(), placed.position());
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

  private List<Placed> live(Keys.OfSession of, Range range, long want, long now) {
    String cursor = range.cursor().isPresent() ? "(" + range.cursor().getAsLong() : "";
    String from = !cursor.isEmpty() ? cursor : range.backward() ? "+inf" : "-inf";
    CommandType type =
        range.backward() ? CommandType.ZREVRANGEBYSCORE : CommandType.ZRANGEBYSCORE;
    return placed(
        members(
            of,
            () ->
                Ask.scored(
                    type,
                    Ask.args(of.items())
                        .add(from)
                        .add(range.backward() ? "-inf" : "+inf")
                        .add(WITHSCORES)
                        .add("LIMIT")
                        .add(0)
                        .add(want)),
            now));
  }

  private List<Placed> compacted(Keys.OfSession of, Range range, long want, long now) {
    List<Object> found =
        server.repeat(
            Script.COMPACTED,
            new byte[][] {of.session(), of.items(), of.archive(), of.archivePlaces()},
            Keys.bytes(
                range.cursor().isPresent() ? Long.toString(range.cursor().getAsLong()) : ""),
            Changes.flag(range.backward()),
            Changes.number(want));
    SessionHash session = SessionHash.ofHead((List<?>) found.get(0));
    if (!session.isLive(defaultLife, now)) {
      return List.of();
    }
    List<Placed> archived = new ArrayList<>();
    for (Placed placed : placed((List<?>) found.get(1), true)) {
      // In the archive the score is the place there; the position is in the member.
      long position = placed.entry().map(Entry::position).orElse(placed.position());
      archived.add(new Placed(position, placed.member(), true));
    }
    List<Placed> live = placed((List<?>) found.get(2), false);
    List<Placed> all = new ArrayList<>(range.backward() ? live : archived);
    all.addAll(range.backward() ? archived : live);
    return all;
  }

  /** The newest members and the version of the session, which may have grown since. */
  record Tail(SessionHash session, List<Placed> newestFirst) {}

  /** Enough of the newest members to have so many readable ones, if there are. */
  Tail tail(Keys.OfSession of, int readable) {
    for (long want = readable; ; want = want * 2 + 16) {
      long stop = want - 1;
      Server.Both<List<byte[]>, List<ScoredValue<byte[]>>> answer =
          server.both(
              of.items(),
              () -> Ask.head(of.session()),
              () ->
                  Ask.scored(
                      CommandType.ZREVRANGE,
                      Ask.args(of.items()).add(0).add(stop).add(WITHSCORES)));
      List<Placed> found = placed(answer.second());
      long count = found.stream().filter(placed -> placed.entry().isPresent()).count();
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
    return members(
            of,
            () ->
                Ask.values(
                    CommandType.ZRANGEBYSCORE, Ask.args(of.items()).add(position).add(position)),
            now)
        .stream()
        .findFirst()
        .flatMap(member -> Member.entry(member, false));
  }
}
