package dev.clew.kit.state;

import dev.clew.Commit;
import dev.clew.Commit.Append;
import dev.clew.Commit.Fence;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Commit.Step;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.kit.Conflicts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Carries out changes of a session: first every check, then the change. Stateless: used under the
 * lock of the session.
 */
public final class Transactions {
  private Transactions() {}

  /** Where the session to change is, or will be. */
  public interface Place {
    /** The session, unless it does not exist or has expired. */
    Optional<SessionState> find();

    /** Makes the session that {@link #find} did not find, as of a time. */
    SessionState create(Instant at);

    /** Whether a session has outlived its time to live. */
    boolean hasExpired(SessionState state);

    /**
     * Fails unless the fence is the newest of its lease.
     *
     * @throws dev.clew.ClewException.SessionBusy if it is not
     */
    void check(Fence fence);
  }

  /**
   * Commits a transaction whose items are within the limits.
   *
   * @param digest the transaction's digest; not looked at without an operation id
   */
  public static Receipt apply(
      SessionKey key, Commit transaction, String digest, Place place, Instant now) {
    Optional<SessionState> found = place.find();
    Optional<Receipt> earlier =
        transaction
            .operationId()
            .flatMap(id -> found.flatMap(state -> state.operations().find(key, id, digest)));
    if (earlier.isPresent()) {
      return earlier.get();
    }
    transaction.fence().ifPresent(place::check);
    History history = found.map(SessionState::history).orElseGet(History::new);
    long version = found.map(SessionState::version).orElse(0L);
    if (transaction.expectsExisting() && found.isEmpty()) {
      throw Conflicts.absent(key);
    }
    checkExpectations(key, transaction, version, history);
    if (!hasWork(key, transaction.step(), history)) {
      if (transaction.step() instanceof ReplacePrefix prefix && prefix.drop()) {
        found.ifPresent(state -> state.archive().clear());
      }
      return receipt(version, List.of(), found.isPresent());
    }
    // Only an append gets here without a session: all else needs something to work on.
    SessionState state = found.orElseGet(() -> place.create(first(transaction, now)));
    List<Entry> written = change(state, transaction, now);
    renew(state, place, transaction.hasTimes(), now);
    Receipt receipt = receipt(state.version(), written, found.isPresent());
    transaction.operationId().ifPresent(id -> state.remember(id, digest, receipt, now));
    return receipt;
  }

  /** Changes a session's description, and makes the session if needed. */
  public static SessionInfo update(
      SessionKey key,
      SessionUpdate update,
      Place place,
      Optional<Duration> defaultTimeToLive,
      Instant now) {
    Optional<SessionState> found = place.find();
    long version = found.map(SessionState::version).orElse(0L);
    if (update.expectedVersion().isPresent() && update.expectedVersion().getAsLong() != version) {
      throw Conflicts.version(key, update.expectedVersion().getAsLong(), version);
    }
    SessionState state =
        found.orElseGet(
            () ->
                place.create(
                    update
                        .times()
                        .map(SessionUpdate.Times::createdAt)
                        .filter(now::isAfter)
                        .orElse(now)));
    state.describe(update, now);
    renew(state, place, update.times().isPresent(), now);
    return state.info(defaultTimeToLive);
  }

  /** When a session counts as made that begins with what a transaction writes. */
  private static Instant first(Commit transaction, Instant now) {
    return transaction.hasTimes()
        ? Instant.ofEpochMilli(transaction.times(0, now.toEpochMilli())[0])
        : now;
  }

  /** What was just written with times of then is not absent at once: it counts as changed now. */
  private static void renew(SessionState state, Place place, boolean timed, Instant now) {
    if (timed && place.hasExpired(state)) {
      state.touch(now);
    }
  }

  private static Receipt receipt(long version, List<Entry> written, boolean existed) {
    return written.isEmpty()
        ? new Receipt(version, OptionalLong.empty(), OptionalLong.empty(), false, existed)
        : new Receipt(
            version,
            OptionalLong.of(written.get(0).position()),
            OptionalLong.of(written.get(written.size() - 1).position()),
            false,
            existed);
  }

  private static void checkExpectations(
      SessionKey key, Commit transaction, long version, History history) {
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
  private static List<Entry> change(SessionState state, Commit transaction, Instant now) {
    Step step = transaction.step();
    if (step instanceof Append) {
      return state.append(transaction, now);
    }
    if (step instanceof ReplaceSuffix suffix) {
      // Two versions, because a watcher may stop between the removal and what comes instead.
      state.remove(state.history().newest(suffix.expected().size()), now);
      return step.drafts().isEmpty() ? List.of() : state.append(transaction, now);
    }
    if (step instanceof ReplacePrefix prefix) {
      return state.replace(prefix.upTo(), prefix.drop(), transaction, now);
    }
    if (step instanceof ReplaceItem item) {
      return List.of(state.edit(item.position(), item.draft(), now));
    }
    if (step instanceof RemoveItem item) {
      state.remove(List.of(state.history().at(item.position()).orElseThrow()), now);
      return List.of();
    }
    throw new IllegalStateException("unknown step " + step.getClass());
  }
}
