package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.json.JsonText;
import dev.clew.kit.Conflicts;
import dev.clew.kit.TimeToLive;
import dev.clew.redis.SessionScripts.Answer;
import dev.clew.redis.SessionScripts.Conditions;
import dev.clew.spi.Fork;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and changes what is known of sessions beside their items. Thread-safe. */
record Sessions(
    Server server,
    Keys keys,
    SessionScripts scripts,
    HistoryReader reader,
    @Nullable Long defaultLife) {
  private static final byte[] NONE = {};
  private static final int MARKED_AT_ONCE = 500;

  Optional<SessionInfo> info(SessionKey key, long now) {
    Keys.OfSession of = keys.of(key);
    SessionHash hash =
        SessionHash.of(server.get(of.session(), redis -> redis.hgetall(of.session())));
    scripts.check(of, hash.version());
    return hash.isLive(defaultLife, now) ? Optional.of(hash.info(defaultLife)) : Optional.empty();
  }

  SessionInfo update(SessionKey key, SessionUpdate update, long now) {
    Keys.OfSession of = keys.of(key);
    List<byte[]> step = new ArrayList<>();
    step.add(
        update
            .timeToLive()
            .map(life -> life.isZero() ? "default" : Long.toString(TimeToLive.millis(life)))
            .map(Keys::bytes)
            .orElse(NONE));
    step.add(SessionScripts.flag(update.title().isPresent()));
    step.add(Keys.bytes(titleKey(update.title().orElse(""))));
    step.add(
        update
            .times()
            .map(times -> List.of(times.createdAt(), times.updatedAt()))
            .map(times -> Member.Batch.times(times.stream().map(Optional::of).toList()))
            .map(Keys::bytes)
            .orElse(NONE));
    update.title().ifPresent(title -> put(step, "title", title));
    describe(step, update);
    update.archived().ifPresent(value -> put(step, "archived", value ? "1" : ""));
    update.pinned().ifPresent(value -> put(step, "pinned", value ? "1" : ""));
    update.parent().ifPresent(parent -> put(step, parent));
    Conditions conditions =
        update.expectedVersion().isPresent()
            ? Conditions.version(update.expectedVersion().getAsLong())
            : Conditions.FREE;
    Answer answer = scripts.run(Script.DESCRIBE, of, now, conditions, step);
    if (answer.status().equals("VERSION")) {
      throw Conflicts.version(
          key, update.expectedVersion().orElse(0), Long.parseLong(answer.text(0)));
    }
    return info(of, answer);
  }

  /**
   * Puts the sessions of the layout before ours where those are found that are pinned and so on.
   */
  void markAll(Owners owners, SessionList list, long now) {
    owners.each(
        owner -> {
          SessionQuery query = SessionQuery.of(owner).order(Order.CREATED).limit(MARKED_AT_ONCE);
          Optional<String> next = Optional.empty();
          do {
            SessionPage page = list.page(next.map(query::cursor).orElse(query), now);
            for (SessionInfo info : page.sessions()) {
              if (info.pinned() || info.archived() || !info.tags().isEmpty()) {
                scripts.run(Script.MARK, keys.of(info.key()), now, Conditions.FREE, List.of());
              }
            }
            next = page.next();
          } while (next.isPresent());
        });
  }

  private SessionInfo info(Keys.OfSession of, Answer answer) {
    SessionInfo info = SessionHash.ofPairs((List<?>) answer.rest().get(0)).info(defaultLife);
    scripts.note(of, info.version());
    return info;
  }

  private static void describe(List<byte[]> step, SessionUpdate update) {
    update
        .metadata()
        .ifPresent(values -> put(step, "metadata", values.isEmpty() ? "" : Json.write(values)));
    update.tags().ifPresent(tags -> put(step, "tags", String.join("\n", tags)));
  }

  private static void put(List<byte[]> step, String name, String value) {
    step.add(Keys.bytes(name));
    step.add(Keys.bytes(value));
  }

  private static void put(List<byte[]> step, SessionInfo.Parent parent) {
    put(step, "parent_owner", parent.key().owner());
    put(step, "parent_id", parent.key().id());
    put(step, "parent_position", Long.toString(parent.position()));
  }

  static String titleKey(String title) {
    return title.toLowerCase(Locale.ROOT);
  }

  /*
   * The two sessions may be in different slots: the source is read at one moment, the target is made
   * by one script. So the fork is whole or not there, and has what the source had at that moment.
   */
  SessionInfo fork(Fork fork, long now) {
    SessionKey source = fork.source();
    SessionKey target = fork.target();
    if (source.equals(target)) {
      throw Conflicts.targetExists(target);
    }
    Keys.OfSession from = keys.of(source);
    Map<byte[], byte[]> hash = server.get(from.session(), redis -> redis.hgetall(from.session()));
    SessionHash original = SessionHash.of(hash);
    if (!original.isLive(defaultLife, now)) {
      throw Conflicts.noSource(source);
    }
    List<byte[]> members = reader.upTo(from, fork.upTo(), now);
    Keys.OfSession to = keys.of(target);
    long place = now + 2;
    Answer answer = copy(to, fork, original, members, place, now);
    while (answer.status().equals("PLACE")) {
      place = Long.parseLong(answer.text(0));
      answer = copy(to, fork, original, members, place, now);
    }
    if (answer.status().equals("EXISTS")) {
      throw Conflicts.targetExists(target);
    }
    return info(to, answer);
  }

  /** Makes the fork, whose first item stands at a position if that matters to a transform. */
  private Answer copy(
      Keys.OfSession to,
      Fork fork,
      SessionHash original,
      List<byte[]> members,
      long place,
      long now) {
    Fork.Transform transform = fork.transform().orElse(null);
    long bytes = 0;
    boolean keyed = false;
    List<byte[]> items = new ArrayList<>(members.size());
    for (byte[] member : members) {
      Optional<Entry> entry = Member.entry(member, false);
      if (transform != null) {
        Entry sound = entry.orElseThrow(() -> damaged(fork.source(), member));
        Draft copy = transform.entry(sound, place + items.size());
        bytes += JsonText.utf8Length(copy.item().json());
        keyed |= copy.item().id().isPresent();
        items.add(Member.since(sound.addedAt(), copy));
      } else if (entry.isPresent()) { // a damaged one stays where it is
        bytes += JsonText.utf8Length(entry.get().item().json());
        keyed |= entry.get().item().id().isPresent();
        items.add(Member.withoutPosition(member));
      }
    }
    List<byte[]> fields = new ArrayList<>();
    put(fields, "title", original.get("title"));
    if (transform == null) {
      put(fields, "metadata", original.get("metadata"));
      put(fields, "tags", original.get("tags"));
    } else {
      describe(fields, transform.describe(original.info(defaultLife)));
    }
    put(fields, new SessionInfo.Parent(fork.source(), fork.upTo()));
    List<byte[]> step =
        SessionScripts.step(
            fields,
            SessionScripts.number(bytes),
            SessionScripts.flag(keyed),
            Keys.bytes(titleKey(original.get("title"))),
            Keys.bytes(original.get("ttl")),
            transform == null || items.isEmpty() ? NONE : SessionScripts.number(place),
            SessionScripts.number(fields.size()));
    step.addAll(items);
    return scripts.run(Script.FORK, to, now, Conditions.FREE, step);
  }

  private static ClewException.CorruptRecord damaged(SessionKey key, byte[] member) {
    return new ClewException.CorruptRecord(
        "the record at position "
            + Member.position(member).orElse(0)
            + " of session "
            + key
            + " is damaged; see 'clew doctor'");
  }
}
