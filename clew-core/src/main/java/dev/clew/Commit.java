package dev.clew;

import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One write to a session: a change of its history, the conditions under which it may happen, and
 * what is written along with it. Immutable.
 *
 * <pre>{@code
 * session.commit(Commit.append(items).operationId("turn-17").expectVersion(version));
 * }</pre>
 *
 * <p>If a condition fails nothing is written: {@link ClewException.VersionConflict}, or {@link
 * ClewException.SessionBusy} for an outdated fence.
 *
 * <p>Positions grow along a history. Appended entries get positions above every position ever used
 * in the session, also after a pop or a clear. Entries that replace a prefix get consecutive
 * positions below every position ever used, so these may be 0 or negative. Entries that stay keep
 * their positions, and a replaced item leaves its position to its replacement. A position is never
 * reused.
 */
public final class Commit {

  /** What a commit does to the history. */
  public sealed interface Step {
    /** What it writes. */
    List<Draft> drafts();
  }

  /** Adds entries at the end. */
  public record Append(List<Draft> drafts) implements Step {}

  /**
   * Replaces the newest items, which must be exactly {@code expected}, by others. These are
   * appended and get new positions. Watchers see a removal and then an append, see {@link
   * SessionEvent}.
   */
  public record ReplaceSuffix(List<Item> expected, List<Draft> drafts) implements Step {}

  /**
   * Replaces everything up to and including {@code upTo} by other entries; what was appended since
   * stays. The replaced entries stay readable as compacted ones; if {@code drop} is set, they are
   * removed for good, and earlier compacted entries with them.
   *
   * <p>The new entries get consecutive positions below every position ever used in the session: 0
   * and negative ones are usual.
   */
  public record ReplacePrefix(long upTo, List<Draft> drafts, boolean drop) implements Step {}

  /** Replaces the item at {@code position}. */
  public record ReplaceItem(long position, Draft draft) implements Step {
    @Override
    public List<Draft> drafts() {
      return List.of(draft);
    }
  }

  /** Removes the item at {@code position}. */
  public record RemoveItem(long position) implements Step {
    @Override
    public List<Draft> drafts() {
      return List.of();
    }
  }

  /**
   * Proof that a {@link Lease} is held: a commit with it is refused when the lease has changed
   * hands.
   */
  public record Fence(String lease, long number) {}

  /**
   * A document of the session's owner that is written along with the change.
   *
   * @param name the document
   * @param expectedVersion the version it must have; 0 if it must not exist
   * @param timeToLive after which time it expires; empty for never
   * @param json its text, made from the receipt; the function may be called more than once, and
   *     while the store is locked, so it must not call the store
   */
  public record DocumentPut(
      String name,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive,
      Function<Receipt, String> json) {}

  private final Step step;
  private final Conditions conditions;
  private final Extras extras;
  private final @Nullable Sealed sealed;

  /** What is written along with the history. */
  private record Extras(Optional<Duration> timeToLive, Optional<DocumentPut> document) {
    static final Extras NONE = new Extras(Optional.empty(), Optional.empty());
  }

  /** How a commit is sealed, and the step that its caller wanted. */
  private record Sealed(PositionedEncoder sealing, Step plain) {}

  /** What must hold for the commit. */
  private record Conditions(
      @Nullable String operationId,
      OptionalLong version,
      OptionalLong tail,
      boolean existing,
      @Nullable Fence fence) {
    static final Conditions NONE =
        new Conditions(null, OptionalLong.empty(), OptionalLong.empty(), false, null);
  }

  private Commit(Step step, Conditions conditions, Extras extras, @Nullable Sealed sealed) {
    this.step = step;
    this.conditions = conditions;
    this.extras = extras;
    this.sealed = sealed;
  }

  private static Commit of(Step step) {
    return new Commit(step, Conditions.NONE, Extras.NONE, null);
  }

  private Commit under(Conditions others) {
    return new Commit(step, others, extras, sealed);
  }

  /** Adds items at the end; an empty list does nothing at all. */
  public static Commit append(List<Item> items) {
    return appendDrafts(drafts(items));
  }

  /** Adds items with notes at the end. */
  public static Commit appendDrafts(List<Draft> drafts) {
    return of(new Append(List.copyOf(drafts)));
  }

  /**
   * Replaces the newest items by others: undo, edit, regenerate. If the history does not end with
   * exactly {@code expectedSuffix}, it fails with {@link ClewException.VersionConflict}.
   */
  public static Commit replaceSuffix(List<Item> expectedSuffix, List<Item> replacement) {
    if (expectedSuffix.isEmpty()) {
      throw new IllegalArgumentException("the expected suffix is empty; use append");
    }
    return of(new ReplaceSuffix(List.copyOf(expectedSuffix), drafts(replacement)));
  }

