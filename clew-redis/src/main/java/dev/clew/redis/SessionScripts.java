package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the scripts that change a session. Thread-safe. */
final class SessionScripts {
  private static final Logger LOG = LoggerFactory.getLogger(SessionScripts.class);
  private static final String NONE = "";
  private static final int MOST_WARNINGS = 10_000;

  private final Server server;
  private final Registry registry;
  private final Seen seen = new Seen();
  private final Object defaultLife;
  private final String where;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  SessionScripts(Server server, Registry registry, @Nullable Long defaultLife, String where) {
    this.server = server;
    this.registry = registry;
    this.defaultLife = defaultLife == null ? NONE : defaultLife;
    this.where = where;
  }

  /** What a script checks before it changes anything, as its arguments 7 to 12. */
  record Conditions(List<Object> arguments) {
    static final Conditions FREE = of(NONE, NONE, NONE, NONE, NONE, NONE);

    /** The session exists: the only condition that {@link #quick} can check. */
    static final Conditions EXISTING = version("+");

    private static Conditions of(Object... arguments) {
      return new Conditions(List.of(arguments));
    }

    static Conditions version(Object expected) {
      return of(NONE, NONE, NONE, NONE, expected, NONE);
    }

    boolean areQuick() {
      return equals(FREE) || equals(EXISTING);
    }

    /** With an operation id a script takes effect once, however often it is run. */
    private boolean areRepeatable() {
      return !arguments.get(0).equals(NONE);
    }
  }

  Conditions conditions(Keys.OfSession keys, Commit commit) {
    boolean once = commit.operationId().isPresent() || server.repeatsByItself();
    Commit.Fence fence = commit.fence().orElse(null);
    OptionalLong version = commit.expectedVersion();
    OptionalLong tail = commit.expectedTail();
    Conditions existence = commit.expectsExisting() ? Conditions.EXISTING : Conditions.FREE;
    if (!once && fence == null && version.isEmpty() && tail.isEmpty()) {
      return existence;
    }
    return Conditions.of(
        once ? Keys.operation(commit.operationId().orElseGet(SessionScripts::anyOperation)) : NONE,
        once ? commit.digest() : NONE,
        fence == null ? NONE : Keys.lease(keys, fence.lease()),
        fence == null ? NONE : fence.number(),
        version.isPresent() ? version.getAsLong() : existence.arguments().get(4),
        tail.isPresent() ? tail.getAsLong() : NONE);
  }

  private static String anyOperation() {
    return "~" + UUID.randomUUID();
  }

  /** Conditions for a change without any, which the driver may repeat by itself. */
  Conditions once() {
    return server.repeatsByItself()
        ? Conditions.of(Keys.operation(anyOperation()), "-", NONE, NONE, NONE, NONE)
        : Conditions.FREE;
  }

  /** Appends to an existing session without other conditions; empty if that is not enough. */
  Optional<Receipt> quick(Keys.OfSession keys, long now, Member.Batch batch) {
    int count = batch.payloads().size();
    long known = seen.of(keys);
    byte[] time = Wire.bytes(now);
    List<byte[]> members = new ArrayList<>(count);
    for (byte[] payload : batch.payloads()) {
      // If nobody else has written meanwhile, the server takes them as they are.
      members.add(Member.at(known + 1 + members.size(), time, payload));
    }
    Answer answer =
        server.once(
            Script.QUICK,
            keys.quick,
            time,
            defaultLife,
            known,
            keys.key.id(),
            batch.bytes(),
            batch.keyed(),
            members);
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    long last = answer.number(0);
    seen.note(keys, last);
    return Optional.of(
        new Receipt(last, OptionalLong.of(last - count + 1), OptionalLong.of(last), false, true));
  }

  /**
   * Runs a script.
   *
   * @param step its arguments from the 13th on
   */
  Answer run(Script script, Keys.OfSession keys, long now, Conditions conditions, Object... step) {
    String due = null;
    while (true) {
      long known = seen.of(keys);
      Object[] arguments = {
        now,
        defaultLife,
        due != null,
        script == Script.DELETE ? -Math.abs(known) : known, // what is removed may be older
        keys.key.owner(),
        keys.key.id(),
        conditions.arguments(),
        List.of(step)
      };
      Answer answer =
          conditions.areRepeatable()
              ? server.repeat(script, keys.all, arguments)
              : server.once(script, keys.all, arguments);
      if (answer.status().equals("REGISTER")) {
        due = answer.text(1);
        registry.register(keys.key.owner(), keys.place, due);
        continue;
      }
      if (answer.status().equals("BACKWARDS")) {
        throw backwards(keys, known, answer.number(1));
      }
      if (due != null) {
        registry.register(keys.key.owner(), keys.place, due);
      }
      return answer;
    }
  }

  private ClewException backwards(Keys.OfSession keys, long known, long version) {
    seen.giveUp(keys, known);
    String message =
        String.format(
            "%s: session %s went back from version %d to %d: the server has lost what it had"
                + " acknowledged, as a failover or a restart without its log may do; nothing was"
                + " written, read the session again and decide",
            where, keys.key, known, version);
    LOG.warn(message);
    return new ClewException.VersionConflict(message);
  }

  /** After a read: warns once if the server has forgotten what it had acknowledged. */
  void check(Keys.OfSession keys, long version) {
    long known = seen.of(keys);
    if (known > version && warned.size() < MOST_WARNINGS && warned.add(keys.place)) {
      LOG.warn(
          "{}: session {} went back from version {} to {}: the server has lost what it had"
              + " acknowledged; the next write to it will be refused once",
          where,
          keys.key,
          known,
          version);
    }
  }

  /** The newest version of the session that this process knows, or 0. */
  long newest(Keys.OfSession keys) {
    return Math.abs(seen.of(keys));
  }

  /** Whether this process knows a version of the session. */
  boolean hasSeen(Keys.OfSession keys) {
    return seen.of(keys) > 0;
  }

  void note(Keys.OfSession keys, long version) {
    seen.note(keys, version);
  }
}
