package dev.clew.kit;

import dev.clew.ClewException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Combines writes that wait at the same time into one commit. Thread-safe.
 *
 * <p>Durability is most of the cost of a commit, so it pays to share it. There is no writer thread:
 * the first thread to arrive leads and commits for all that wait, then hands over. A lone thread
 * pays only for its own statements; if the last batch was larger, the leader gathers for up to
 * {@value #GATHER_NANOS} ns. Tried and rejected: a writer thread for all (a hand-over costs a lone
 * thread a quarter of its speed), a lock (nothing is shared).
 *
 * <p>Callers that do not wait {@link #submit}: an agent thread, started when first needed, leads if
 * no other thread does, and calls them back. A batch of them costs a few hand-overs instead of two
 * for each waiting thread.
 *
 * @param <J> the kind of work
 */
public final class GroupCommit<J extends GroupCommit.Job> {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
  private static final int MAX_BATCH = 256;
  private static final long GATHER_NANOS = 100_000;

  /** Work that a thread waits for. Passed from its own thread to the leader's and back. */
  public abstract static class Job {
    private final Thread thread = Thread.currentThread();
    private @Nullable Throwable error;
    private List<? extends Job> company = List.of();
    private int place;
    private @Nullable Runnable whenDone; // of a submitted job
    private volatile boolean done;

    /** For subclasses; create it on the thread that will wait. */
    protected Job() {}

    /** The work is done, or has failed with this; the waiting thread sees everything set before. */
    public final void finish(@Nullable Throwable failure) {
      error = failure;
    }

    /** The failure, if there is one. */
    public final @Nullable Throwable failure() {
      return error;
    }

    /** Each thread wakes two more, so that none has to wake all of them. */
    private void wakeTwo() {
      for (int i = 2 * place + 1; i <= 2 * place + 2 && i < company.size(); i++) {
        Job next = company.get(i);
        LockSupport.unpark(next.thread);
      }
    }
  }

  private final Consumer<List<J>> commit;
  private final Supplier<? extends ClewException> closedError;
  private final ConcurrentLinkedQueue<J> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean leading = new AtomicBoolean();
  private final ConcurrentLinkedQueue<Job> toCallBack = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread agent; // leads for submitted jobs, and calls them back
  private volatile boolean closed;
  private int company = 1; // used by the leader only

  /**
   * Commits with {@code commit}, which must finish each job; if it throws, all of them fail.
   *
   * @param closedError what a job fails with after {@link #close}
   */
  public GroupCommit(Consumer<List<J>> commit, Supplier<? extends ClewException> closedError) {
    this.commit = commit;
    this.closedError = closedError;
  }

  /** Returns when the job is done, by this or another thread; throws its failure. */
  public void run(J job) {
    if (closed) {
      throw closedError.get();
    }
    waiting.add(job);
    Job own = job;
    boolean interrupted = false;
    while (!own.done) {
      if (leading.compareAndSet(false, true)) {
        List<J> others = List.of();
        try {
          others = lead();
        } finally {
          leading.set(false);
          wakeNext();
        }
        // Only now, so that the first of them to come back with a write can lead at once.
        if (!others.isEmpty()) {
          wake(others.get(0));
        }
      } else {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    own.wakeTwo();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    throwErrorOf(own);
  }

  /**
   * Returns at once; the action is called when the job is done, on a thread that must not be
   * blocked.
   */
  public void submit(J job, Runnable whenDone) {
    if (closed) {
      throw closedError.get();
    }
    ((Job) job).whenDone = whenDone;
    waiting.add(job);
    if (closed && waiting.remove(job)) { // closed in between
      throw closedError.get();
    }
    if (!leading.get()) { // else the leader wakes it
      LockSupport.unpark(agent());
    }
  }

  private Thread agent() {
    Thread present = agent;
    return present != null ? present : startAgent();
  }

  private synchronized Thread startAgent() {
    Thread present = agent;
    if (present == null) {
      present = new Thread(this::leadForEver, "clew-commit");
      present.setDaemon(true);
      present.start();
      agent = present;
    }
    return present;
  }

  private void leadForEver() {
    while (!closed) {
      if (waiting.isEmpty() || !leading.compareAndSet(false, true)) {
        if (!callBack()) { // what others have committed
          LockSupport.park(this);
        }
        continue;
      }
      List<J> others = List.of();
      try {
        others = lead();
      } finally {
        leading.set(false);
        wakeNext();
      }
      if (!others.isEmpty()) {
        wake(others.get(0));
      }
      callBack();
    }
    callBack();
  }

  private boolean callBack() {
    boolean called = false;
    for (Job job = toCallBack.poll(); job != null; job = toCallBack.poll()) {
      Runnable action = job.whenDone;
      try {
        if (action != null) {
          action.run();
        }
      } catch (RuntimeException | Error e) {
        LOG.error("the callback of a finished write failed", e);
      }
      called = true;
    }
    return called;
  }

  private static void throwErrorOf(Job job) {
    if (job.error instanceof Error thrown) {
      throw thrown;
    }
    if (job.error != null) {
      throw (RuntimeException) job.error;
    }
  }

  private void wake(Job job) {
    Thread thread = job.whenDone != null ? agent() : job.thread;
    if (thread != Thread.currentThread()) { // or its next park would return at once
      LockSupport.unpark(thread);
    }
  }

  private void wakeNext() {
    Job next = waiting.peek();
    if (next != null) {
      wake(next);
    }
  }

  /** Commits all waiting jobs; returns those whose threads have to be woken. */
  private List<J> lead() {
    List<J> batch = new ArrayList<>();
    drain(batch);
    if (batch.isEmpty()) { // done by the previous leader
      return batch;
    }
    try {
      commit.accept(batch);
    } catch (RuntimeException | Error e) { // such as out of memory: the callers must know
      batch.forEach(job -> job.finish(e));
    }
    company = batch.size() + waiting.size();
    return release(batch);
  }

  /** Releases the jobs of a batch; returns those of other threads. */
  private List<J> release(List<J> batch) {
    List<J> others = new ArrayList<>(batch.size());
    boolean callBack = false;
    for (J job : batch) {
      if (((Job) job).whenDone != null) {
        toCallBack.add(job);
        callBack = Thread.currentThread() != agent; // which calls back itself
      } else if (((Job) job).thread != Thread.currentThread()) {
        others.add(job);
      }
    }
    if (callBack) {
      LockSupport.unpark(agent());
    }
    for (int i = 0; i < others.size(); i++) {
      Job job = others.get(i);
      job.company = others;
      job.place = i;
    }
    // After the places: a thread that wakes by itself must know whom to wake.
    batch.forEach(job -> ((Job) job).done = true);
    return others;
  }

  /**
   * Adds jobs that arrived meanwhile, and waits a little if more are expected. Only for the leader,
   * while it commits this batch.
   *
   * @param patient whether it may wait
   */
  @SuppressWarnings("ThreadPriorityCheck") // it only says who may go first on a busy machine
  public void gather(List<J> batch, boolean patient) {
    int before = batch.size();
    drain(batch);
    // The agent does not wait: its callers write again only after they are called back.
    boolean mayWait = patient && Thread.currentThread() != agent;
    if (batch.size() == before && before < company && mayWait) {
      long deadline = System.nanoTime() + GATHER_NANOS;
      while (batch.size() == before && System.nanoTime() < deadline) {
        Thread.yield(); // to those we wait for
        drain(batch);
      }
    }
  }

  private void drain(List<J> batch) {
    while (batch.size() < MAX_BATCH) {
      J job = waiting.poll();
      if (job == null) {
        return;
      }
      batch.add(job);
    }
  }

  /** Does something between commits. */
  public void alone(Runnable action) {
    awaitLead();
    try {
      if (closed) {
        throw closedError.get();
      }
      action.run();
    } finally {
      leading.set(false);
      wakeNext();
    }
  }

  private void awaitLead() {
    while (!leading.compareAndSet(false, true)) {
      LockSupport.parkNanos(100_000);
    }
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return closed;
  }

  /** Fails all waiting jobs, and waits for the batch in progress. Idempotent. */
  public void close() {
    closed = true;
    awaitLead();
    try {
      for (J job = waiting.poll(); job != null; job = waiting.poll()) {
        job.finish(closedError.get());
        release(List.of(job)).forEach(this::wake);
      }
    } finally {
      leading.set(false);
      wakeNext(); // a job that arrived after the queue was empty
      LockSupport.unpark(agent); // to end
      callBack();
    }
  }
}
