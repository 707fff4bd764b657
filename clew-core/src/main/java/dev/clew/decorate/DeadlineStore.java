package dev.clew.decorate;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.HistoryTransaction;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.Records;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store whose calls come back within a time, whether the backend answers or not. Thread-safe.
 *
 * <p>A read that takes too long fails with {@link ClewException.StoreUnavailable}, a write with
 * {@link ClewException.OutcomeUnknown}, because it may still take effect. So does {@link #ping},
 * which makes it a health check that answers in time. {@code erase} and {@code check} go through
 * everything there is and take as long as that takes.
 *
 * <p>Each call is made on another thread, which costs some microseconds. Most stores have deadlines
 * of their own; this is for those that have none, or for a shorter one.
 */
public final class DeadlineStore extends ForwardingStore {
  private final Deadline deadline;
  private final Leases leases;
  private final Records records;

  /** Waits for each call at most that long. */
  public DeadlineStore(SessionStore delegate, Duration time) {
    super(delegate);
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("a call needs some time, not " + time);
    }
    this.deadline = new Deadline(time);
    this.leases = new DeadlineLeases(delegate, deadline);
    this.records = new DeadlineRecords(delegate, deadline);
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return deadline.read("read", () -> super.read(key, range));
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return deadline.read("items", () -> super.items(key, limit));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return deadline.read("find", () -> super.find(key, itemId));
  }

  @Override
  public Receipt apply(SessionKey key, HistoryTransaction transaction) {
    return deadline.write("apply", () -> super.apply(key, transaction));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return deadline.write("removeLast", () -> super.removeLast(key));
  }

  @Override
  public boolean delete(SessionKey key) {
    return deadline.write("delete", () -> super.delete(key));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    return deadline.write("fork", () -> super.fork(source, upTo, target));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return deadline.read("info", () -> super.info(key));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return deadline.write("update", () -> super.update(key, update));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return deadline.read("list", () -> super.list(query));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return deadline.read("owners", () -> super.owners(after, limit));
  }

  @Override
  public SearchResult search(SearchQuery query) {
    return deadline.read("search", () -> super.search(query));
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    return deadline.write("watch", () -> super.watch(key, version, listener));
  }

  @Override
  public int sweep(int limit) {
    return deadline.write("sweep", () -> super.sweep(limit));
  }

  @Override
  public void ping() {
    deadline.read(
        "ping",
        () -> {
          super.ping();
          return true;
        });
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Records records() {
    return records;
  }

  @Override
  public void close() {
    super.close();
    deadline.close();
  }
}
