package dev.clew.kit.state;

import dev.clew.Documents;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import dev.clew.kit.DocumentRules;
import dev.clew.kit.TextOrder;
import dev.clew.kit.TimeToLive;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The documents of a store, by owner and name. Thread-safe. */
public final class DocumentTable implements Documents {
  /** Where documents are kept beside this table. The methods do nothing unless overridden. */
  public interface Keeper {
    /** Restores the documents of an owner. Called once for each owner, under the guard. */
    default void load(String owner, DocumentTable into) {}

    /** Keeps a document, before it takes effect. */
    default void put(Document record, DocumentTable table) {}

    /** Forgets a document, before it is gone. */
    default void remove(Document record, DocumentTable table) {}
  }

  private record Name(String owner, String name) {}

  private final Guard guard;
  private final Clock clock;
  private final Runnable onExpiring;
  private final Keeper keeper;
  private final Set<String> loaded = ConcurrentHashMap.newKeySet();
  private final NavigableMap<String, NavigableMap<String, Document>> owners =
      new TreeMap<>(TextOrder.BY_CODE_POINT);
  private final Expiries<Name> expiries = new Expiries<>();
  private long lastVersion;

  /** Calls {@code onExpiring} when a document that can expire is written. */
  public DocumentTable(Guard guard, Clock clock, Runnable onExpiring, Keeper keeper) {
    this.guard = guard;
    this.clock = clock;
    this.onExpiring = onExpiring;
    this.keeper = keeper;
  }

  /** Makes sure that the documents of an owner are here. */
  public void need(String owner) {
    if (!loaded.contains(owner)) {
      guard.write(
          () -> {
            if (!loaded.contains(owner)) {
              keeper.load(owner, this);
              loaded.add(owner);
            }
            return owner;
          });
    }
  }

  /** Takes back a document that was kept. Called under the guard. */
  public void restore(Document record) {
    put(record);
    skipTo(record.version());
    if (record.expiresAt().isPresent()) {
      onExpiring.run();
    }
  }

  /** Gives out no version up to this one. Called under the guard. */
  public void skipTo(long version) {
    lastVersion = Math.max(lastVersion, version);
  }

  /** The newest version that was given out. Called under the guard. */
  public long lastVersion() {
    return lastVersion;
  }

  /** Every document of an owner. Called under the guard. */
  public List<Document> all(String owner) {
    return List.copyOf(recordsOf(owner).values());
  }

  @Override
  public Optional<Document> get(String owner, String name) {
    DocumentRules.checkName(owner, name);
    need(owner);
    return guard.read(() -> find(owner, name, now()));
  }

  @Override
  public Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    DocumentRules.checkName(owner, name);
    DocumentRules.checkJson(name, json);
    need(owner);
    if (timeToLive.isPresent()) {
      TimeToLive.check("a record", timeToLive.get());
      onExpiring.run();
    }
    return guard.write(
        () -> {
          Instant now = now();
          long found = find(owner, name, now).map(Document::version).orElse(0L);
          if (expectedVersion.isPresent() && expectedVersion.getAsLong() != found) {
            throw Conflicts.record(owner, name, expectedVersion.getAsLong(), found);
          }
          Optional<Instant> end = timeToLive.map(life -> TimeToLive.end(now, life));
          Document record = new Document(owner, name, json, ++lastVersion, end);
          keeper.put(record, this);
          put(record);
          return record;
        });
  }

  @Override
  public boolean delete(String owner, String name) {
    DocumentRules.checkName(owner, name);
    need(owner);
    return guard.write(
        () -> {
          boolean existed = find(owner, name, now()).isPresent();
          forget(new Name(owner, name));
          return existed;
        });
  }

  @Override
  public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
    SessionKey.checkOwner(owner);
    DocumentRules.checkLimit(limit);
    need(owner);
    return guard.read(
        () -> {
          Instant now = now();
          NavigableMap<String, Document> records = recordsOf(owner).tailMap(prefix, true);
          if (after.isPresent() && TextOrder.BY_CODE_POINT.compare(after.get(), prefix) >= 0) {
            records = records.tailMap(after.get(), false);
          }
          List<Document> page = new ArrayList<>();
          for (Document record : records.values()) {
            if (page.size() == limit || !record.name().startsWith(prefix)) {
              break;
            }
            if (isLive(record, now)) {
              page.add(record);
            }
          }
          return List.copyOf(page);
        });
  }

  private Optional<Document> find(String owner, String name, Instant now) {
    return Optional.ofNullable(recordsOf(owner).get(name)).filter(record -> isLive(record, now));
  }

  private NavigableMap<String, Document> recordsOf(String owner) {
    NavigableMap<String, Document> records = owners.get(owner);
    return records == null ? Collections.emptyNavigableMap() : records;
  }

  private static boolean isLive(Document record, Instant now) {
    return record.expiresAt().filter(end -> !end.isAfter(now)).isEmpty();
  }

  private void put(Document record) {
    Name name = new Name(record.owner(), record.name());
    remove(name);
    owners
        .computeIfAbsent(name.owner(), same -> new TreeMap<>(TextOrder.BY_CODE_POINT))
        .put(name.name(), record);
    expiries.move(name, Optional.empty(), record.expiresAt());
  }

  private void forget(Name name) {
    Document record = recordsOf(name.owner()).get(name.name());
    if (record != null) {
      keeper.remove(record, this);
      remove(name);
    }
  }

  private void remove(Name name) {
    NavigableMap<String, Document> records = owners.get(name.owner());
    if (records == null) {
      return;
    }
    Document record = records.remove(name.name());
    if (record != null) {
      expiries.move(name, record.expiresAt(), Optional.empty());
    }
    if (records.isEmpty()) {
      owners.remove(name.owner());
    }
  }

  private Instant now() {
    return clock.instant();
  }

  /** Owners with documents, after a name. Called under the guard. */
  public Iterator<String> owners(Optional<String> after, Instant now) {
    return (after.isPresent() ? owners.tailMap(after.get(), false) : owners)
        .entrySet().stream()
            .filter(owner -> owner.getValue().values().stream().anyMatch(r -> isLive(r, now)))
            .map(Map.Entry::getKey)
            .iterator();
  }

  /** Drops every document of an owner, without telling the keeper. Called under the guard. */
  public void erase(String owner) {
    for (String name : List.copyOf(recordsOf(owner).keySet())) {
      remove(new Name(owner, name));
    }
  }

  /** Removes a document that has expired; whether there was one. Called under the guard. */
  public boolean sweepOne(Instant now) {
    Optional<Name> due = expiries.due(now);
    due.ifPresent(this::forget);
    return due.isPresent();
  }
}
