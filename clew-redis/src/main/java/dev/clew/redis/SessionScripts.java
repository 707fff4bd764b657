package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the scripts that change a session. Thread-safe. */
final class SessionScripts {
  private static final Logger LOG = LoggerFactory.getLogger(SessionScripts.class);
  private static final byte[] NONE = {};
  private static final byte[] ANY = {'+'};
  private static final byte[] NO = {'0'};
  private static final byte[] YES = {'1'};

  private final Server server;
  private final Registry registry;
  private final Seen seen;
  private final byte[] defaultLife;
  private final String where;

  SessionScripts(
      Server server, Registry registry, Seen seen, @Nullable Long defaultLife, String where) {
    this.server = server;
    this.registry = registry;
    this.seen = seen;
    this.defaultLife = defaultLife == null ? NONE : number(defaultLife);
    this.where = where;
  }

  static byte[] number(long value) {
    return Keys.bytes(Long.toString(value));
  }

  static byte[] flag(boolean value) {
    return value ? YES : NO;
  }

  /** What a script answered, its first word taken off. */
  record Answer(String status, List<Object> rest) {
    String text(int index) {
      return SessionHash.text((byte[]) rest.get(index));
    }
  }

  /** The conditions of a change that has none. */
  static final class Conditions {
    static final Conditions FREE = new Conditions(NONE, NONE, NONE, NONE, NONE, NONE);

    /** That the session is there, which is all that the quick way needs. */
    static final Conditions EXISTING = new Conditions(NONE, NONE, NONE, NONE, ANY, NONE);

    private final byte[][] arguments;

    private Conditions(byte[]... arguments) {
      this.arguments = arguments;
    }

    static Conditions version(long expected) {
      return new Conditions(NONE, NONE, NONE, NONE, number(expected), NONE);
    }

    private boolean isRepeatable() {
      return arguments[0].length > 0;
    }
  }

  Conditions conditions(Keys.OfSession keys, Commit transaction) {
    String operation = transaction.operationId().orElse(null);
    Commit.Fence fence = transaction.fence().orElse(null);
    boolean none =
        fence == null
            && transaction.expectedVersion().isEmpty()
            && transaction.expectedTail().isEmpty();
    if (operation == null && !server.repeatsByItself()) {
      if (none) {
        return transaction.expectsExisting() ? Conditions.EXISTING : Conditions.FREE;
      }
      return conditions(keys, transaction, NONE, NONE, fence);
    }
    byte[] id = Keys.operation(operation == null ? "~" + UUID.randomUUID() : operation);
    return conditions(keys, transaction, id, Keys.bytes(transaction.digest()), fence);
  }

  private static Conditions conditions(
      Keys.OfSession keys,
      Commit transaction,
      byte[] operation,
      byte[] digest,
      Commit.@Nullable Fence fence) {
    return new Conditions(
        operation,
        digest,
        fence == null ? NONE : Keys.lease(keys, fence.lease()),
        fence == null ? NONE : number(fence.number()),
        transaction.expectedVersion().isPresent()
            ? number(transaction.expectedVersion().getAsLong())
            : transaction.expectsExisting() ? ANY : NONE,
        transaction.expectedTail().isPresent()
            ? number(transaction.expectedTail().getAsLong())
            : NONE);
  }

  /** Conditions for a change without any, which the driver may repeat by itself. */
  Conditions once() {
    return server.repeatsByItself()
        ? new Conditions(
            Keys.operation("~" + UUID.randomUUID()), new byte[] {'-'}, NONE, NONE, NONE, NONE)
        : Conditions.FREE;
  }

  /** Appends to a session that exists, without conditions; nothing if it takes more than that. */
  Optional<Receipt> quick(Keys.OfSession keys, long now, Member.Batch batch) {
    int count = batch.payloads().size();
    long known = seen.of(keys);
    byte[] time = number(now);
    byte[][] arguments = new byte[6 + count][];
    arguments[0] = time;
    arguments[1] = defaultLife;
    arguments[2] = number(known);
    arguments[3] = Keys.bytes(keys.key.id());
    arguments[4] = number(batch.bytes());
    arguments[5] = flag(batch.keyed());
    for (int i = 0; i < count; i++) {
      // If nobody else has written meanwhile, the server takes them as they are.
      arguments[6 + i] = Member.at(known + 1 + i, time, batch.payloads().get(i));
    }
    List<Object> answer = server.once(Script.QUICK, keys.quick, arguments);
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    long last = Long.parseLong(SessionHash.text((byte[]) answer.get(0)));
    seen.note(keys, last);
    return Optional.of(
        new Receipt(last, OptionalLong.of(last - count + 1), OptionalLong.of(last), false, true));
  }

  /**
   * Runs a script.
   *
   * @param step what it takes from its 13th argument on
   */
  Answer run(
      Script script, Keys.OfSession keys, long now, Conditions conditions, List<byte[]> step) {
    byte[][] arguments = new byte[12 + step.size()][];
    arguments[0] = number(now);
    arguments[1] = defaultLife;
    arguments[2] = NO;
    arguments[4] = Keys.bytes(keys.key.owner());
    arguments[5] = Keys.bytes(keys.key.id());
    System.arraycopy(conditions.arguments, 0, arguments, 6, 6);
    for (int i = 0; i < step.size(); i++) {
      arguments[12 + i] = step.get(i);
    }
    String due = null;
    while (true) {
      long known = seen.of(keys);
      // What is removed may be older than it was.
      arguments[3] = number(script == Script.DELETE ? -Math.abs(known) : known);
      List<Object> raw =
          conditions.isRepeatable()
              ? server.repeat(script, keys.all, arguments)
              : server.once(script, keys.all, arguments);
      Answer answer = new Answer(SessionHash.text((byte[]) raw.get(0)), raw.subList(1, raw.size()));
      if (answer.status().equals("REGISTER")) {
        due = answer.text(0);
        registry.register(keys.key.owner(), keys.place, due);
        arguments[2] = YES;
        continue;
      }
      if (answer.status().equals("BACKWARDS")) {
        throw backwards(keys, known, Long.parseLong(answer.text(0)));
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

  /** After a read: warns once of a server that has forgotten what it had acknowledged. */
  void check(Keys.OfSession keys, long version) {
    long known = seen.of(keys);
    if (known > version) {
      backwardsOnRead(keys, known, version);
    }
  }

  /** The newest version of the session that this process was told of, or 0. */
  long newest(Keys.OfSession keys) {
    return Math.abs(seen.of(keys));
  }

  /** Whether this process was told of a version of the session. */
  boolean hasSeen(Keys.OfSession keys) {
    return seen.of(keys) > 0;
  }

  private void backwardsOnRead(Keys.OfSession keys, long known, long version) {
    if (warned.add(keys.place) && warned.size() < 10_000) {
      LOG.warn(
          "{}: session {} went back from version {} to {}: the server has lost what it had"
              + " acknowledged; the next write to it will be refused once",
          where,
          keys.key,
          known,
          version);
    }
  }

  private final java.util.Set<String> warned = java.util.concurrent.ConcurrentHashMap.newKeySet();

  static List<byte[]> step(List<byte[]> items, byte[]... arguments) {
    List<byte[]> step = new ArrayList<>(arguments.length + items.size());
    step.addAll(List.of(arguments));
    step.addAll(items);
    return step;
  }

  void note(Keys.OfSession keys, long version) {
    seen.note(keys, version);
  }
}
