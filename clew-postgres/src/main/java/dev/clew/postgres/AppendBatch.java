package dev.clew.postgres;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import dev.clew.kit.GroupCommit;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Appends to several sessions in one transaction, with few statements. Not thread-safe; used for
 * one transaction.
 *
 * <p>First all rows are locked. Each append is then checked against them and against the appends
 * before it, so that a refused one does not harm the others. Finally one statement writes
 * everything.
 */
final class AppendBatch {

  /** An append that a thread waits for. */
  static final class Job extends GroupCommit.Job {
    final SessionKey key;
    final Commit commit;
    final long deadline;
    @Nullable Receipt receipt;
    @Nullable ClewException refusal;
    boolean alone; // left to its own thread

    Job(SessionKey key, Commit commit, long deadline) {
      this.key = key;
      this.commit = commit;
      this.deadline = deadline;
    }
  }

  private final Db db;
  private final long now;
  private final Map<UUID, SessionRow> rows;
  private final Map<Operations.Id, Operations.Done> done = new HashMap<>();
  private final Map<Fences.Id, Long> fences = new HashMap<>();
  private final Map<UUID, Long> tails = new HashMap<>();
  private final Map<UUID, Long> lastTimes = new HashMap<>();
  private final Map<UUID, SessionRow> changed = new LinkedHashMap<>();
  private final ItemRows items = new ItemRows();
  private final Operations.Rows operations = new Operations.Rows();
  private final Columns unindexed = new Columns(UUID.class, Long.class, Long.class);

  private AppendBatch(Db db, List<Job> jobs, long now) throws SQLException {
    this.db = db;
    this.now = now;
    Set<SessionKey> keys = new LinkedHashSet<>();
    jobs.forEach(job -> keys.add(job.key));
    rows = SessionRows.lockOrMake(db, keys, now);
    List<Operations.Id> ids = new ArrayList<>();
    List<Fences.Id> leases = new ArrayList<>();
    boolean tailsMatter = false;
    boolean timesMatter = false;
    for (Job job : jobs) {
      UUID session = Keys.of(job.key);
      Commit commit = job.commit;
      commit.operationId().ifPresent(id -> ids.add(Operations.id(session, id)));
      commit.fence().ifPresent(fence -> leases.add(Fences.id(session, fence)));
      tailsMatter |= commit.expectedTail().isPresent();
      timesMatter |= commit.hasTimes();
    }
    if (!ids.isEmpty()) {
      done.putAll(Operations.find(db, ids));
    }
    if (!leases.isEmpty()) {
      fences.putAll(Fences.hold(db, leases));
    }
    if (tailsMatter) {
      readNewest("position", tails);
    }
    if (timesMatter) {
      readNewest("added", lastTimes);
    }
  }

  /** Runs the appends that can be run; each job then has a receipt or a refusal. */
  static boolean run(Db db, List<Job> jobs, long now) throws SQLException {
    AppendBatch batch = new AppendBatch(db, jobs, now);
    for (Job job : jobs) {
      job.receipt = null;
      job.refusal = null;
      try {
        job.receipt = batch.plan(job.key, job.commit);
      } catch (ClewException e) {
        job.refusal = e;
      }
    }
    batch.write();
    return true;
  }

  /** Runs one append. */
  static Receipt run(Db db, SessionKey key, Commit commit, long now) throws SQLException {
    AppendBatch batch = new AppendBatch(db, List.of(new Job(key, commit, 0)), now);
    Receipt receipt = batch.plan(key, commit);
    batch.write();
    return receipt;
  }

  /** Reads a column of the newest item of each session. */
  private void readNewest(String column, Map<UUID, Long> numbers) throws SQLException {
    db.all(
            "SELECT s.session, newest."
                + column
                + " FROM unnest(?) AS s (session) CROSS JOIN LATERAL (SELECT position, added"
                + " FROM {s}.items i WHERE i.session = s.session ORDER BY position DESC LIMIT 1)"
                + " AS newest",
            row -> Map.entry(row.getObject(1, UUID.class), row.getLong(2)),
            (Object) rows.keySet().toArray(UUID[]::new))
        .forEach(newest -> numbers.put(newest.getKey(), newest.getValue()));
  }

