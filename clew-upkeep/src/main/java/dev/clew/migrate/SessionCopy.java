package dev.clew.migrate;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.copy.EntryReader;
import dev.clew.copy.Fingerprint;
import dev.clew.migrate.SessionOutcome.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Copies one session. Not thread-safe: made for one session.
 *
 * <p>How a session that was copied in part is continued, and why nothing is ever there twice: what
 * the target has is read and must be the beginning of what the source has; only what follows is
 * written. Every write expects the version that the one before left, so a second migration, or a
 * write of a killed one that arrives late, is a conflict and not a duplicate.
 *
 * <p>Items that compactions replaced come first. Each batch of them is written in the place of the
 * batch before, which so becomes compacted; the first batch of the history replaces the last of
 * them. So every step is of bounded size.
 *
 * <p>A history that fits into one batch is written by one transaction and is there or not. A longer
 * one is marked until it is complete and verified, see {@link Mark}.
 */
final class SessionCopy {
  /** A session whose source changes meanwhile is read again so often. */
  private static final int ATTEMPTS = 5;

  private final SessionStore from;
  private final SessionStore to;
  private final SessionKey key;
  private final boolean dryRun;
  private final MigrationListener listener;
  private long unreadable;

  /* The attempt in work: what the source had so far, and how the last write left the target. */
  private Fingerprint source = new Fingerprint();
  private long version;
  private boolean lastIsCompacted;
  private Span span = new Span(Instant.EPOCH, Instant.EPOCH);
  private boolean marked;
  private boolean ours;

  /**
   * When the first and the last item of a batch were added, which is how old it makes a session.
   */
  private record Span(Instant first, Instant last) {
    boolean isOf(SessionInfo info) {
      return info.createdAt().equals(first) && info.updatedAt().equals(last);
    }
  }

  SessionCopy(
      SessionStore from,
      SessionStore to,
      SessionKey key,
      boolean dryRun,
      MigrationListener listener) {
    this.from = from;
    this.to = to;
    this.key = key;
    this.dryRun = dryRun;
    this.listener = listener;
  }

  /** How many entries the source has that cannot be read. */
  long unreadable() {
    return unreadable;
  }

