package dev.clew.kit.state;

import dev.clew.Documents;
import dev.clew.kit.Conflicts;
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

/** The documents of a store, by owner and name. Arguments are already checked. Thread-safe. */
public final class DocumentTable implements Documents {
  /** Where documents are kept besides this table. The methods do nothing unless overridden. */
  public interface Keeper {
    /** Restores the documents of an owner. Called once for each owner, under the guard. */
    default void load(String owner, DocumentTable into) {}

    /** Keeps a document, before it takes effect. */
    default void put(Document document, DocumentTable table) {}

    /** Removes a document, before that takes effect. */
    default void remove(Document document, DocumentTable table) {}
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

  /** Loads the documents of an owner, unless they are here. */
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

  /** Restores a document that was kept. Called under the guard. */
  public void restore(Document document) {
    put(document);
    skipTo(document.version());
    if (document.expiresAt().isPresent()) {
      onExpiring.run();
    }
  }

  /** Skips all versions up to this one. Called under the guard. */
  public void skipTo(long version) {
    lastVersion = Math.max(lastVersion, version);
  }

  /** The newest version that was given out. Called under the guard. */
  public long lastVersion() {
    return lastVersion;
  }

  /** Every document of an owner. Called under the guard. */
  public List<Document> all(String owner) {
    return List.copyOf(documentsOf(owner).values());
  }

  @Override
  public Optional<Document> get(String owner, String name) {
    need(owner);
    return guard.read(() -> find(owner, name, clock.instant()));
  }

  @Override
  public Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    need(owner);
    if (timeToLive.isPresent()) {
      onExpiring.run();
    }
    return guard.write(
        () -> {
          Instant now = clock.instant();
          long found = find(owner, name, now).map(Document::version).orElse(0L);
          if (expectedVersion.isPresent() && expectedVersion.getAsLong() != found) {
            throw Conflicts.document(owner, name, expectedVersion.getAsLong(), found);
          }
          Optional<Instant> end = timeToLive.map(life -> TimeToLive.end(now, life));
          Document document = new Document(owner, name, json, ++lastVersion, end);
          keeper.put(document, this);
          put(document);
          return document;
        });
  }

  @Override
  public boolean delete(String owner, String name) {
    need(owner);
    return guard.write(
        () -> {
          boolean existed = find(owner, name, clock.instant()).isPresent();
          forget(new Name(owner, name));
          return existed;
        });
  }

  @Override
  public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
    need(owner);
    return guard.read(
        () -> {
          Instant now = clock.instant();
          NavigableMap<String, Document> documents = documentsOf(owner).tailMap(prefix, true);
          if (after.isPresent() && TextOrder.BY_CODE_POINT.compare(after.get(), prefix) >= 0) {
            documents = documents.tailMap(after.get(), false);
          }
          List<Document> page = new ArrayList<>();
          for (Document document : documents.values()) {
            if (page.size() == limit || !document.name().startsWith(prefix)) {
              break;
            }
            if (isLive(document, now)) {
              page.add(document);
            }
          }
          return List.copyOf(page);
        });
  }

  private Optional<Document> find(String owner, String name, Instant now) {
    return Optional.ofNullable(documentsOf(owner).get(name))
        .filter(document -> isLive(document, now));
  }

  private NavigableMap<String, Document> documentsOf(String owner) {
    NavigableMap<String, Document> documents = owners.get(owner);
    return documents == null ? Collections.emptyNavigableMap() : documents;
  }

  private static boolean isLive(Document document, Instant now) {
    return document.expiresAt().filter(end -> !end.isAfter(now)).isEmpty();
  }

  private void put(Document document) {
    Name name = new Name(document.owner(), document.name());
    remove(name);
    owners
        .computeIfAbsent(name.owner(), same -> new TreeMap<>(TextOrder.BY_CODE_POINT))
        .put(name.name(), document);
    expiries.move(name, Optional.empty(), document.expiresAt());
  }

  private void forget(Name name) {
    Document document = documentsOf(name.owner()).get(name.name());
    if (document != null) {
      keeper.remove(document, this);
      remove(name);
    }
  }

  private void remove(Name name) {
    NavigableMap<String, Document> documents = owners.get(name.owner());
    if (documents == null) {
      return;
    }
    Document document = documents.remove(name.name());
    if (document != null) {
      expiries.move(name, document.expiresAt(), Optional.empty());
    }
    if (documents.isEmpty()) {
      owners.remove(name.owner());
    }
  }

  /** Owners with documents, after a name. Called under the guard. */
  public Iterator<String> owners(Optional<String> after, Instant now) {
    return (after.isPresent() ? owners.tailMap(after.get(), false) : owners)
        .entrySet().stream()
            .filter(owner -> owner.getValue().values().stream().anyMatch(r -> isLive(r, now)))
            .map(Map.Entry::getKey)
            .iterator();
  }

  /** Drops every document of an owner, without its keeper. Called under the guard. */
  public void erase(String owner) {
    for (String name : List.copyOf(documentsOf(owner).keySet())) {
      remove(new Name(owner, name));
    }
  }

  /** Removes a document that has expired; whether there was one. Called under the guard. */
  public boolean sweepOne(Instant now) {
    Optional<Name> due = expiries.due(now, 1).stream().findFirst();
    due.ifPresent(this::forget);
    return due.isPresent();
  }
}
