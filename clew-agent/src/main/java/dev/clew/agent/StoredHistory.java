package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import dev.clew.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * The history of a session in a store, changed by one commit. Thread-safe.
 *
 * @param drop whether to drop the replaced items instead of keeping them as compacted
 */
record StoredHistory(StoredSession session, boolean drop) implements CompactedHistory {
  private static final int TRIES = 20;
  private static final int TRIES_UNAVAILABLE = 3;
  private static final int FIRST_READ = 64;
  private static final int LARGEST_READ = 4096;

  // Both read the version before the items: a version that is too old costs only one more check.

  @Override
  public Snapshot read() {
    long version = version();
    return new Read(version, entries());
  }

  @Override
  public Snapshot readNewest() {
    long version = version();
    return new Read(version, newest());
  }

  private long version() {
    return session.info().map(SessionInfo::version).orElse(0L);
  }

  private List<Entry> entries() {
    return session.entries(Range.latest(Integer.MAX_VALUE)).entries();
  }

  private List<Entry> newest() {
    List<Entry> newestFirst = new ArrayList<>();
    boolean compaction = false;
    int chunk = FIRST_READ;
    for (Range range = Range.latest(chunk); ; ) {
      EntryPage page = session.entries(range);
      List<Entry> entries = page.entries();
      for (int i = entries.size() - 1; i >= 0; i--) {
        Item item = entries.get(i).item();
        if (compaction && !Window.isLeftByCompaction(item)) {
          Collections.reverse(newestFirst);
          return newestFirst;
        }
        newestFirst.add(entries.get(i));
        compaction |= Summary.isCompaction(item);
      }
      if (!page.hasMore() || entries.isEmpty()) {
        Collections.reverse(newestFirst);
        return newestFirst;
      }
      chunk = Math.min(chunk * 2, LARGEST_READ);
      range = Range.before(entries.get(0).position(), chunk);
    }
  }

  private final class Read implements Snapshot {
    private final long version;
    private final List<Entry> entries;
    private final List<Item> items;

    Read(long version, List<Entry> entries) {
      this.version = version;
      this.entries = entries;
      this.items =
          entries.stream().filter(entry -> !HiddenItems.isHidden(entry)).map(Entry::item).toList();
    }

    @Override
    public List<Item> items() {
      return items;
    }

    /*
     * Items that the replacement ends with and the history too are left where they are, with their
     * positions and notes; only what is before them is replaced.
     */
    @Override
    public boolean replace(List<Item> replacement, Optional<Commit.Fence> fence) {
      int cut = entries.size() - 1;
      int end = replacement.size();
      while (cut > 0
          && (HiddenItems.isHidden(entries.get(cut))
              || (end > 0 && entries.get(cut).item().equals(replacement.get(end - 1))))) {
        if (!HiddenItems.isHidden(entries.get(cut))) {
          end--;
        }
        cut--;
      }
      long upTo = entries.get(cut).position();
      List<Item> head = replacement.subList(0, end);
      return commit(
          drop ? Commit.dropPrefix(upTo, head) : Commit.replacePrefix(upTo, head),
          fence,
          expected(entries.subList(0, cut + 1)));
    }

    @Override
    public boolean append(Item item, Optional<Commit.Fence> fence) {
      return commit(Commit.append(List.of(item)), fence, () -> same(newest(), entries));
    }

    private boolean commit(
        Commit transaction, Optional<Commit.Fence> fence, BooleanSupplier isStillThere) {
      Commit change = transaction.operationId("compaction/" + UUID.randomUUID());
      if (fence.isPresent()) {
        change = change.fence(fence.get());
      }
      long at = version;
      for (int attempt = 1; ; attempt++) {
        try {
          session.commit(change.expectVersion(at));
          return true;
        } catch (ClewException.VersionConflict e) {
          // Something was written. That is fine, unless it changed what was compacted.
          at = version();
          if (attempt >= TRIES || !isStillThere.getAsBoolean()) {
            return false;
          }
        } catch (ClewException.OutcomeUnknown | ClewException.StoreUnavailable e) {
          // The operation id tells whether it took effect.
          if (!e.retryable() || attempt >= TRIES_UNAVAILABLE) {
            throw e;
          }
        }
      }
    }
  }

  private BooleanSupplier expected(List<Entry> prefix) {
    return () -> {
      List<Entry> now = entries();
      return now.size() >= prefix.size() && same(now.subList(0, prefix.size()), prefix);
    };
  }

  private static boolean same(List<Entry> now, List<Entry> expected) {
    if (now.size() != expected.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      Entry one = now.get(i);
      Entry other = expected.get(i);
      if (one.position() != other.position() || !one.item().equals(other.item())) {
        return false;
      }
    }
    return true;
  }
}