  /** Replaces everything up to a position; the replaced items stay readable as compacted ones. */
  public static Commit replacePrefix(long upTo, List<Item> replacement) {
    return of(new ReplacePrefix(upTo, drafts(replacement), false));
  }

  /** Replaces everything up to a position by items with notes; the replaced ones stay readable. */
  public static Commit replacePrefixDrafts(long upTo, List<Draft> replacement) {
    return of(new ReplacePrefix(upTo, List.copyOf(replacement), false));
  }

  /**
   * Replaces everything up to a position and drops what was there, with everything that was
   * compacted before. Without a replacement it drops compacted items even if the history has
   * nothing up to that position.
   */
  public static Commit dropPrefix(long upTo, List<Item> replacement) {
    return of(new ReplacePrefix(upTo, drafts(replacement), true));
  }

  /** As {@link #dropPrefix}, with notes. */
  public static Commit dropPrefixDrafts(long upTo, List<Draft> replacement) {
    return of(new ReplacePrefix(upTo, List.copyOf(replacement), true));
  }

  /** Replaces the item at {@code position} by another, with its notes. */
  public static Commit replaceItem(long position, Draft draft) {
    return of(new ReplaceItem(position, draft));
  }

  /** Removes the item at {@code position}. */
  public static Commit removeItem(long position) {
    return of(new RemoveItem(position));
  }

  /**
   * Makes repeating safe: the same id with the same content takes effect once, the same id with
   * other content fails. Ids are remembered for at least 24 hours, until the session is cleared.
   */
  public Commit operationId(String id) {
    if (id.isEmpty() || id.length() > 512) {
      throw new IllegalArgumentException(
          "an operation id has 1 to 512 characters, not " + id.length());
    }
    Conditions c = conditions;
    return under(new Conditions(id, c.version, c.tail, c.existing, c.fence));
  }

  /** Fails unless the session has this version; 0 for a session that does not exist. */
  public Commit expectVersion(long version) {
    Conditions c = conditions;
    return under(
        new Conditions(c.operationId, OptionalLong.of(version), c.tail, c.existing, c.fence));
  }

  /** Fails unless this is the position of the newest item. */
  public Commit expectTail(long position) {
    Conditions c = conditions;
    return under(
        new Conditions(c.operationId, c.version, OptionalLong.of(position), c.existing, c.fence));
  }

  /** Fails unless the session exists; otherwise an append creates it. */
  public Commit expectExisting() {
    Conditions c = conditions;
    return under(new Conditions(c.operationId, c.version, c.tail, true, c.fence));
  }

  /** Fails with {@link ClewException.SessionBusy} if the lease has changed hands. */
  public Commit fence(Fence fence) {
    Conditions c = conditions;
    return under(new Conditions(c.operationId, c.version, c.tail, c.existing, fence));
  }

  /** Sets the session's time to live after its last update. */
  public Commit timeToLive(Duration value) {
    return new Commit(step, conditions, new Extras(Optional.of(value), extras.document()), sealed);
  }

  /**
   * Also writes a document of the session's owner. With {@link Capability#ATOMIC_DOCUMENTS} it is
   * one atomic write. Other stores write the document after the change, so after a crash, or a
   * conflict on the document's version, the change may be there without the document.
   */
  public Commit document(DocumentPut put) {
    return new Commit(step, conditions, new Extras(extras.timeToLive(), Optional.of(put)), sealed);
  }

  /** The change alone, under the same conditions. */
  public Commit historyOnly() {
    return new Commit(step, conditions, Extras.NONE, sealed);
  }

  /** The time to live to set, if any. */
  public Optional<Duration> timeToLive() {
    return extras.timeToLive();
  }

  /** The document to write, if any. */
  public Optional<DocumentPut> document() {
    return extras.document();
  }

  /** Whether it writes only the history. */
  public boolean isHistoryOnly() {
    return extras.equals(Extras.NONE);
  }

