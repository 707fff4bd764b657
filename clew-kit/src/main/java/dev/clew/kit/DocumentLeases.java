package dev.clew.kit;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.Leases;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/**
 * Leases kept as documents, changed by compare-and-set, for backends without leases of their own.
 * Thread-safe.
 *
 * <p>They belong to an owner that no list shows. A fence is at least the time of its grant in
 * milliseconds, so fences keep growing even after a lease was forgotten.
 */
public final class DocumentLeases implements Leases {
  /** Whose documents they are. */
  private static final String OWNER = "@clew.leases";

  /** How long a free lease is remembered. */
  private static final Duration REMEMBERED = Duration.ofDays(30);

  private final Documents documents;
  private final Clock clock;

  DocumentLeases(Documents documents, Clock clock) {
    this.documents = documents;
    this.clock = clock;
  }

  /** The current fence of a lease; a commit with another one must be refused. */
  public static long fence(Documents documents, SessionKey key, String lease) {
    return documents.get(OWNER, name(key, lease)).map(kept -> read(kept).fence()).orElse(0L);
  }

  private record State(String holder, long fence, long expires) {
    boolean isHeldAt(long now) {
      return !holder.isEmpty() && expires > now;
    }

    String json() {
      return new JsonObject()
          .put("holder", holder)
          .put("fence", fence)
          .put("expires", expires)
          .json();
    }
  }

  private static State read(Document document) {
    Map<String, Object> fields = Json.readObject(document.json());
    return new State(
        (String) fields.getOrDefault("holder", ""),
        ((Number) fields.getOrDefault("fence", 0L)).longValue(),
        ((Number) fields.getOrDefault("expires", 0L)).longValue());
  }

  /** Digests, because a document's name is shorter than owner, id and lease may be together. */
  private static String name(SessionKey key, String lease) {
    return prefix(key.owner()) + Sha256.hex(key.id().length() + ":" + key.id() + lease);
  }

  private static String prefix(String owner) {
    return Sha256.hex(owner) + ":";
  }

  /** Checks the arguments of a lease. */
  static void check(String name, String holder, Duration timeToLive) {
    TimeToLive.check("a lease", timeToLive);
    if (name.isEmpty() || holder.isEmpty()) {
      throw new IllegalArgumentException("a lease needs a name and a holder");
    }
  }

  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    check(name, holder, timeToLive);
    while (true) {
      Optional<Document> document = documents.get(OWNER, name(key, name));
      long now = clock.millis();
      State state = document.map(DocumentLeases::read).orElse(new State("", 0, 0));
      boolean held = state.isHeldAt(now);
      if (held && !state.holder().equals(holder)) {
        return Optional.empty();
      }
      long fence = held ? state.fence() : Math.max(state.fence() + 1, now);
      State next = new State(holder, fence, now + TimeToLive.millis(timeToLive));
      if (put(key, name, next, document)) {
        return Optional.of(grant(key, name, next));
      }
    }
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    TimeToLive.check("a lease", timeToLive);
    while (true) {
      Optional<Document> document = documents.get(OWNER, name(grant.key(), grant.name()));
      Optional<State> state = document.map(DocumentLeases::read).filter(kept -> is(kept, grant));
      if (state.isEmpty()) {
        return Optional.empty();
      }
      long expires = clock.millis() + TimeToLive.millis(timeToLive);
      State next = new State(grant.holder(), grant.fence(), expires);
      if (put(grant.key(), grant.name(), next, document)) {
        return Optional.of(grant(grant.key(), grant.name(), next));
      }
    }
  }

  @Override
  public void release(Grant grant) {
    while (true) {
      Optional<Document> document = documents.get(OWNER, name(grant.key(), grant.name()));
      Optional<State> state = document.map(DocumentLeases::read).filter(kept -> is(kept, grant));
      if (state.isEmpty()
          || put(grant.key(), grant.name(), new State("", grant.fence(), 0), document)) {
        return;
      }
    }
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    return documents
        .get(OWNER, name(key, name))
        .map(DocumentLeases::read)
        .filter(state -> state.isHeldAt(clock.millis()))
        .map(state -> grant(key, name, state));
  }

  private static boolean is(State state, Grant grant) {
    return state.fence() == grant.fence() && state.holder().equals(grant.holder());
  }

  private static Grant grant(SessionKey key, String name, State state) {
    return new Grant(
        key, name, state.holder(), state.fence(), Instant.ofEpochMilli(state.expires()));
  }

  /** Writes a lease; returns false if another writer was faster. */
  private boolean put(SessionKey key, String name, State state, Optional<Document> before) {
    try {
      documents.put(
          OWNER,
          name(key, name),
          state.json(),
          OptionalLong.of(before.map(Document::version).orElse(0L)),
          Optional.of(remembered(state)));
      return true;
    } catch (ClewException.VersionConflict e) {
      return false;
    }
  }

  private Duration remembered(State state) {
    long left = Math.max(0, state.expires() - clock.millis());
    return Duration.ofMillis(left).plus(REMEMBERED);
  }

  /** Frees every lease of an owner; their fences keep growing. */
  void free(String owner) {
    for (Document document : documents.walk(OWNER, prefix(owner))) {
      State freed = new State("", read(document).fence(), 0);
      documents.put(
          OWNER, document.name(), freed.json(), OptionalLong.empty(), Optional.of(REMEMBERED));
    }
  }

  /** A page of owners without the one whose documents the leases are. */
  static List<String> withoutOwner(
      BiFunction<Optional<String>, Integer, List<String>> owners,
      Optional<String> after,
      int limit) {
    List<String> page = owners.apply(after, limit);
    if (!page.contains(OWNER)) {
      return page;
    }
    List<String> others = new ArrayList<>(page);
    others.remove(OWNER);
    if (page.size() == limit) {
      owners.apply(Optional.of(page.get(limit - 1)), 1).forEach(others::add);
    }
    return others;
  }
}
