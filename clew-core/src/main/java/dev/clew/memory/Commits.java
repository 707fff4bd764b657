package dev.clew.memory;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.HistoryTransaction;
import dev.clew.HistoryTransaction.Append;
import dev.clew.HistoryTransaction.RemoveItem;
import dev.clew.HistoryTransaction.ReplaceItem;
import dev.clew.HistoryTransaction.ReplacePrefix;
import dev.clew.HistoryTransaction.ReplaceSuffix;
import dev.clew.HistoryTransaction.Step;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Carries out history transactions: first every check, then the change. Not thread-safe: used under
 * {@link Guard}.
 */
final class Commits {
  private final MemorySessions sessions;
  private final MemoryLeases leases;

  Commits(MemorySessions sessions, MemoryLeases leases) {
    this.sessions = sessions;
    this.leases = leases;
  }

  /**
   * Commits a transaction whose items are within the limits.
   *
   * @param digest the transaction's digest; not looked at without an operation id
   */
  Receipt apply(SessionKey key, HistoryTransaction transaction, String digest, Instant now) {
    Optional<SessionState> found = sessions.findToChange(key, now);
    Optional<Receipt> earlier =
        transaction
            .operationId()
            .flatMap(id -> found.flatMap(state -> state.operations.find(key, id, digest)));
    if (earlier.isPresent()) {
      return earlier.get();
    }
    transaction.fence().ifPresent(fence -> leases.check(key, fence));
    History history = found.map(state -> state.history).orElseGet(History::new);
    long version = found.map(state -> state.version).orElse(0L);
    checkExpectations(key, transaction, version, history);
    if (!hasWork(key, transaction.step(), history)) {
      return receipt(version, List.of());
    }
    // Only an append gets here without a session: all else needs something to work on.
    SessionState state = found.orElseGet(() -> sessions.create(key, now, Optional.empty()));
    List<Entry> written = change(state, transaction.step(), now);
    Receipt receipt = receipt(state.version, written);
    transaction.operationId().ifPresent(id -> state.operations.remember(id, digest, receipt, now));
    return receipt;
  }

  private static Receipt receipt(long version, List<Entry> written) {
    return written.isEmpty()
        ? new Receipt(version, OptionalLong.empty(), OptionalLong.empty(), false)
        : new Receipt(
            version,
            OptionalLong.of(written.get(0).position()),
            OptionalLong.of(written.get(written.size() - 1).position()),
            false);
  }

  private static void checkExpectations(
      SessionKey key, HistoryTransaction transaction, long version, History history) {
    OptionalLong expected = transaction.expectedVersion();
    if (expected.isPresent() && expected.getAsLong() != version) {
      throw Conflicts.version(key, expected.getAsLong(), version);
    }
    OptionalLong expectedTail = transaction.expectedTail();
    if (expectedTail.isPresent() && !expectedTail.equals(history.tail())) {
      throw Conflicts.tail(key, expectedTail.getAsLong(), history.tail());
    }
  }

  /** Whether the step changes anything; fails when the history is not what the step needs. */
  private static boolean hasWork(SessionKey key, Step step, History history) {
    if (step instanceof ReplaceSuffix suffix) {
      List<Item> expected = suffix.expected();
      if (!history.newestItems(expected.size()).equals(expected)) {
        throw Conflicts.suffix(key, expected.size());
      }
    } else if (step instanceof ReplacePrefix prefix) {
      boolean reaches = history.startsAtOrBefore(prefix.upTo());
      if (!reaches && !prefix.drafts().isEmpty()) {
        throw Conflicts.noPrefix(key, prefix.upTo());
      }
      return reaches;
    } else if (step instanceof ReplaceItem item) {
      requireItem(key, history, item.position());
    } else if (step instanceof RemoveItem item) {
      requireItem(key, history, item.position());
    } else {
      return !step.drafts().isEmpty();
    }
    return true;
  }

  private static void requireItem(SessionKey key, History history, long position) {
    if (history.at(position).isEmpty()) {
      throw Conflicts.noItem(key, position);
    }
  }

  /** Does the step, which has work; what it wrote. */
  private List<Entry> change(SessionState state, Step step, Instant now) {
    if (step instanceof Append append) {
      return sessions.append(state, append.drafts(), now);
    }
    if (step instanceof ReplaceSuffix suffix) {
      return replaceSuffix(state, suffix, now);
    }
    if (step instanceof ReplacePrefix prefix) {
      return replacePrefix(state, prefix, now);
    }
    if (step instanceof ReplaceItem item) {
      return replaceItem(state, item.position(), item.draft(), now);
    }
    if (step instanceof RemoveItem item) {
      return sessions.remove(state, List.of(item.position()), now);
    }
    throw new IllegalStateException("unknown step " + step.getClass());
  }

  /** Two versions, because a watcher may stop between the removal and what comes instead. */
  private List<Entry> replaceSuffix(SessionState state, ReplaceSuffix suffix, Instant now) {
    List<Long> positions =
        state.history.newest(suffix.expected().size()).stream().map(Entry::position).toList();
    sessions.remove(state, positions, now);
    return suffix.drafts().isEmpty() ? List.of() : sessions.append(state, suffix.drafts(), now);
  }

  private List<Entry> replacePrefix(SessionState state, ReplacePrefix prefix, Instant now) {
    Instant at = sessions.touch(state, now);
    List<Entry> replaced = state.history.upTo(prefix.upTo());
    replaced.forEach(entry -> state.history.remove(entry.position()));
    if (!prefix.drop()) {
      state.archive.add(replaced);
    }
    List<Entry> written = sessions.prepend(state, prefix.drafts(), at);
    long first = written.isEmpty() ? 0 : written.get(0).position();
    sessions.changed(
        state, version -> state.log.replaced(version, prefix.upTo(), first, written.size()));
    return written;
  }

  private List<Entry> replaceItem(SessionState state, long position, Draft draft, Instant now) {
    sessions.touch(state, now);
    Entry before = state.history.at(position).orElseThrow();
    Entry after = new Entry(position, draft.item(), before.addedAt(), draft.notes(), false);
    state.history.put(after);
    sessions.changed(state, version -> state.log.edited(version, position));
    return List.of(after);
  }
}
