package dev.clew.postgres;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.GroupCommit;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Commits appends; those that wait at the same time share a transaction. Thread-safe.
 *
 * <p>If a batch fails, for example because another program has locked one of its sessions, each
 * append is tried again on its own thread.
 */
final class Committer {
  /** The shortest deadline of a batch, however long its oldest append has waited. */
  private static final long LEAST_NANOS = 1_000_000_000;

  private final Connections connections;
  private final PostgresErrors errors;
  private final Clock clock;
  private final GroupCommit<AppendBatch.Job> group;
  private @Nullable ClewException lastFailure; // used by the leader only

  Committer(Connections connections, PostgresErrors errors, Clock clock) {
    this.connections = connections;
    this.errors = errors;
    this.clock = clock;
    this.group = new GroupCommit<>(this::commit, errors::closed);
  }

  Receipt append(SessionKey key, Commit commit) {
    AppendBatch.Job job = new AppendBatch.Job(key, commit, connections.deadline());
    group.run(job);
    if (job.alone) {
      return connections.write(
          db -> AppendBatch.run(db, key, commit, clock.millis()), job.deadline);
    }
    return Objects.requireNonNull(job.receipt, "an append returns something");
  }

  private void commit(List<AppendBatch.Job> batch) {
    group.gather(batch, true);
    long now = System.nanoTime();
    List<AppendBatch.Job> inTime = new ArrayList<>(batch.size());
    long left = Long.MAX_VALUE;
    for (AppendBatch.Job job : batch) {
      if (job.deadline - now > 0) {
        inTime.add(job);
        left = Math.min(left, job.deadline - now);
      } else {
        job.finish(errors.tooLate(lastFailure));
      }
    }
    if (!inTime.isEmpty()) {
      commitInTime(inTime, now + Math.max(left, LEAST_NANOS));
    }
  }

  private void commitInTime(List<AppendBatch.Job> jobs, long deadline) {
    try {
      connections.writeOnce(db -> AppendBatch.run(db, jobs, clock.millis()), deadline);
      lastFailure = null;
      jobs.forEach(job -> job.finish(job.refusal));
    } catch (ClewException.StoreUnavailable e) {
      lastFailure = e;
      long now = System.nanoTime();
      for (AppendBatch.Job job : jobs) {
        job.alone = job.deadline - now > 0;
        job.finish(job.alone ? null : e);
      }
    } catch (RuntimeException | Error e) {
      // Errors too: if the leader ended here, the appends of its batch would wait forever.
      jobs.forEach(job -> job.finish(e));
    }
  }

  void close() {
    group.close();
  }
}
