package dev.clew.kit.state;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.spi.Fork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One session as a store holds it, and the one place where a session changes. Not thread-safe: used
 * under the lock of its store or its session.
 */
public final class SessionState implements Listed {
  private final SessionKey key;
  private Instant createdAt;
  private Optional<SessionInfo.Parent> parent;
  private final ChangeLog log;
  private final Counters counters;
  private final Journal journal;
  private final History history;
  private final Archive archive;
  private final Operations operations;
  private Description description = Description.NONE;
  private Instant updatedAt;
  private long version;

  /** A session that begins now. */
  public SessionState(
      SessionKey key,
      Instant now,
      Optional<SessionInfo.Parent> parent,
      ChangeLog log,
      Counters counters,
      Journal journal) {
    this(
        key,
        now,
        parent,
        log,
        counters,
        journal,
        new History(),
        new Archive(),
        new Operations(),
        Description.NONE,
        now,
        0);
  }

  /** A session that exists. */
  public SessionState(
      SessionKey key,
      Instant createdAt,
      Optional<SessionInfo.Parent> parent,
      ChangeLog log,
      Counters counters,
      Journal journal,
      History history,
      Archive archive,
      Operations operations,
      Description description,
      Instant updatedAt,
      long version) {
    this.key = key;
    this.createdAt = createdAt;
    this.parent = parent;
    this.log = log;
    this.counters = counters;
    this.journal = journal;
    this.history = history;
    this.archive = archive;
    this.operations = operations;
    this.description = description;
    this.updatedAt = updatedAt;
    this.version = version;
  }

  @Override
  public SessionKey key() {
    return key;
  }

  @Override
  public Instant createdAt() {
    return createdAt;
  }

  @Override
  public Instant updatedAt() {
    return updatedAt;
  }

  @Override
  public Description description() {
    return description;
  }

  /** Where it was forked from. */
  public Optional<SessionInfo.Parent> parent() {
    return parent;
  }

  /** Its last changes. */
  public ChangeLog log() {
    return log;
  }

  /** Where its positions and versions come from. */
  public Counters counters() {
    return counters;
  }

  /** Its live entries. */
  public History history() {
    return history;
  }

  /** What replacements took out of it. */
  public Archive archive() {
    return archive;
  }

  /** The operation ids it has seen. */
  public Operations operations() {
    return operations;
  }

  /** Its version; 0 before its first change. */
  public long version() {
    return version;
  }

  /** What is known of it. */
  public SessionInfo info(Optional<Duration> defaultTimeToLive) {
    return new SessionInfo(
        key,
        version,
        history.size(),
        history.bytes(),
        createdAt,
        updatedAt,
        description.title(),
        description.metadata(),
        description.tags(),
        description.archived(),
        description.pinned(),
        description.timeToLive().or(() -> defaultTimeToLive),
        parent);
  }

  /** Adds entries at the end, as one change. */
  List<Entry> append(Commit transaction, Instant now) {
    List<Entry> newest = transaction.hasTimes() ? history.newest(1) : List.of();
    long last = newest.isEmpty() ? 0 : newest.get(0).addedAt().toEpochMilli();
    long[] times = touch(transaction, last, now);
    long first = counters.takeLast(times.length);
    List<Entry> added = entries(transaction.placed(first), first, times);
    add(added);
    return added;
  }

  /**
   * Takes over what is said of another session and entries of it, with their times. Whether it was
   * pinned or archived is not taken over.
   *
   * @param source with the time to live that is its own, if it has one
   */
  public void copy(SessionInfo source, List<Entry> entries, Fork.@Nullable Transform copying) {
    SessionUpdate said =
        copying == null
            ? SessionUpdate.none().metadata(source.metadata()).tags(source.tags())
            : copying.describe(source);
    if (source.timeToLive().isPresent()) {
      said = said.timeToLive(source.timeToLive().get());
    }
    describe(said.title(source.title()));
    List<Entry> added = new ArrayList<>(entries.size());
    long position = counters.takeLast(entries.size());
    for (Entry entry : entries) {
      touch(entry.addedAt());
      Draft kept = copying == null ? Draft.of(entry) : copying.entry(entry, position);
      added.add(new Entry(position++, kept.item(), entry.addedAt(), kept.notes(), false));
    }
    if (!added.isEmpty()) {
      add(added);
    }
  }

