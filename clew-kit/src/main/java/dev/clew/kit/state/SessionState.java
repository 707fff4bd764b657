package dev.clew.kit.state;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import dev.clew.kit.CommitEffect;
import dev.clew.kit.CommitEffect.Sequence;
import dev.clew.kit.Conflicts;
import dev.clew.kit.Pages;
import dev.clew.kit.SessionInfos;
import dev.clew.spi.Fork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * One session as a store holds it, and the one place where a session changes. Not thread-safe: used
 * under the lock of its store or its session.
 */
public final class SessionState {
  private SessionInfo info;
  private final History history;
  private final List<Entry> compacted;
  private final Operations operations;
  private final ChangeLog log;

  /** A session that does not exist until it is changed. */
  public SessionState(SessionKey key, ChangeLog log) {
    this(
        SessionInfos.created(key, Instant.EPOCH),
        new History(),
        new ArrayList<>(),
        new Operations(),
        log);
  }

  /**
   * A session that exists.
   *
   * @param info with its own time to live
   * @param compacted the compacted entries in the order of their replacement
   */
  public SessionState(
      SessionInfo info,
      History history,
      List<Entry> compacted,
      Operations operations,
      ChangeLog log) {
    this.info = info;
    this.history = history;
    this.compacted = compacted;
    this.operations = operations;
    this.log = log;
  }

  /** Which session. */
  public SessionKey key() {
    return info.key();
  }

  /** Whether it has been changed at all. */
  public boolean exists() {
    return info.version() > 0;
  }

  /** Its description, with its own time to live. */
  public SessionInfo info() {
    return info;
  }

  /** Its live entries. */
  public History history() {
    return history;
  }

  /** What compactions replaced. */
  public List<Entry> compacted() {
    return compacted;
  }

  /** The operation ids it has seen. */
  public Operations operations() {
    return operations;
  }

  /** Its last changes. */
  public ChangeLog log() {
    return log;
  }

  /** The page a range asks for. */
  public EntryPage page(Range range) {
    return Pages.of(range, compacted, history.neededFor(range));
  }

  private Optional<SessionInfo> existing() {
    return exists() ? Optional.of(info) : Optional.empty();
  }

  /**
   * Makes a commit, or returns the receipt of the same one made before. Every check comes before
   * the first change.
   *
   * @param digest the commit's digest; not used without an operation id
   * @param sequence the numbers given out so far
   * @param fence the newest fence of a lease of the session
   * @param timeToLive the default of the store
   */
  public CommitEffect commit(
      Commit commit,
      String digest,
      Sequence sequence,
      ToLongFunction<String> fence,
      Optional<Duration> timeToLive,
      Instant now) {
    CommitEffect.Before before =
        new CommitEffect.Before(existing(), history.neededBy(commit), sequence, timeToLive);
    Optional<Receipt> earlier =
        commit.operationId().flatMap(id -> operations.find(key(), id, digest));
    if (earlier.isPresent()) {
      return CommitEffect.nothing(before, false, earlier.get());
    }
    CommitEffect effect = CommitEffect.of(key(), commit, before, fence, now);
    if (effect.drops()) {
      compacted.clear();
    }
    if (effect.isChange()) {
      info = effect.info().orElseThrow();
      effect.removed().forEach(entry -> history.remove(entry.position()));
      effect.written().forEach(history::put);
      compacted.addAll(effect.compacted());
      log.changed(effect.changes(), info.version());
      commit.operationId().ifPresent(id -> operations.remember(id, digest, effect.receipt(), now));
    }
    return effect;
  }

  /** Changes the description; returns the numbers given out after that. */
  public Sequence update(
      SessionUpdate update, Sequence sequence, Optional<Duration> timeToLive, Instant now) {
    if (update.expectedVersion().isPresent()
        && update.expectedVersion().getAsLong() != info.version()) {
      throw Conflicts.version(key(), update.expectedVersion().getAsLong(), info.version());
    }
    SessionInfo before = exists() ? info : SessionInfos.created(key(), created(update, now));
    Sequence after = sequence.next();
    info = SessionInfos.updated(before, after.last(), update, now, timeToLive);
    log.changed(List.of(new Change(after.last(), ChangeEvents.DESCRIBED, 0)), info.version());
    return after;
  }

  private static Instant created(SessionUpdate update, Instant now) {
    return update.times().map(SessionUpdate.Times::createdAt).filter(now::isAfter).orElse(now);
  }

  /** Notes that the session is gone; returns the numbers given out after that. */
  public Sequence clear(Sequence sequence) {
    Sequence after = sequence.next();
    log.cleared(after.last());
    return after;
  }

  /** Writes the entries of a fork, of which the first gets this position. */
  public static Commit copy(Fork fork, List<Entry> entries, long first) {
    List<Draft> drafts = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      long position = first + drafts.size();
      drafts.add(
          fork.transform()
              .map(transform -> transform.entry(entry, position).at(entry.addedAt()))
              .orElseGet(() -> Draft.of(entry)));
    }
    return Commit.appendDrafts(drafts);
  }
}
