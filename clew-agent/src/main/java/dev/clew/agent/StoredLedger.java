package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.Session;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import dev.clew.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger over a session in a store: it holds the session's turn lease, and every write carries
 * the lease's fence and an operation id. Used by one run.
 */
final class StoredLedger implements Ledger {
  private static final Logger LOG = LoggerFactory.getLogger(StoredLedger.class);
  private static final String LEASE = "turn";
  private static final int TRIES = 3;
  private static final int CHUNK = 200;

  private final StoredSession session;
  private final Optional<CompactionSession> compaction;
  private final Lease lease;

  StoredLedger(StoredSession session, Optional<CompactionSession> compaction, RunConfig config) {
    this.session = session;
    this.compaction = compaction;
    this.lease = session.lease(LEASE, config.leaseLife, config.turnWait);
  }

  @Override
  public List<Item> read(Optional<Window> window) {
    return window.orElseGet(() -> Ledger.window(session.settings())).read(new Shown(session));
  }

  @Override
  public boolean append(String operationId, List<Draft> drafts) {
    return drafts.isEmpty() ? false : commit(operationId, drafts).repeated();
  }

  @Override
  public void appendBlocked(String operationId, List<Item> items, String guardrail) {
    append(operationId, items.stream().map(item -> HiddenItems.blocked(item, guardrail)).toList());
  }

  private Receipt commit(String operationId, List<Draft> drafts) {
    Commit transaction = Commit.appendDrafts(drafts).operationId(operationId).fence(lease.fence());
    for (int attempt = 1; ; attempt++) {
      try {
        return session.commit(transaction);
      } catch (ClewException.OutcomeUnknown | ClewException.StoreUnavailable e) {
        // The operation id tells whether the first try took effect.
        if (!e.retryable() || attempt == TRIES) {
          throw e;
        }
        LOG.debug("{}: a step could not be stored at once, trying again", session.key(), e);
      }
    }
  }

  @Override
  public List<Item> after(String operationId, List<Item> items) {
    List<Draft> drafts = items.stream().map(Draft::of).toList();
    long position = commit(operationId, drafts).lastPosition().orElseThrow();
    @Nullable Boolean compacted = null; // whether the turn went to the archive
    List<Item> found = new ArrayList<>();
    for (Entry entry : Range.after(position, CHUNK).withCompacted().walk(session::entries)) {
      compacted = compacted == null ? Boolean.valueOf(entry.compacted()) : compacted;
      if (entry.compacted() != compacted || Window.startsTurn(entry.item())) {
        break;
      }
      if (!Summary.isCompaction(entry.item())) {
        found.add(entry.item());
      }
    }
    return found;
  }

  @Override
  public Usage finished(CompactionOptions last, List<Item> known, Consumer<RunEvent> events) {
    return compaction
        .map(session -> session.afterTurn(last, known, Optional.of(lease.fence()), events))
        .orElse(Usage.NONE);
  }

  @Override
  public void close() {
    try {
      lease.close();
    } catch (ClewException e) {
      // All of the run is stored; the lease ends by itself.
      LOG.warn("{}: could not give back the lease of a turn", session.key(), e);
    }
  }

  /** The session without what no model is shown. */
  private record Shown(StoredSession session) implements Session {
    /** Of a session with long items, only a few are read at a time. */
    private static final long MANY_BYTES = 4 << 20;

    private static final int A_FEW = 4;
    private static final long MOST_BYTES =
        Math.max(32 << 20, Runtime.getRuntime().maxMemory() / 16);

    @Override
    public String id() {
      return session.id();
    }

    @Override
    public List<Item> getItems() {
      return getItems(session.settings().limit().orElse(Integer.MAX_VALUE));
    }

    /** The newest items, fewer if they are longer than any model takes. */
    @Override
    public List<Item> getItems(int limit) {
      List<Item> newestFirst = new ArrayList<>();
      boolean few = session.info().map(SessionInfo::bytes).orElse(0L) <= MANY_BYTES;
      int most = few ? Integer.MAX_VALUE : A_FEW;
      long bytes = 0;
      Range range = Range.latest(Math.min(limit, most));
      while (newestFirst.size() < limit && bytes <= MOST_BYTES) {
        EntryPage page = session.entries(range);
        List<Entry> entries = page.entries();
        for (int i = entries.size() - 1; i >= 0; i--) {
          bytes += entries.get(i).item().json().length();
          if (!HiddenItems.isHidden(entries.get(i))) {
            newestFirst.add(entries.get(i).item());
          }
        }
        if (!page.hasMore() || entries.isEmpty()) {
          break;
        }
        int left = limit - newestFirst.size();
        range = Range.before(entries.get(0).position(), Math.min(left, most));
      }
      Collections.reverse(newestFirst);
      return newestFirst;
    }

    @Override
    public void addItems(List<Item> items) {
      throw new UnsupportedOperationException("a window only reads");
    }

    @Override
    public Optional<Item> popItem() {
      throw new UnsupportedOperationException("a window only reads");
    }

    @Override
    public void clearSession() {
      throw new UnsupportedOperationException("a window only reads");
    }
  }
}