  /**
   * The same commit, whose drafts a store must encode before it writes them. The encoded drafts are
   * available only from {@link #placed}; a store that reads the drafts elsewhere fails and never
   * sees plaintext.
   *
   * @param storedSuffix the encoded form of the items that a {@link ReplaceSuffix} expects
   */
  public Commit sealed(PositionedEncoder sealing, List<Item> storedSuffix) {
    List<Draft> drafts = new Unplaced(step.drafts().size());
    Step hidden = step;
    if (step instanceof Append) {
      hidden = new Append(drafts);
    } else if (step instanceof ReplaceSuffix) {
      hidden = new ReplaceSuffix(List.copyOf(storedSuffix), drafts);
    } else if (step instanceof ReplacePrefix prefix) {
      hidden = new ReplacePrefix(prefix.upTo(), drafts, prefix.drop());
    } else if (step instanceof ReplaceItem item) {
      hidden = new ReplaceItem(item.position(), sealing.seal(item.draft(), item.position()));
    }
    return new Commit(hidden, conditions, extras, new Sealed(sealing, step));
  }

  /** Whether what it writes depends on the positions it gets. */
  public boolean isSealed() {
    return sealed != null;
  }

  /** What it writes if the first draft gets this position and the rest follow. */
  public List<Draft> placed(long first) {
    if (sealed == null || step instanceof ReplaceItem) {
      return step.drafts();
    }
    List<Draft> drafts = new ArrayList<>(step.drafts().size());
    for (Draft draft : sealed.plain().drafts()) {
      drafts.add(sealed.sealing().seal(draft, first + drafts.size()));
    }
    return drafts;
  }

  /** Whether any of its items has a time at which it was added elsewhere. */
  public boolean hasTimes() {
    for (Draft draft : plain().drafts()) {
      if (draft.addedAt().isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** When each of its items was added elsewhere; empty if not given. */
  public List<Optional<Instant>> givenTimes() {
    return plain().drafts().stream().map(Draft::addedAt).toList();
  }

  /**
   * When each of its items counts as added, in milliseconds: as given, but never in the future,
   * never later than a following item of this commit (a summary precedes older items), and never
   * earlier than the item before them; now if not given.
   *
   * @param last when the item before the first one was added; 0 if there is none
   */
  public long[] times(long last, long now) {
    List<Draft> drafts = plain().drafts();
    long[] times = new long[drafts.size()];
    long next = now;
    for (int i = times.length - 1; i >= 0; i--) {
      next = Math.min(next, drafts.get(i).addedAt().map(Instant::toEpochMilli).orElse(now));
      times[i] = Math.max(last, next);
    }
    return times;
  }

  private Step plain() {
    return sealed == null ? step : sealed.plain();
  }

  /**
   * Checks the items against limits, sealed or not.
   *
   * @throws ClewException.InvalidItem with the index of the first item that exceeds the limits
   */
  public void check(ItemLimits limits) {
    limits.check(items(plain()));
  }

  /** Drafts that cannot be read without their positions. */
  private static final class Unplaced extends AbstractList<Draft> {
    private final int size;

    Unplaced(int size) {
      this.size = size;
    }

    @Override
    public Draft get(int index) {
      throw new ClewException.NotSupported(
          "this store cannot keep encrypted items: it does not ask Commit.placed for"
              + " them; use another store, or this one without a key");
    }

    @Override
    public int size() {
      return size;
    }
  }

  /** What it does. */
  public Step step() {
    return step;
  }

  /** The operation id, if one was given. */
  public Optional<String> operationId() {
    return Optional.ofNullable(conditions.operationId);
  }

  /** The version the session must have. */
  public OptionalLong expectedVersion() {
    return conditions.version;
  }

  /** The position the newest item must have. */
  public OptionalLong expectedTail() {
    return conditions.tail;
  }

  /** Whether the session must exist. */
  public boolean expectsExisting() {
    return conditions.existing;
  }

  /** The lease that must still be held. */
  public Optional<Fence> fence() {
    return Optional.ofNullable(conditions.fence);
  }

  /** The items it writes. */
  public List<Item> items() {
    return items(step);
  }

  private static List<Item> items(Step step) {
    List<Item> items = new ArrayList<>(step.drafts().size());
    for (Draft draft : step.drafts()) {
      items.add(draft.item());
    }
    return items;
  }

  /** A digest of what the commit does: equal for equal content, whatever its conditions. */
  public String digest() {
    String digest = StepDigest.of(plain());
    return sealed == null ? digest : sealed.sealing().digest(digest);
  }

  private static List<Draft> drafts(List<Item> items) {
    List<Draft> drafts = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      if (item == null) {
        throw new ClewException.InvalidItem(i, "is null");
      }
      drafts.add(Draft.of(item));
    }
    return List.copyOf(drafts);
  }

  @Override
  public String toString() {
    String id = operationId().map(name -> " '" + name + "'").orElse("");
    return Objects.requireNonNull(step).getClass().getSimpleName() + id;
  }
}
