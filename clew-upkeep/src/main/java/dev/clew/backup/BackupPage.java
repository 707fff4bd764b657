package dev.clew.backup;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * A page of entries being read from a backup. Not thread-safe: made for one page.
 *
 * <p>The order is that of every store: what compactions replaced, as it was taken out, then the
 * history by position. A cursor stands at its entry among the replaced ones if they are asked for
 * and it is there, else at its place in the history.
 */
final class BackupPage {
  private final List<EntryBlock> blocks;
  private final Range range;
  private final Function<EntryBlock, List<Entry>> reading;
  private final boolean atReplaced;
  private final List<Entry> page = new ArrayList<>();
  private boolean begun;

  BackupPage(List<EntryBlock> blocks, Range range, Function<EntryBlock, List<Entry>> reading) {
    this.range = range;
    this.reading = reading;
    this.blocks = new ArrayList<>(blocks);
    if (range.backward()) {
      Collections.reverse(this.blocks);
    }
    this.atReplaced = range.includeCompacted() && range.cursor().isPresent() && isReplaced();
    this.begun = range.cursor().isEmpty();
  }

  private boolean isReplaced() {
    long cursor = range.cursor().getAsLong();
    return blocks.stream()
        .filter(block -> block.compacted() && mayHold(block, cursor))
        .anyMatch(block -> entries(block).stream().anyMatch(entry -> entry.position() == cursor));
  }

  private static boolean mayHold(EntryBlock block, long position) {
    return block.lowest() <= position && position <= block.highest();
  }

  EntryPage read() {
    for (EntryBlock block : blocks) {
      if (isWanted(block)) {
        for (Entry entry : entries(block)) {
          if (isBehindCursor(entry)) {
            if (page.size() == range.limit()) {
              return finish(true);
            }
            page.add(entry);
          }
        }
      }
    }
    return finish(false);
  }

  private EntryPage finish(boolean more) {
    if (range.backward()) {
      Collections.reverse(page);
    }
    return new EntryPage(page, more);
  }

  /** Whether anything in a block can be asked for. */
  private boolean isWanted(EntryBlock block) {
    if (block.compacted() && !range.includeCompacted()) {
      return false;
    }
    if (begun) {
      return true;
    }
    long cursor = range.cursor().getAsLong();
    if (atReplaced) {
      return block.compacted() && mayHold(block, cursor);
    }
    if (block.compacted()) {
      return range.backward(); // they all come before the history
    }
    return range.backward() ? block.lowest() < cursor : block.highest() > cursor;
  }

  private boolean isBehindCursor(Entry entry) {
    if (begun) {
      return true;
    }
    long cursor = range.cursor().getAsLong();
    if (atReplaced) {
      begun = entry.position() == cursor;
      return false;
    }
    begun =
        entry.compacted()
            || (range.backward() ? entry.position() < cursor : entry.position() > cursor);
    return begun;
  }

  /** The entries of a block in the direction of reading. */
  private List<Entry> entries(EntryBlock at) {
    List<Entry> entries = reading.apply(at);
    if (range.backward()) {
      Collections.reverse(entries);
    }
    return entries;
  }
}
