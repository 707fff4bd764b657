package dev.clew.kit;

import dev.clew.Commit;
import dev.clew.Commit.Fence;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Commit.Step;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Checks the conditions of a commit in the order of every store: fence, existence, version, tail,
 * and then what the step itself needs. Stateless.
 */
public final class Preconditions {
  private Preconditions() {}

  /** A session as a commit finds it, at one moment. Only what is needed is read. */
  public interface Head {
    /** The version; 0 for a session that does not exist or has expired. */
    long version();

    /** The position of the newest live entry. */
    OptionalLong last();

    /** Whether there is a live entry at a position. */
    boolean has(long position);

    /** Whether there is a live entry at a position or before it. */
    boolean hasUpTo(long position);

    /** The newest live items, oldest first: as many as asked for, or all there are. */
    List<Item> newest(int count);

    /** The newest fence of a lease of the session; 0 if it was never taken. */
    long fence(String lease);

    /** Of live entries by position. */
    static Head of(long version, NavigableMap<Long, Entry> history, ToLongFunction<String> fence) {
      return new MapHead(version, history, fence);
    }
  }

  /**
   * Checks all conditions of a commit that is not a repeated one.
   *
   * @return whether the step changes anything. If not, {@link Commit#dropPrefix} still drops what
   *     earlier compactions replaced
   * @throws dev.clew.ClewException.SessionBusy if the fence is outdated
   * @throws dev.clew.ClewException.VersionConflict if something else does not hold
   */
  public static boolean check(SessionKey key, Commit commit, Head head) {
    if (commit.fence().isPresent()) {
      Fence fence = commit.fence().get();
      long newest = head.fence(fence.lease());
      if (fence.number() != newest) {
        throw Conflicts.fence(key, fence, newest);
      }
    }
    if (commit.expectsExisting() && head.version() == 0) {
      throw Conflicts.absent(key);
    }
    OptionalLong version = commit.expectedVersion();
    if (version.isPresent() && version.getAsLong() != head.version()) {
      throw Conflicts.version(key, version.getAsLong(), head.version());
    }
    OptionalLong tail = commit.expectedTail();
    if (tail.isPresent() && !tail.equals(head.last())) {
      throw Conflicts.tail(key, tail.getAsLong(), head.last());
    }
    return hasWork(key, commit.step(), head);
  }

  private static boolean hasWork(SessionKey key, Step step, Head head) {
    if (step instanceof ReplaceSuffix suffix) {
      List<Item> expected = suffix.expected();
      if (!head.newest(expected.size()).equals(expected)) {
        throw Conflicts.suffix(key, expected.size());
      }
    } else if (step instanceof ReplacePrefix prefix) {
      boolean reaches = head.hasUpTo(prefix.upTo());
      if (!reaches && !prefix.drafts().isEmpty()) {
        throw Conflicts.noPrefix(key, prefix.upTo());
      }
      return reaches;
    } else if (step instanceof ReplaceItem item) {
      requireItem(key, head, item.position());
    } else if (step instanceof RemoveItem item) {
      requireItem(key, head, item.position());
    } else {
      return !step.drafts().isEmpty();
    }
    return true;
  }

  private static void requireItem(SessionKey key, Head head, long position) {
    if (!head.has(position)) {
      throw Conflicts.noItem(key, position);
    }
  }

  private record MapHead(
      long version, NavigableMap<Long, Entry> history, ToLongFunction<String> fences)
      implements Head {
    @Override
    public OptionalLong last() {
      return history.isEmpty() ? OptionalLong.empty() : OptionalLong.of(history.lastKey());
    }

    @Override
    public boolean has(long position) {
      return history.containsKey(position);
    }

    @Override
    public boolean hasUpTo(long position) {
      return !history.isEmpty() && history.firstKey() <= position;
    }

    @Override
    public List<Item> newest(int count) {
      List<Item> newest = new ArrayList<>();
      for (Entry entry : history.descendingMap().values()) {
        if (newest.size() == count) {
          break;
        }
        newest.add(entry.item());
      }
      Collections.reverse(newest);
      return newest;
    }

    @Override
    public long fence(String lease) {
      return fences.applyAsLong(lease);
    }
  }
}
