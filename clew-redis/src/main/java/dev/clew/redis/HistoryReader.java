package dev.clew.redis;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.internal.DamageReports;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.ScoredValueListOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
            CommandType.ZRANGE,
            values(),
            args().addKey(of.items()).add(from).add(-1),
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
      Keys.OfSession of,
      CommandType type,
      CommandOutput<byte[], byte[], List<T>> output,
      CommandArgs<byte[], byte[]> range,
      long now) {
    Found<T> found = found(of, type, output, range);
    changes.check(of, found.session().version());
    return found.session().isLive(defaultLife, now) ? found.members() : List.of();
  }

  private record Found<T>(SessionHash session, List<T> members) {}

  private <T> Found<T> found(
      Keys.OfSession of,
      CommandType type,
      CommandOutput<byte[], byte[], List<T>> output,
      CommandArgs<byte[], byte[]> range) {
    return server.raw(
        of.items(),
        (connection, ends) -> {
          AsyncCommand<byte[], byte[], List<byte[]>> head =
              new AsyncCommand<>(
                  new Command<>(
                      CommandType.HMGET,
                      new ValueListOutput<>(ByteArrayCodec.INSTANCE),
                      args().addKey(of.session()).addValues(SessionHash.HEAD)));
          AsyncCommand<byte[], byte[], List<T>> members =
              new AsyncCommand<>(new Command<>(type, output, range));
          connection.dispatch(List.of(head, members));
          return new Found<>(
              SessionHash.ofHead(Server.await(head, ends)), Server.await(members, ends));
        });
  }

  private static CommandArgs<byte[], byte[]> args() {
    return new CommandArgs<>(ByteArrayCodec.INSTANCE);
  }

  private static CommandOutput<byte[], byte[], List<byte[]>> values() {
    return new ValueListOutput<>(ByteArrayCodec.INSTANCE);
  }

  private static CommandOutput<byte[], byte[], List<ScoredValue<byte[]>>> scored() {
    return new ScoredValueListOutput<>(ByteArrayCodec.INSTANCE);
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
    CommandArgs<byte[], byte[]> args = args().addKey(of.items());
    if (range.backward()) {
      args.add(range.cursor().isPresent() ? "(" + range.cursor().getAsLong() : "+inf").add("-inf");
    } else {
      args.add(range.cursor().isPresent() ? "(" + range.cursor().getAsLong() : "-inf").add("+inf");
    }
    args.add(WITHSCORES).add("LIMIT").add(0).add(want);
    CommandType type =
        range.backward() ? CommandType.ZREVRANGEBYSCORE : CommandType.ZRANGEBYSCORE;
    return placed(members(of, type, scored(), args, now));
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
      Found<ScoredValue<byte[]>> answer =
          found(
              of,
              CommandType.ZREVRANGE,
              scored(),
              args().addKey(of.items()).add(0).add(want - 1).add(WITHSCORES));
      List<Placed> found = placed(answer.members());
      long count = found.stream().filter(placed -> placed.entry().isPresent()).count();
      if (count >= readable || found.size() < want) {
        return new Tail(answer.session(), found);
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
    CommandArgs<byte[], byte[]> args = args().addKey(of.items()).add(position).add(position);
    return members(of, CommandType.ZRANGEBYSCORE, values(), args, now).stream()
        .findFirst()
        .flatMap(member -> Member.entry(member, false));
  }
}