  private Receipt plan(SessionKey key, Commit commit) {
    SessionRow row = rows.get(Keys.of(key));
    if (row == null) {
      throw new IllegalStateException("the row of session " + key + " is not locked");
    }
    if (commit.operationId().isPresent()) {
      String operation = commit.operationId().get();
      Operations.Done earlier = done.get(Operations.id(row.session, operation));
      if (earlier != null) {
        return earlier.repeated(key, operation, commit.digest());
      }
    }
    commit
        .fence()
        .ifPresent(
            fence -> {
              long current = fences.getOrDefault(Fences.id(row.session, fence), 0L);
              Fences.check(key, fence, current);
            });
    if (commit.expectsExisting() && !row.alive) {
      throw Conflicts.absent(key);
    }
    if (commit.expectedVersion().isPresent()) {
      SessionRows.checkVersion(row, commit.expectedVersion().getAsLong());
    }
    if (commit.expectedTail().isPresent()) {
      checkTail(key, tails.get(row.session), commit.expectedTail().getAsLong());
    }
    int count = commit.step().drafts().size();
    if (count == 0) {
      return new Receipt(row.visibleVersion(), OptionalLong.empty(), OptionalLong.empty(), false);
    }
    return append(row, count, commit);
  }

  static void checkTail(SessionKey key, @Nullable Long tail, long expected) {
    if (tail == null || tail != expected) {
      throw Conflicts.tail(
          key, expected, tail == null ? OptionalLong.empty() : OptionalLong.of(tail));
    }
  }

  private Receipt append(SessionRow row, int count, Commit commit) {
    boolean existed = row.alive;
    long first = row.version + 1;
    long last = row.version + count;
    long[] times = row.touch(commit, lastTimes.getOrDefault(row.session, 0L), now);
    lastTimes.put(row.session, times[count - 1]);
    row.bytes += items.add(row.session, first, commit.placed(first), times);
    row.items += count;
    row.version = last;
    tails.put(row.session, last);
    changed.put(row.session, row);
    unindexed.add(row.session, first, last);
    Receipt receipt =
        new Receipt(last, OptionalLong.of(first), OptionalLong.of(last), false, existed);
    if (commit.operationId().isPresent()) {
      Operations.Id id = Operations.id(row.session, commit.operationId().get());
      Operations.Done doneNow = new Operations.Done(commit.digest(), receipt);
      done.put(id, doneNow);
      operations.add(id, doneNow, now);
    }
    return receipt;
  }

  private void write() throws SQLException {
    if (changed.isEmpty()) {
      return;
    }
    List<Object> values = new ArrayList<>();
    values.addAll(items.columns());
    values.addAll(operations.columns());
    values.addAll(unindexed.arrays());
    Columns sessions =
        new Columns(
            UUID.class, String.class, Long.class, Long.class, Long.class, Long.class, Long.class);
    for (SessionRow row : changed.values()) {
      sessions.add(
          row.session, row.key.id(), row.version, row.items, row.bytes, row.created, row.updated);
    }
    values.addAll(sessions.arrays());
    db.all(
        "WITH new_items AS ("
            + ItemRows.INSERT
            + "), new_operations AS ("
            + Operations.Rows.INSERT
            + "), new_work AS ("
            + SearchIndex.ADD
            + ") UPDATE {s}.sessions s SET id = u.id, alive = true, version = u.version,"
            + " items = u.items, bytes = u.bytes, created = u.created, updated = u.updated"
            + " FROM unnest(?, ?, ?, ?, ?, ?, ?)"
            + " AS u (session, id, version, items, bytes, created, updated)"
            + " WHERE s.session = u.session RETURNING {notify}",
        row -> true,
        values.toArray());
  }
}
