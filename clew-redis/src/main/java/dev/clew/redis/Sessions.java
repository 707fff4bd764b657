package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.json.JsonText;
import dev.clew.kit.Conflicts;
import dev.clew.kit.Pages;
import dev.clew.kit.TimeToLive;
import dev.clew.redis.SessionScripts.Conditions;
import dev.clew.spi.Fork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and changes the descriptions of sessions, and forks them. Thread-safe. */
record Sessions(
    Server server,
    Keys keys,
    SessionScripts scripts,
    HistoryReader reader,
    @Nullable Long defaultLife) {
  private static final int MARKED_AT_ONCE = 500;

  Optional<SessionInfo> info(SessionKey key, long now) {
    Keys.OfSession of = keys.of(key);
    SessionHash hash = hash(of);
    scripts.check(of, hash.version());
    return hash.isLive(defaultLife, now) ? Optional.of(hash.info(defaultLife)) : Optional.empty();
  }

  private SessionHash hash(Keys.OfSession of) {
    return SessionHash.of(server.get(of.session, redis -> redis.hgetall(of.session)));
  }

  SessionInfo update(SessionKey key, SessionUpdate update, long now) {
    Keys.OfSession of = keys.of(key);
    String life =
        update
            .timeToLive()
            .map(own -> own.isZero() ? "default" : Long.toString(TimeToLive.millis(own)))
            .orElse("");
    String times =
        update
            .times()
            .map(given -> Stream.of(given.createdAt(), given.updatedAt()).map(Optional::of))
            .map(given -> Member.Batch.times(given.toList()))
            .orElse("");
    List<Object> fields = new ArrayList<>();
    update.title().ifPresent(title -> put(fields, "title", title));
    describe(fields, update);
    update.archived().ifPresent(value -> put(fields, "archived", value ? "1" : ""));
    update.pinned().ifPresent(value -> put(fields, "pinned", value ? "1" : ""));
    update.parent().ifPresent(parent -> put(fields, parent));
    OptionalLong expected = update.expectedVersion();
    Answer answer =
        scripts.run(
            Script.DESCRIBE,
            of,
            now,
            expected.isPresent() ? Conditions.version(expected.getAsLong()) : Conditions.FREE,
            life,
            update.title().isPresent(),
            Pages.titleKey(update.title().orElse("")),
            times,
            fields);
    if (answer.status().equals("VERSION")) {
      throw Conflicts.version(key, expected.orElse(0), answer.number(1));
    }
    return info(of, answer);
  }

  /** Adds the marks that sessions of the previous layout lack. */
  void markAll(Owners owners, SessionList list, long now) {
    owners.each(
        owner -> {
          SessionQuery query = SessionQuery.of(owner).order(Order.CREATED).limit(MARKED_AT_ONCE);
          for (SessionInfo info : query.walk(part -> list.page(part, now))) {
            if (info.pinned() || info.archived() || !info.tags().isEmpty()) {
              scripts.run(Script.MARK, keys.of(info.key()), now, Conditions.FREE);
            }
          }
        });
  }

  private SessionInfo info(Keys.OfSession of, Answer answer) {
    SessionInfo info = SessionHash.ofPairs(answer.list(1)).info(defaultLife);
    scripts.note(of, info.version());
    return info;
  }

  private static void describe(List<Object> step, SessionUpdate update) {
    update
        .metadata()
        .ifPresent(values -> put(step, "metadata", values.isEmpty() ? "" : Json.write(values)));
    update.tags().ifPresent(tags -> put(step, "tags", String.join("\n", tags)));
  }

  private static void put(List<Object> step, String name, String value) {
    step.add(name);
    step.add(value);
  }

  private static void put(List<Object> step, SessionInfo.Parent parent) {
    put(step, "parent_owner", parent.key().owner());
    put(step, "parent_id", parent.key().id());
    put(step, "parent_position", Long.toString(parent.position()));
  }

  /*
   * The sessions may be in different slots: the source is read at one moment, and one script creates
   * the target. So a fork is complete or absent.
   */
  SessionInfo fork(Fork fork, long now) {
    SessionKey source = fork.source();
    SessionKey target = fork.target();
    if (source.equals(target)) {
      throw Conflicts.targetExists(target);
    }
    Keys.OfSession from = keys.of(source);
    SessionHash original = hash(from);
    if (!original.isLive(defaultLife, now)) {
      throw Conflicts.noSource(source);
    }
    List<byte[]> members = reader.upTo(from, fork.upTo(), now);
    Keys.OfSession to = keys.of(target);
    long place = now + 2;
    Answer answer = copy(to, fork, original, members, place, now);
    while (answer.status().equals("PLACE")) {
      place = answer.number(1);
      answer = copy(to, fork, original, members, place, now);
    }
    if (answer.status().equals("EXISTS")) {
      throw Conflicts.targetExists(target);
    }
    return info(to, answer);
  }

  /** Creates the fork; its first item stands at {@code place} if that matters to a transform. */
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
      } else if (entry.isPresent()) { // a damaged one is not copied
        bytes += JsonText.utf8Length(entry.get().item().json());
        keyed |= entry.get().item().id().isPresent();
        items.add(Member.withoutPosition(member));
      }
    }
    List<Object> fields = new ArrayList<>();
    put(fields, "title", original.get("title"));
    if (transform == null) {
      put(fields, "metadata", original.get("metadata"));
      put(fields, "tags", original.get("tags"));
    } else {
      describe(fields, transform.describe(original.info(defaultLife)));
    }
    put(fields, new SessionInfo.Parent(fork.source(), fork.upTo()));
    return scripts.run(
        Script.FORK,
        to,
        now,
        Conditions.FREE,
        bytes,
        keyed,
        Pages.titleKey(original.get("title")),
        original.get("ttl"),
        transform == null || items.isEmpty() ? "" : place,
        fields.size(),
        fields,
        items);
  }

  private static ClewException.CorruptRecord damaged(SessionKey key, byte[] member) {
    return new ClewException.CorruptRecord(
        "the item at position %s of session %s is damaged; see 'clew doctor'"
            .formatted(Member.position(member).orElse(0), key));
  }
}
