package dev.clew.redis;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.kit.DamageReports;
import dev.clew.kit.PageFilling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads histories. Thread-safe. */
record HistoryReader(
    Server server,
    Keys keys,
    SessionScripts scripts,
    DamageReports damage,
    @Nullable Long defaultLife) {
  /** The newest items, oldest first. */
  List<Item> items(SessionKey key, int limit, long now) {
    if (limit == 0) {
      return List.of();
    }
    Keys.OfSession of = keys.of(key);
    Newest found = server.ask(of.items, () -> Ask.newestItems(of.items, limit));
    List<Item> items = found.items();
    if (items == null) {
      return read(key, Range.latest(limit), now).items();
    }
    Head head = found.head();
    if (head == null) {
      checkGone(of);
      return List.of();
    }
    scripts.check(of, head.version());
    return head.isLive(defaultLife, now) ? items : List.of();
  }

  /** Checks whether a session without a list was removed, or forgotten by the server. */
  private void checkGone(Keys.OfSession of) {
    if (scripts.hasSeen(of)) {
      List<byte[]> head = server.ask(of.session, () -> Ask.head(of.session));
      scripts.check(of, Head.of(head).version());
    }
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
    // Damaged members do not count, so read more until there are enough.
    for (long want = range.limit() + 1L; ; want = want * 2 + 16) {
      List<Found> found = found(of, range, want, now);
      PageFilling page = new PageFilling(range, position -> damage.found(key.toString(), position));
      for (Found each : found) {
        Optional<Entry> entry = each.entry();
        page.add(
            entry.isPresent() ? entry.get().position() : Member.position(each.member).orElse(0),
            entry);
      }
      if (page.isFull() || found.size() < want) {
        return page.finish();
      }
    }
  }

  /** Members in the direction of reading, read at one moment. */
  private List<Found> found(Keys.OfSession of, Range range, long want, long now) {
    byte[][] lists = {of.session, of.items, of.archive, of.archivePlaces};
    Object cursor = range.cursor().isPresent() ? range.cursor().getAsLong() : "";
    Answer answer =
        server.repeat(Script.READ, lists, cursor, range.backward(), want, range.includeCompacted());
    Head head = Head.of(answer.list(0));
    scripts.check(of, head.version());
    if (!head.isLive(defaultLife, now)) {
      return List.of();
    }
    List<Found> all = found(answer.list(1), true);
    List<Found> live = found(answer.list(2), false);
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

  /** The newest members, and the version of the session, which may have grown since. */
  record Tail(long version, List<Found> newestFirst) {}

  /** The newest members, with {@code readable} readable ones if there are so many. */
  Tail tail(Keys.OfSession of, int readable) {
    for (long want = readable; ; want = want * 2 + 16) {
      long limit = want;
      List<List<byte[]>> answers =
          server.together(
              of.items, () -> List.of(Ask.head(of.session), Ask.newest(of.items, limit)));
      List<Found> found = found(answers.get(1), false);
      long count = found.stream().filter(each -> each.entry().isPresent()).count();
      if (count >= readable || found.size() < want) {
        return new Tail(Head.of(answers.get(0)).version(), found);
      }
    }
  }

  Optional<Entry> find(SessionKey key, String itemId, long now) {
    Keys.OfSession of = keys.of(key);
    String prefix = Keys.item(itemId) + ":";
    List<byte[]> places =
        server.get(
            of.ids,
            redis ->
                redis.zrangebylex(
                    of.ids,
                    io.lettuce.core.Range.from(
                        io.lettuce.core.Range.Boundary.including(Wire.bytes(prefix)),
                        io.lettuce.core.Range.Boundary.excluding(
                            Wire.bytes(Keys.item(itemId) + ";")))));
    return places.stream()
        .map(place -> Long.parseLong(Wire.text(place).substring(prefix.length())))
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
