package dev.clew.kit;

import dev.clew.Commit;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.kit.ChangeEvents.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The effect of a commit on a session, computed but not yet done: the store deletes, puts and notes
 * these rows in one transaction. Immutable.
 *
 * @param info the session after it, with the time to live that is its own; none if there is no
 *     session
 * @param removed entries that leave the history
 * @param written entries to put, by position; one of them may be there already
 * @param drops whether all compacted entries go
 * @param compacted those of the removed entries that are kept, after the compacted ones there are
 * @param changes what to note for watchers, see {@link ChangeEvents}
 * @param sequence the numbers given out after it
 * @param receipt what to return, and to keep with the operation id
 */
public record CommitEffect(
    Optional<SessionInfo> info,
    List<Entry> removed,
    List<Entry> written,
    boolean drops,
    List<Entry> compacted,
    List<Change> changes,
    Sequence sequence,
    Receipt receipt) {

  /**
   * The numbers that were given out, in a session or in the whole store. Immutable.
   *
   * @param last the highest position or version; appended entries and versions share one sequence
   * @param lowest the lowest position
   */
  public record Sequence(long last, long lowest) {
    /** Of a new store. */
    public static final Sequence START = new Sequence(0, 0);

    /** After one more version was given out. */
    public Sequence next() {
      return new Sequence(last + 1, lowest);
    }
  }

  /**
   * A session as a commit finds it, all of one moment. Immutable.
   *
   * @param info with the time to live that is its own; none if it does not exist or has expired
   * @param history its live entries by position
   * @param sequence the numbers given out so far
   * @param timeToLive the default of the store
   */
  public record Before(
      Optional<SessionInfo> info,
      NavigableMap<Long, Entry> history,
      Sequence sequence,
      Optional<Duration> timeToLive) {}

  /**
   * A past commit with an operation id. Immutable.
   *
   * @param digest see {@link Commit#digest}
   * @param receipt its receipt
   */
  public record Made(String digest, Receipt receipt) {
    /**
     * The receipt of its repetition.
     *
     * @throws dev.clew.ClewException.VersionConflict if the commit does something else
     */
    public Receipt again(SessionKey key, Commit commit) {
      if (!digest.equals(commit.digest())) {
        throw Conflicts.otherContent(key, commit.operationId().orElse(""));
      }
      return new Receipt(receipt.version(), receipt.firstPosition(), receipt.lastPosition(), true);
    }
  }

  /**
   * Checks a commit that is not a repetition and computes its effect.
   *
   * @param fence the newest fence of a lease of the session
   * @throws dev.clew.ClewException.SessionBusy if its fence is outdated
   * @throws dev.clew.ClewException.VersionConflict if something else that it needs does not hold
   */
  public static CommitEffect of(
      SessionKey key, Commit commit, Before before, ToLongFunction<String> fence, Instant now) {
    long version = before.info().map(SessionInfo::version).orElse(0L);
    boolean drops = commit.step() instanceof ReplacePrefix prefix && prefix.drop();
    if (!Preconditions.check(
        key, commit, Preconditions.Head.of(version, before.history(), fence))) {
      return nothing(before, drops, receipt(version, List.of(), before));
    }
    return new Work(key, commit, before, now).effect(drops);
  }

  /** The effect of a commit that changes no entry. */
  public static CommitEffect nothing(Before before, boolean drops, Receipt receipt) {
    return new CommitEffect(
        before.info(),
        List.of(),
        List.of(),
        drops,
        List.of(),
        List.of(),
        before.sequence(),
        receipt);
  }

  /** Whether it changes the history. */
  public boolean isChange() {
    return !written.isEmpty() || !changes.isEmpty();
  }

  private static Receipt receipt(long version, List<Entry> written, Before before) {
    OptionalLong first = OptionalLong.empty();
    OptionalLong last = OptionalLong.empty();
    if (!written.isEmpty()) {
      first = OptionalLong.of(written.get(0).position());
      last = OptionalLong.of(written.get(written.size() - 1).position());
    }
    return new Receipt(version, first, last, false, before.info().isPresent());
  }

  /** Computes one effect. Used by one thread. */
  private static final class Work {
    private final Commit commit;
    private final Before before;
    private final Instant now;
    private final SessionInfo info;
    private final List<Entry> removed = new ArrayList<>();
    private final List<Entry> written = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private Sequence sequence;

    Work(SessionKey key, Commit commit, Before before, Instant now) {
      this.commit = commit;
      this.before = before;
      this.now = now;
      this.sequence = before.sequence();
      this.info =
          before
              .info()
              .orElseGet(
                  () ->
                      SessionInfos.created(
                          key,
                          commit.hasTimes()
                              ? Instant.ofEpochMilli(commit.times(0, now.toEpochMilli())[0])
                              : now));
    }

    CommitEffect effect(boolean drops) {
      Instant at = now;
      if (commit.step() instanceof ReplacePrefix prefix) {
        removed.addAll(before.history().headMap(prefix.upTo(), true).values());
        sequence = new Sequence(sequence.last(), sequence.lowest() - prefix.drafts().size());
        at = write(sequence.lowest(), 0);
        note(ChangeEvents.REPLACED, prefix.upTo());
      } else if (commit.step() instanceof ReplaceItem edit) {
        written.add(entry(edit.position(), edit.draft(), at(edit.position()).addedAt()));
        note(ChangeEvents.EDITED, edit.position());
      } else if (commit.step() instanceof RemoveItem removal) {
        remove(at(removal.position()));
      } else {
        int count = commit.step() instanceof ReplaceSuffix suffix ? suffix.expected().size() : 0;
        long last = 0;
        if (count > 0 || commit.hasTimes()) {
          List<Entry> newest =
              before.history().descendingMap().values().stream().limit(count + 1L).toList();
          newest.stream().limit(count).forEach(this::remove);
          last = newest.size() > count ? newest.get(count).addedAt().toEpochMilli() : 0;
        }
        at = write(sequence.last() + 1, last);
        sequence = new Sequence(sequence.last() + written.size(), sequence.lowest());
      }
      SessionInfo after = after(at);
      Receipt receipt = receipt(after.version(), written, before);
      return new CommitEffect(
          Optional.of(after), removed, written, drops, compacted(), changes, sequence, receipt);
    }

    /** The entry at a position, which was checked to be there. */
    private Entry at(long position) {
      return Objects.requireNonNull(before.history().get(position), "entry");
    }

    private List<Entry> compacted() {
      return commit.step() instanceof ReplacePrefix prefix && !prefix.drop()
          ? removed.stream()
              .map(e -> new Entry(e.position(), e.item(), e.addedAt(), e.notes(), true))
              .toList()
          : List.of();
    }

    /** Writes all drafts in a row; when the last of them counts as added. */
    private Instant write(long first, long last) {
      long latest = Math.max(now.toEpochMilli(), info.updatedAt().toEpochMilli());
      List<Draft> drafts = commit.placed(first);
      Instant at = now;
      for (long time : commit.times(last, latest)) {
        at = Instant.ofEpochMilli(time);
        written.add(entry(first + written.size(), drafts.get(written.size()), at));
      }
      return at;
    }

    private static Entry entry(long position, Draft draft, Instant addedAt) {
      return new Entry(position, draft.item(), addedAt, draft.notes(), false);
    }

    private void remove(Entry entry) {
      removed.add(entry);
      note(ChangeEvents.REMOVED, entry.position());
    }

    private void note(String kind, long position) {
      sequence = sequence.next();
      changes.add(new Change(sequence.last(), kind, position));
    }

    /** Imported entries with old times do not make a session expire at once. */
    private SessionInfo after(Instant at) {
      long count = info.itemCount() - removed.size() + written.size();
      long bytes = info.bytes() + SessionInfos.bytes(written) - SessionInfos.bytes(removed);
      if (commit.step() instanceof ReplaceItem edit) {
        count--;
        bytes -= SessionInfos.bytes(List.of(at(edit.position())));
      }
      SessionInfo after = SessionInfos.changed(info, sequence.last(), at, count, bytes);
      return commit.hasTimes() && SessionInfos.hasExpired(after, before.timeToLive(), now)
          ? SessionInfos.changed(after, sequence.last(), now, count, bytes)
          : after;
    }
  }
}