  /** Copies it; nothing if it is gone from the source. */
  Optional<SessionOutcome> run() {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Optional<SessionInfo> before = from.session(key).info();
      if (before.isEmpty()) {
        return Optional.empty();
      }
      if (Mark.isOn(before.get())) {
        return Optional.of(
            outcome(Kind.REFUSED, "is itself unfinished in the source; complete it there first"));
      }
      Optional<SessionOutcome> outcome = once(before.get());
      Optional<Long> after = from.session(key).info().map(SessionInfo::version);
      if (outcome.isPresent() && after.equals(before.map(SessionInfo::version))) {
        boolean moved = ours && outcome.get().kind() == Kind.ALREADY_THERE;
        return moved ? Optional.of(outcome(Kind.MOVED, "")) : outcome;
      }
    }
    return Optional.of(
        outcome(
            Kind.FAILED, "changes in the source all the time; stop its writers and run it again"));
  }

  /** One attempt; nothing if the target had to be emptied to start over. */
  private Optional<SessionOutcome> once(SessionInfo info) {
    Optional<SessionInfo> there = to.session(key).info();
    if (there.isEmpty() && dryRun) {
      return Optional.of(new SessionOutcome(key, Kind.WOULD_MOVE, info.itemCount(), ""));
    }
    source = new Fingerprint();
    lastIsCompacted = false;
    version = there.map(SessionInfo::version).orElse(0L);
    marked = there.map(Mark::isOn).orElse(false);
    Fingerprint known =
        there.isEmpty() ? new Fingerprint() : EntryReader.of(to, there.get()).readAll();
    if (!copy(info, known, there.isPresent())) {
      return other(info);
    }
    unreadable = Math.max(0, info.itemCount() - (source.count() - source.compacted()));
    return finish(info, there, known);
  }

  /** Writes what the target lacks; whether what it has is a beginning of the source. */
  private boolean copy(SessionInfo info, Fingerprint known, boolean exists) {
    EntryReader reader = EntryReader.of(from, info);
    boolean checked = known.count() == 0;
    while (reader.hasMore()) {
      List<Entry> page = reader.next();
      int i = 0;
      while (i < page.size() && source.count() < known.count()) {
        lastIsCompacted = page.get(i).compacted();
        source.add(page.get(i++));
      }
      listener.progressed(i);
      if (!checked && source.count() == known.count()) {
        if (!isBeginning(known)) {
          return false;
        }
        checked = true;
      }
      List<Entry> rest = page.subList(i, page.size());
      if (dryRun) {
        rest.forEach(source::add);
      } else if (!rest.isEmpty()) {
        boolean whole = !exists && source.count() == 0 && !reader.hasMore();
        write(rest, info, whole && !rest.get(0).compacted());
      }
    }
    return checked;
  }

  /**
   * Whether the target has what was read so far, with the same items replaced by compactions. Those
   * it has last may still be waiting to be replaced, if what follows will replace them all.
   */
  private boolean isBeginning(Fingerprint known) {
    boolean waiting =
        source.compacted() == source.count() && known.compacted() < source.compacted();
    return (known.compacted() == source.compacted() || waiting)
        && Arrays.equals(source.soFar(), known.soFar());
  }

  /** Writes entries behind those that are there; a history that is whole needs no mark. */
  private void write(List<Entry> entries, SessionInfo info, boolean whole) {
    ours = true;
    if (!whole && !marked) {
      mark(info);
    }
    int start = 0;
    while (start < entries.size()) {
      boolean compacted = entries.get(start).compacted();
      int end = start + 1;
      while (end < entries.size() && entries.get(end).compacted() == compacted) {
        end++;
      }
      writeBatch(entries.subList(start, end));
      start = end;
    }
  }

  private void mark(SessionInfo info) {
    version = to.session(key).update(Mark.put(info).expectVersion(version)).version();
    marked = true;
  }

  private void writeBatch(List<Entry> entries) {
    List<Draft> drafts = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      drafts.add(Draft.of(entry));
    }
    List<Entry> replaced =
        lastIsCompacted ? to.session(key).entries(Range.latest(1)).entries() : List.of();
    Commit transaction =
        replaced.isEmpty()
            ? Commit.appendDrafts(drafts)
            : Commit.replacePrefixDrafts(replaced.get(0).position(), drafts);
    try {
      version = to.session(key).commit(transaction.expectVersion(version)).version();
    } catch (ClewException.InvalidItem e) {
      throw new ClewException.InvalidItem(
          "the target refuses the item at position %s of the source: %s"
              .formatted(entries.get(Math.max(0, e.index())).position(), e.getMessage()));
    }
    entries.forEach(source::add);
    span = new Span(entries.get(0).addedAt(), entries.get(entries.size() - 1).addedAt());
    lastIsCompacted = entries.get(0).compacted();
    listener.progressed(entries.size());
  }

  /** The target has something that is no beginning of the source. */
  private Optional<SessionOutcome> other(SessionInfo info) {
    if (!marked && !ours) {
      return Optional.of(
          new SessionOutcome(
              key,
              Kind.REFUSED,
              info.itemCount(),
              "the target has another session of that name; delete it there to move this one"));
    }
    if (dryRun) {
      return Optional.of(new SessionOutcome(key, Kind.WOULD_MOVE, info.itemCount(), ""));
    }
    to.session(key).delete(); // a copy of a source that has changed since
    return Optional.empty();
  }

  private Optional<SessionOutcome> finish(
      SessionInfo info, Optional<SessionInfo> there, Fingerprint known) {
    boolean complete = there.isPresent() && !marked && known.same(source);
    if (complete && !Mark.isMissing(there.get(), info)) {
      return Optional.of(outcome(Kind.ALREADY_THERE, ""));
    }
    if (dryRun) {
      return Optional.of(outcome(Kind.WOULD_MOVE, ""));
    }
    archiveTheLast();
    if (source.count() > 0) {
      // A session made by one append a moment ago has nothing that was replaced.
      boolean fresh = there.isEmpty() && !marked;
      Fingerprint found =
          (fresh ? EntryReader.ofHistory(to, info) : EntryReader.of(to, info)).readAll();
      if (!found.same(source)) {
        return Optional.of(differs(info, found));
      }
    }
    if (marked || source.count() == 0 || Mark.isNeeded(info) || !span.isOf(info)) {
      version = to.session(key).update(Mark.replace(info).expectVersion(version)).version();
    }
    return Optional.of(outcome(Kind.MOVED, ""));
  }

  /** For a session whose whole history was replaced by nothing. */
  private void archiveTheLast() {
    if (lastIsCompacted) {
      List<Entry> newest = to.session(key).entries(Range.latest(1)).entries();
      if (!newest.isEmpty()) {
        Commit empty = Commit.replacePrefix(newest.get(0).position(), List.of());
        version = to.session(key).commit(empty.expectVersion(version)).version();
      }
    }
  }

  private SessionOutcome differs(SessionInfo info, Fingerprint found) {
    if (!marked) {
      mark(info);
    }
    return outcome(
        Kind.FAILED,
        "the copy (" + found + ") differs from the source (" + source + "); run it again");
  }

  private SessionOutcome outcome(Kind kind, String message) {
    return new SessionOutcome(key, kind, source.count() - source.compacted(), message);
  }
}
