package dev.clew.tck.thirdparty;

import dev.clew.Capability;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Draft;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoreTraits;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import dev.clew.kit.CommitEffect;
import dev.clew.kit.CommitEffect.Made;
import dev.clew.kit.CommitEffect.Sequence;
import dev.clew.kit.Conflicts;
import dev.clew.kit.DocumentLeases;
import dev.clew.kit.Pages;
import dev.clew.kit.SessionInfos;
import dev.clew.kit.StoreSettings;
import dev.clew.kit.TextOrder;
import dev.clew.kit.TimeToLive;
import dev.clew.spi.Backend;
import dev.clew.spi.Changes;
import dev.clew.spi.Fork;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A store over plain maps. One lock makes every method one transaction. Thread-safe. */
public final class MapStore implements Backend, Documents {

  /** The database: it is there before a store is opened and after it was closed. */
  public static final class Data {
    private final Map<SessionKey, Kept> sessions = new HashMap<>();
    private final Map<SessionKey, List<Change>> changes = new HashMap<>();
    private final Map<String, NavigableMap<String, Document>> documents = new HashMap<>();

    /** The positions and versions that were given out. */
    private Sequence sequence = Sequence.START;
  }

  /** One session. */
  private static final class Kept {
    private SessionInfo info;
    private final NavigableMap<Long, Entry> live = new TreeMap<>();
    private final List<Entry> compacted = new ArrayList<>();
    private final Map<String, Made> operations = new HashMap<>();

    Kept(SessionInfo info) {
      this.info = info;
    }
  }

  private final Data data;
  private final Clock clock;
  private final Optional<Duration> timeToLive;

  private MapStore(Data data, Clock clock, Optional<Duration> timeToLive) {
    this.data = data;
    this.clock = Clock.tick(clock, Duration.ofMillis(1));
    this.timeToLive = timeToLive;
  }

  /** Opens a store over data; sessions without a time to live of their own have this one. */
  public static SessionStore open(
      Data data, StoreSettings settings, Optional<Duration> timeToLive) {
    return BackendStore.of(new MapStore(data, settings.clock(), timeToLive), settings);
  }

  private Optional<Kept> find(SessionKey key) {
    return Optional.ofNullable(data.sessions.get(key)).filter(kept -> !hasExpired(kept));
  }

  private boolean hasExpired(Kept kept) {
    return SessionInfos.hasExpired(kept.info, timeToLive, clock.instant());
  }

  private SessionInfo shown(Kept kept) {
    return SessionInfos.shown(kept.info, timeToLive);
  }

  /** The session to be changed; what is left of an expired one is removed first. */
  private Optional<Kept> findToChange(SessionKey key) {
    if (data.sessions.containsKey(key) && find(key).isEmpty()) {
      remove(key);
    }
    return find(key);
  }

  private void remove(SessionKey key) {
    data.sessions.remove(key);
    data.changes.remove(key);
    note(key, ChangeEvents.CLEARED, 0);
  }

  /** Notes a change that is not an append, for those who watch; the version it makes. */
  private long note(SessionKey key, String kind, long position) {
    data.sequence = data.sequence.next();
    changesOf(key).add(new Change(data.sequence.last(), kind, position));
    return data.sequence.last();
  }

  private List<Change> changesOf(SessionKey key) {
    return data.changes.computeIfAbsent(key, same -> new ArrayList<>());
  }

  @Override
  public synchronized EntryPage read(SessionKey key, Range range) {
    return find(key)
        .map(kept -> Pages.of(range, kept.compacted, kept.live))
        .orElse(EntryPage.EMPTY);
  }

  @Override
  public synchronized Receipt commit(SessionKey key, Commit commit) {
    Optional<Kept> found = findToChange(key);
    Optional<Made> made =
        commit.operationId().flatMap(id -> found.map(kept -> kept.operations.get(id)));
    if (made.isPresent()) {
      return made.get().again(key, commit);
    }
    CommitEffect effect =
        CommitEffect.of(
            key,
            commit,
            new CommitEffect.Before(
                found.map(kept -> kept.info),
                found.map(kept -> kept.live).orElseGet(TreeMap::new),
                data.sequence,
                timeToLive),
            lease -> DocumentLeases.fence(this, key, lease),
            clock.instant());
    data.sequence = effect.sequence();
    changesOf(key).addAll(effect.changes());
    effect.info().ifPresent(info -> change(kept(key, info), commit, effect));
    return effect.receipt();
  }

  private Kept kept(SessionKey key, SessionInfo info) {
    Kept kept = data.sessions.computeIfAbsent(key, same -> new Kept(info));
    kept.info = info;
    return kept;
  }

  private static void change(Kept kept, Commit commit, CommitEffect effect) {
    effect.removed().forEach(entry -> kept.live.remove(entry.position()));
    effect.written().forEach(entry -> kept.live.put(entry.position(), entry));
    if (effect.drops()) {
      kept.compacted.clear();
    }
    kept.compacted.addAll(effect.compacted());
    commit
        .operationId()
        .ifPresent(id -> kept.operations.put(id, new Made(commit.digest(), effect.receipt())));
  }

  @Override
  public synchronized boolean delete(SessionKey key) {
    boolean found = findToChange(key).isPresent();
    if (found) {
      remove(key);
    }
    return found;
  }

