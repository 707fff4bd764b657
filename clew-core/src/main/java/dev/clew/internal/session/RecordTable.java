package dev.clew.internal.session;

import dev.clew.Records;
import dev.clew.SessionKey;
import dev.clew.internal.Expiry;
import dev.clew.internal.RecordRules;
import dev.clew.internal.TextOrder;
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
public final class RecordTable implements Records {
  /** Where documents are kept beside this table. The methods do nothing unless overridden. */
  public interface Keeper {
    /** Restores the documents of an owner. Called once for each owner, under the guard. */
    default void load(String owner, RecordTable into) {}

    /** Keeps a document, before it takes effect. */
    default void put(StoredRecord record, RecordTable table) {}

    /** Forgets a document, before it is gone. */
    default void remove(StoredRecord record, RecordTable table) {}
  }

  private record Name(String owner, String name) {}

  private final Guard guard;
  private final Clock clock;
  private final Runnable onExpiring;
  private final Keeper keeper;
  private final Set<String> loaded = ConcurrentHashMap.newKeySet();
  private final NavigableMap<String, NavigableMap<String, StoredRecord>> owners =
      new TreeMap<>(TextOrder.BY_CODE_POINT);
  private final Expiries<Name> expiries = new Expiries<>();
  private long lastVersion;

  /** Calls {@code onExpiring} when a document that can expire is written. */
  public RecordTable(Guard guard, Clock clock, Runnable onExpiring, Keeper keeper) {
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
  public void restore(StoredRecord record) {
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
  public List<StoredRecord> all(String owner) {
    return List.copyOf(recordsOf(owner).values());
  }

  @Override
  public Optional<StoredRecord> get(String owner, String name) {
    RecordRules.checkName(owner, name);
    need(owner);
    return guard.read(() -> find(owner, name, now()));
  }

  @Override
  public StoredRecord put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    RecordRules.checkName(owner, name);
    RecordRules.checkJson(name, json);
    need(owner);
    if (timeToLive.isPresent()) {
      Expiry.check("a record", timeToLive.get());
      onExpiring.run();
    }
    return guard.write(
        () -> {
          Instant now = now();
          long found = find(owner, name, now).map(StoredRecord::version).orElse(0L);
          if (expectedVersion.isPresent() && expectedVersion.getAsLong() != found) {
            throw Conflicts.record(owner, name, expectedVersion.getAsLong(), found);
          }
          Optional<Instant> end = timeToLive.map(life -> Expiry.end(now, life));
          StoredRecord record = new StoredRecord(owner, name, json, ++lastVersion, end);
          keeper.put(record, this);
          put(record);
          return record;
        });
  }

  @Override
  public boolean delete(String owner, String name) {
    RecordRules.checkName(owner, name);
    need(owner);
    return guard.write(
        () -> {
          boolean existed = find(owner, name, now()).isPresent();
          forget(new Name(owner, name));
          return existed;
        });
  }

  @Override
  public List<StoredRecord> list(String owner, String prefix, Optional<String> after, int limit) {
    SessionKey.checkOwner(owner);
    RecordRules.checkLimit(limit);
    need(owner);
    return guard.read(
        () -> {
          Instant now = now();
          NavigableMap<String, StoredRecord> records = recordsOf(owner).tailMap(prefix, true);
          if (after.isPresent() && TextOrder.BY_CODE_POINT.compare(after.get(), prefix) >= 0) {
            records = records.tailMap(after.get(), false);
          }
          List<StoredRecord> page = new ArrayList<>();
          for (StoredRecord record : records.values()) {
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

  private Optional<StoredRecord> find(String owner, String name, Instant now) {
    return Optional.ofNullable(recordsOf(owner).get(name)).filter(record -> isLive(record, now));
  }

  private NavigableMap<String, StoredRecord> recordsOf(String owner) {
    NavigableMap<String, StoredRecord> records = owners.get(owner);
    return records == null ? Collections.emptyNavigableMap() : records;
  }

  private static boolean isLive(StoredRecord record, Instant now) {
    return record.expiresAt().filter(end -> !end.isAfter(now)).isEmpty();
  }

  private void put(StoredRecord record) {
    Name name = new Name(record.owner(), record.name());
    remove(name);
    owners
        .computeIfAbsent(name.owner(), same -> new TreeMap<>(TextOrder.BY_CODE_POINT))
        .put(name.name(), record);
    expiries.move(name, Optional.empty(), record.expiresAt());
  }

  private void forget(Name name) {
    StoredRecord record = recordsOf(name.owner()).get(name.name());
    if (record != null) {
      keeper.remove(record, this);
      remove(name);
    }
  }

  private void remove(Name name) {
    NavigableMap<String, StoredRecord> records = owners.get(name.owner());
    if (records == null) {
      return;
    }
    StoredRecord record = records.remove(name.name());
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
