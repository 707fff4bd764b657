package dev.clew.agent;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Session;
import dev.clew.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The history of any {@link Session}: it can only be cleared and rewritten. Thread-safe.
 *
 * <p>Weaker than a store in two ways. A write that bypasses this object between the clearing and
 * the rewriting is lost, and a process that dies there loses the history. Callers of this object
 * wait meanwhile. If the new history cannot be written, the old one is; and if that fails too, it
 * is kept in memory and written before anything else is done.
 */
final class PlainHistory implements CompactedHistory, Session {
  private static final Logger LOG = LoggerFactory.getLogger(PlainHistory.class);

  private final Session session;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean said;
  private @Nullable List<Item> toRestore;

  PlainHistory(Session session) {
    this.session = session;
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      restore();
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** Writes what an earlier compaction could not put back. */
  private void restore() {
    List<Item> missing = toRestore;
    if (missing == null) {
      return;
    }
    List<Item> written = session.getItems(Integer.MAX_VALUE);
    if (written.isEmpty()) {
      session.addItems(missing);
    } else if (!startsWith(written, missing)) {
      List<Item> both = new ArrayList<>(missing);
      both.addAll(written);
      toRestore = both;
      session.clearSession();
      session.addItems(both);
    }
    toRestore = null;
    LOG.info("session {}: the history that a compaction had to put back is in place", session.id());
  }

  @Override
  public Snapshot read() {
    return new Read(getItems(Integer.MAX_VALUE));
  }

  @Override
  public Snapshot readNewest() {
    return new Read(locked(this::newest));
  }

  private List<Item> newest() {
    // Doubling, because a session can only be asked for its newest items.
    for (int limit = 64; ; limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2) {
      List<Item> items = session.getItems(limit);
      int start = Window.compactionStart(items);
      // What begins with the first item may begin before it.
      if (start > 0 || items.size() < limit) {
        return items.subList(Math.max(0, start), items.size());
      }
    }
  }

  private final class Read implements Snapshot {
    private final List<Item> all;

    Read(List<Item> all) {
      this.all = all;
    }

    @Override
    public List<Item> items() {
      return all.stream().filter(item -> !HiddenItems.isMarked(item)).toList();
    }

    @Override
    public boolean replace(List<Item> replacement, Optional<Commit.Fence> fence) {
      return locked(
          () -> {
            List<Item> now = session.getItems(Integer.MAX_VALUE);
            if (!startsWith(now, all)) {
              return false;
            }
            List<Item> rewritten = new ArrayList<>(replacement);
            rewritten.addAll(now.subList(all.size(), now.size()));
            rewrite(now, rewritten);
            return true;
          });
    }

    @Override
    public boolean append(Item item, Optional<Commit.Fence> fence) {
      return locked(
          () -> {
            if (!newest().equals(all)) {
              return false;
            }
            session.addItems(List.of(item));
            return true;
          });
    }
  }

  private void rewrite(List<Item> now, List<Item> rewritten) {
    if (!said) {
      said = true;
      LOG.warn(
          "session {} is not in a store: it is compacted by clearing and rewriting it, which"
              + " a crash at that moment would not survive; a session of a store is compacted in"
              + " one transaction",
          session.id());
    }
    toRestore = List.copyOf(now); // from here on it may be in memory only
    try {
      session.clearSession();
      session.addItems(rewritten);
      toRestore = null;
    } catch (RuntimeException e) {
      try {
        restore();
      } catch (RuntimeException again) {
        LOG.error(
            "session {}: a compaction could not write the history, nor put the old one back; it is"
                + " kept in memory and written with the next use of the session",
            session.id(),
            again);
      }
      throw e;
    }
  }

  private static boolean startsWith(List<Item> items, List<Item> prefix) {
    return items.size() >= prefix.size() && items.subList(0, prefix.size()).equals(prefix);
  }

  @Override
  public String id() {
    return session.id();
  }

  @Override
  public List<Item> getItems() {
    return locked(session::getItems);
  }

  @Override
  public List<Item> getItems(int limit) {
    return locked(() -> session.getItems(limit));
  }

  @Override
  public void addItems(List<Item> items) {
    locked(
        () -> {
          session.addItems(items);
          return true;
        });
  }

  @Override
  public Optional<Item> popItem() {
    return locked(session::popItem);
  }

  @Override
  public void clearSession() {
    lock.lock();
    try {
      session.clearSession();
      toRestore = null; // nobody wants it back
    } finally {
      lock.unlock();
    }
  }
}
