package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Session;
import dev.clew.StoredSession;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session that compacts its history when it has grown long. Thread-safe.
 *
 * <pre>{@code
 * Session session = CompactionSession.over(store.session("user_123"), Compactor.summary(model));
 * runner.run(agent, "Hello", session);   // compacts after the turn if there is reason to
 * }</pre>
 *
 * <p>After each turn that a runner has stored, the {@link CompactionTrigger} decides whether the
 * {@link Compactor} runs. Its result replaces what was read, in one commit on a session of a store:
 * items that were appended meanwhile are kept, and if what was read has changed meanwhile, the
 * result is discarded. The replaced items remain readable there with {@link
 * dev.clew.Range#withCompacted}, unless they are to be dropped. A session that is not in a store is
 * cleared and rewritten, which is weaker, and logged.
 *
 * <p>A compaction that fails after a turn changes nothing, does not fail the run, and is tried
 * again after a later turn. Why it failed is only logged, by SLF4J at level WARN: without a
 * provider of SLF4J, such as {@code org.slf4j:slf4j-simple}, nobody sees that. That it failed is
 * reported as {@link RunEvent.CompactionFinished} to {@link RunConfig#listener} and in streams,
 * unless it runs in the background. {@link #runCompaction} throws instead.
 */
public final class CompactionSession implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionSession.class);
  private static final int LONGEST_REST = 31;

  private final Session underlying;
  private final Session access;
  private final CompactionAttempt.Plan plan;
  private final @Nullable Executor background;
  private final ReentrantLock one = new ReentrantLock();
  private volatile CompletableFuture<Boolean> running = CompletableFuture.completedFuture(true);
  private volatile Usage usage = Usage.NONE; // written by who has the lock
  private int failures;
  private int rest;

  private CompactionSession(Builder builder) {
    underlying = builder.session;
    CompactedHistory history;
    background = builder.background;
    if (underlying instanceof StoredSession stored) {
      access = stored;
      history = new StoredHistory(stored, builder.drop);
    } else {
      PlainHistory plain = new PlainHistory(underlying);
      access = plain;
      history = plain;
    }
    plan =
        new CompactionAttempt.Plan(
            history, builder.compactor, builder.mode, builder.trigger, builder.inPlace);
  }

  /** A session that is compacted when it has ten items that are not a user's. */
  public static CompactionSession over(Session session, Compactor compactor) {
    return builder(session, compactor).build();
  }

  /** The same with options. */
  public static Builder builder(Session session, Compactor compactor) {
    return new Builder(session, compactor);
  }

  /** The session that is compacted. */
  public Session underlying() {
    return underlying;
  }

  /** What all compactions by this object have cost. */
  public Usage usage() {
    return usage;
  }

  /**
   * Compacts now, if the trigger asks for it or it is forced; waits for a running compaction.
   *
   * <p>It does nothing while a call in the last turn has no output, forced or not.
   *
   * @throws IllegalArgumentException for {@link CompactionMode#PREVIOUS_RESPONSE_ID} without a
   *     stored response
   * @throws ClewException what the compactor or the session failed with; the history is unchanged
   */
  public CompactionReport runCompaction(CompactionOptions options) {
    CompactionMode wanted = options.compactionMode().orElse(plan.mode());
    if (wanted == CompactionMode.PREVIOUS_RESPONSE_ID
        && (options.responseId().isEmpty()
            || !options.store()
            || !plan.compactor().canFollowResponses())) {
      throw new IllegalArgumentException(
          "compaction from a previous response needs its responseId, that the provider stored it,"
              + " and a compactor that can use it; give them, or use the mode INPUT");
    }
    return compact(
        new CompactionAttempt(plan, options, Optional.empty(), Optional.empty(), event -> {}));
  }

  /**
   * Compacts now if the trigger asks for it. To compact in any case, use {@link
   * CompactionOptions#FORCE}.
   */
  public CompactionReport runCompaction() {
    return runCompaction(CompactionOptions.DEFAULT);
  }

  /** Waits until no compaction runs in the background. */
  public void awaitCompaction() {
    running.join();
  }

  /**
   * A turn has been stored.
   *
   * @param options with the last response, if there is one
   * @param known what that response knows of the history
   * @param fence of the lease that is held during the call
   * @param events receives events, unless it runs in the background
   * @return what it has cost so far
   */
  Usage afterTurn(
      CompactionOptions options,
      List<Item> known,
      Optional<Commit.Fence> fence,
      Consumer<RunEvent> events) {
    if (background == null) {
      return tryCompact(new CompactionAttempt(plan, options, Optional.of(known), fence, events));
    }
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    if (!begins(mine)) {
      LOG.debug("session {}: not compacted, one is running", id());
      return Usage.NONE;
    }
    try {
      // Without the fence and the events: the lease is given back, and the run over, before this
      // is done.
      CompactionAttempt attempt =
          new CompactionAttempt(plan, options, Optional.of(known), Optional.empty(), event -> {});
      background.execute(
          () -> {
            try {
              tryCompact(attempt);
            } finally {
              mine.complete(true);
            }
          });
    } catch (RuntimeException e) {
      mine.complete(true);
      LOG.warn("session {}: a compaction could not be started", id(), e);
    }
    return Usage.NONE;
  }

  private synchronized boolean begins(CompletableFuture<Boolean> next) {
    if (!running.isDone()) {
      return false;
    }
    running = next;
    return true;
  }

  private Usage tryCompact(CompactionAttempt attempt) {
    attempt.tell(reportOf(attempt));
    return attempt.cost();
  }

  /** The report; nothing if it failed, or was skipped after a recent failure. */
  private Optional<CompactionReport> reportOf(CompactionAttempt attempt) {
    one.lock();
    try {
      if (rest > 0) {
        rest--;
        LOG.debug("session {}: not compacted after a recent failure", id());
        return Optional.empty();
      }
      CompactionReport report = compact(attempt);
      failures = 0;
      return Optional.of(report);
    } catch (RuntimeException | LinkageError e) {
      rest = Math.min(LONGEST_REST, (1 << Math.min(failures++, 10)) - 1);
      LOG.warn(
          "session {}: compaction failed, the history is as it was; it is tried again after {}",
          id(),
          rest == 0 ? "the next turn" : rest + " more turns",
          e);
      return Optional.empty();
    } finally {
      one.unlock();
    }
  }

  private CompactionReport compact(CompactionAttempt attempt) {
    one.lock();
    try {
      CompactionReport report = attempt.run();
      LOG.debug(
          "session {}: {}, mode {}, {} items before, {} after: {}",
          id(),
          report.compacted() ? "compacted" : "not compacted",
          attempt.mode(),
          report.itemsBefore(),
          report.itemsAfter(),
          report.reason());
      return report;
    } finally {
      usage = usage.plus(attempt.cost());
      one.unlock();
    }
  }

  @Override
  public String id() {
    return underlying.id();
  }

  @Override
  public List<Item> getItems() {
    return access.getItems();
  }

  @Override
  public List<Item> getItems(int limit) {
    return access.getItems(limit);
  }

  @Override
  public void addItems(List<Item> items) {
    access.addItems(items);
  }

  @Override
  public Optional<Item> popItem() {
    return access.popItem();
  }

  @Override
  public void clearSession() {
    access.clearSession();
  }

  @Override
  public String toString() {
    return "compacted " + underlying;
  }

  /** Builds a {@link CompactionSession}. Not thread-safe. */
  public static final class Builder {
    private final Session session;
    private final Compactor compactor;
    private CompactionMode mode = CompactionMode.AUTO;
    private CompactionTrigger trigger =
        CompactionTrigger.candidates(CompactionTrigger.DEFAULT_CANDIDATES);
    private boolean inPlace;
    private boolean drop;
    private @Nullable Executor background;

    private Builder(Session session, Compactor compactor) {
      this.session = Objects.requireNonNull(session, "session");
      this.compactor = Objects.requireNonNull(compactor, "compactor");
      if (session instanceof ServerManagedSession) {
        throw new IllegalArgumentException(
            "session '"
                + session.id()
                + "' is kept by the provider, which manages its history and has no way to replace"
                + " a part of it at once; use it as it is, or compact a session that is kept here");
      }
      if (session instanceof CompactionSession) {
        throw new IllegalArgumentException(
            "session '" + session.id() + "' is a CompactionSession already");
      }
    }

    /** From what to compact; {@link CompactionMode#AUTO} unless said otherwise. */
    public Builder mode(CompactionMode value) {
      if (value == CompactionMode.PREVIOUS_RESPONSE_ID && !compactor.canFollowResponses()) {
        throw new IllegalArgumentException(
            "this compactor works on items, not on a previous response; use AUTO or INPUT");
      }
      mode = value;
      return this;
    }

    /** When to compact; at ten candidates unless said otherwise. */
    public Builder trigger(CompactionTrigger value) {
      trigger = value;
      return this;
    }

    /**
     * Keeps the history and adds a compaction item after it, where windows start. If something was
     * added while the compactor worked, the result is discarded.
     */
    public Builder inPlace() {
      if (!compactor.canMakeOneItem()) {
        throw new IllegalArgumentException(
            "this compactor makes no compaction item, without which nothing would change in place");
      }
      inPlace = true;
      return this;
    }

    /**
     * Drops what was replaced, and what earlier compactions replaced, instead of keeping it
     * readable.
     */
    public Builder dropOriginals() {
      drop = true;
      return this;
    }

    /** Lets runs end before the compaction does. What it costs is then not in their results. */
    public Builder inBackground() {
      return inBackground(Workers.SHARED);
    }

    /** The same on these threads. */
    public Builder inBackground(Executor executor) {
      background = executor;
      return this;
    }

    /** The session. */
    public CompactionSession build() {
      return new CompactionSession(this);
    }
  }
}