  private void add(List<Entry> added) {
    added.forEach(history::put);
    long first = added.get(0).position();
    long last = added.get(added.size() - 1).position();
    changed(next -> log.appended(next, first, last));
    journal.appended(this, added);
  }

  /** Takes out the newest entry, if there is one. */
  public Optional<Entry> removeLast(Instant now) {
    List<Entry> newest = history.newest(1);
    if (!newest.isEmpty()) {
      remove(newest, now);
    }
    return newest.stream().findFirst();
  }

  /** Takes out entries, as one change. */
  void remove(List<Entry> entries, Instant now) {
    touch(now);
    entries.forEach(entry -> history.remove(entry.position()));
    List<Long> positions = entries.stream().map(Entry::position).toList();
    changed(next -> log.removed(next, positions));
    journal.removed(this, entries);
  }

  /** Puts entries in the place of everything up to a position, as one change. */
  List<Entry> replace(long upTo, boolean drop, Commit transaction, Instant now) {
    long[] times = touch(transaction, 0, now);
    List<Entry> before = history.upTo(upTo);
    before.forEach(entry -> history.remove(entry.position()));
    if (drop) {
      archive.clear();
    } else {
      archive.add(before);
    }
    long first = counters.takeFirst(times.length);
    List<Entry> after = entries(transaction.placed(first), first, times);
    after.forEach(history::put);
    changed(next -> log.replaced(next, upTo, first, after.size()));
    journal.replaced(this, upTo, drop, before, after);
    return after;
  }

  /** Puts another item in the place of the one at a position, as one change. */
  Entry edit(long position, Draft draft, Instant now) {
    touch(now);
    Entry before = history.at(position).orElseThrow();
    Entry after = new Entry(position, draft.item(), before.addedAt(), draft.notes(), false);
    history.put(after);
    changed(next -> log.edited(next, position));
    journal.edited(this, before, after);
    return after;
  }

  /** Changes the description, and the times and the parent if they are given. */
  void describe(SessionUpdate update, Instant now) {
    if (update.times().isPresent()) {
      SessionUpdate.Times given = update.times().get();
      if (given.createdAt().isBefore(createdAt)) {
        Instant before = createdAt;
        createdAt = given.createdAt();
        journal.madeEarlier(this, before);
      }
      touch(given.updatedAt().isAfter(now) ? now : given.updatedAt());
    }
    parent = update.parent().or(() -> parent);
    describe(update);
  }

  private void describe(SessionUpdate update) {
    Description before = description;
    description = description.with(update);
    changed(log::described);
    journal.described(this, before);
  }

  /** Notes that the session is gone. */
  public void clear() {
    changed(log::cleared);
  }

  void remember(String operationId, String digest, Receipt receipt, Instant at) {
    operations.remember(operationId, digest, receipt, at);
    journal.remembered(this, operationId, digest, receipt, at);
  }

  /** Marks the history as changed by what a transaction writes; the times of that. */
  private long[] touch(Commit transaction, long last, Instant now) {
    long latest = Math.max(now.toEpochMilli(), updatedAt.toEpochMilli());
    long[] times = transaction.times(last, latest);
    touch(times.length == 0 ? now : Instant.ofEpochMilli(times[times.length - 1]));
    return times;
  }

  /** Marks the history as changed at a time; never goes back. */
  void touch(Instant now) {
    if (now.isAfter(updatedAt)) {
      Instant before = updatedAt;
      updatedAt = now;
      journal.touched(this, before);
    }
  }

  /** Gives the session its next version and notes the change under it. */
  private void changed(LongConsumer note) {
    version = counters.nextVersion();
    note.accept(version);
    journal.changed(this);
  }

  private static List<Entry> entries(List<Draft> drafts, long first, long[] times) {
    List<Entry> entries = new ArrayList<>(drafts.size());
    for (int i = 0; i < times.length; i++) {
      Draft draft = drafts.get(i);
      Instant at = Instant.ofEpochMilli(times[i]);
      entries.add(new Entry(first + i, draft.item(), at, draft.notes(), false));
    }
    return entries;
  }
}