  @Override
  public synchronized SessionInfo fork(Fork fork) {
    Kept source = find(fork.source()).orElseThrow(() -> Conflicts.noSource(fork.source()));
    if (findToChange(fork.target()).isPresent()) {
      throw Conflicts.targetExists(fork.target());
    }
    List<Draft> copied =
        source.live.headMap(fork.upTo(), true).values().stream().map(Draft::of).toList();
    SessionInfo described = update(fork.target(), SessionInfos.forked(fork, source.info));
    commit(fork.target(), Commit.appendDrafts(copied));
    return info(fork.target()).orElse(described);
  }

  @Override
  public synchronized Optional<SessionInfo> info(SessionKey key) {
    return find(key).map(this::shown);
  }

  @Override
  public synchronized SessionInfo update(SessionKey key, SessionUpdate update) {
    Instant now = clock.instant();
    Optional<Kept> found = findToChange(key);
    long version = found.map(kept -> kept.info.version()).orElse(0L);
    if (update.expectedVersion().isPresent() && update.expectedVersion().getAsLong() != version) {
      throw Conflicts.version(key, update.expectedVersion().getAsLong(), version);
    }
    Instant made =
        update.times().map(SessionUpdate.Times::createdAt).filter(now::isAfter).orElse(now);
    SessionInfo before =
        found.map(kept -> kept.info).orElseGet(() -> SessionInfos.created(key, made));
    long next = note(key, ChangeEvents.DESCRIBED, 0);
    SessionInfo after = SessionInfos.updated(before, next, update, now, timeToLive);
    return shown(kept(key, after));
  }

  @Override
  public synchronized SessionPage list(SessionQuery query) {
    return Pages.of(
        query,
        data.sessions.values().stream()
            .filter(kept -> kept.info.key().owner().equals(query.owner()) && !hasExpired(kept))
            .map(this::shown)
            .toList());
  }

  @Override
  public synchronized List<String> owners(Optional<String> after, int limit) {
    Stream<String> ofSessions =
        data.sessions.keySet().stream().filter(key -> find(key).isPresent()).map(SessionKey::owner);
    Stream<String> ofDocuments = allDocuments().filter(this::isLive).map(Document::owner);
    return Pages.ofNames(Stream.concat(ofSessions, ofDocuments), after, limit);
  }

  @Override
  public synchronized Changes changes(SessionKey key, long version) {
    Kept kept = data.sessions.get(key);
    return ChangeEvents.since(
        version,
        data.changes.getOrDefault(key, List.of()),
        kept == null ? new TreeMap<>() : kept.live,
        data.sequence.last());
  }

  @Override
  public synchronized void erase(String owner) {
    data.sessions.keySet().stream()
        .filter(key -> key.owner().equals(owner))
        .toList()
        .forEach(this::remove);
    data.documents.remove(owner);
  }

  @Override
  public synchronized int sweep(int limit) {
    List<SessionKey> sessions =
        data.sessions.values().stream()
            .filter(this::hasExpired)
            .map(kept -> kept.info.key())
            .limit(limit)
            .toList();
    List<Document> documents =
        allDocuments()
            .filter(document -> !isLive(document))
            .limit(limit - sessions.size())
            .toList();
    sessions.forEach(this::remove);
    documents.forEach(document -> data.documents.get(document.owner()).remove(document.name()));
    return sessions.size() + documents.size();
  }

  @Override
  public void ping() {}

  @Override
  public StoreTraits traits() {
    return new StoreTraits(Durability.PROCESS_CRASH, Set.of(Capability.SEARCH));
  }

  @Override
  public void close() {}

  @Override
  public Documents documents() {
    return this;
  }

  private NavigableMap<String, Document> documentsOf(String owner) {
    return data.documents.computeIfAbsent(owner, same -> new TreeMap<>(TextOrder.BY_CODE_POINT));
  }

  private Stream<Document> allDocuments() {
    return data.documents.values().stream().flatMap(all -> all.values().stream());
  }

  private boolean isLive(Document document) {
    return document.expiresAt().filter(end -> !end.isAfter(clock.instant())).isEmpty();
  }

  @Override
  public synchronized Optional<Document> get(String owner, String name) {
    return Optional.ofNullable(documentsOf(owner).get(name)).filter(this::isLive);
  }

  @Override
  public synchronized Document put(
      String owner, String name, String json, OptionalLong expected, Optional<Duration> life) {
    long found = get(owner, name).map(Document::version).orElse(0L);
    if (expected.isPresent() && expected.getAsLong() != found) {
      throw Conflicts.document(owner, name, expected.getAsLong(), found);
    }
    Optional<Instant> end = life.map(time -> TimeToLive.end(clock.instant(), time));
    data.sequence = data.sequence.next();
    Document document = new Document(owner, name, json, data.sequence.last(), end);
    documentsOf(owner).put(name, document);
    return document;
  }

  @Override
  public synchronized boolean delete(String owner, String name) {
    boolean found = get(owner, name).isPresent();
    documentsOf(owner).remove(name);
    return found;
  }

  @Override
  public synchronized List<Document> list(
      String owner, String prefix, Optional<String> after, int limit) {
    return documentsOf(owner).tailMap(after.orElse(""), false).values().stream()
        .filter(document -> document.name().startsWith(prefix) && isLive(document))
        .limit(limit)
        .toList();
  }
}
