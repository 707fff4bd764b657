package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.backup.Block.Kind;
import dev.clew.copy.EntryReader;
import dev.clew.kit.SessionInfos;
import dev.clew.kit.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one session as blocks, such that they hold what the session was at one moment. Not
 * thread-safe: made for one session.
 *
 * <p>The blocks that a backup before has of it are compared with what is read, one by one: as long
 * as they are the same they are named and not written again. No number that a store keeps would
 * tell that as surely: an edit need not change how many items or bytes there are.
 *
 * <p>A store that can hold still is read from a snapshot, which never changes. From any other a
 * short session comes in one read, which is of one moment. A longer one takes several reads. If it
 * changed meanwhile, it is read again as far as it was written; if both are the same, that is what
 * it was between the two: positions are never used again, so nothing can have gone and come back.
 * If not, it is written again.
 */
final class SessionBlocks {
  private static final int ATTEMPTS = 8;

  /** A block is closed when its text is about as long as this. */
  private static final int BLOCK_CHARS = 2 << 20;

  private final SessionStore source;
  private final SessionKey key;
  private final BlockWriter out;
  private final @Nullable BackupBackend previous;
  private final LongConsumer progress;

  /* The attempt in work, and the blocks of the backup before that it still agrees with. */
  private final Deque<EntryBlock> earlier = new ArrayDeque<>();
  private @Nullable String expected;
  private final List<String> blocks = new ArrayList<>();
  private final StringBuilder lines = new StringBuilder();
  private MessageDigest digest = Sha256.begin();
  private boolean compacted;
  private long lowest;
  private long highest;
  private long newest = Long.MIN_VALUE;
  private long live;

  SessionBlocks(
      SessionStore source,
      SessionKey key,
      BlockWriter out,
      @Nullable BackupBackend previous,
      LongConsumer progress) {
    this.source = source;
    this.key = key;
    this.out = out;
    this.previous = previous;
    this.progress = progress;
  }

  /**
   * What was written, and what of it could not be read.
   *
   * @param info the session
   * @param at the offset of its block
   * @param unreadable how many damaged items it has
   */
  record Written(SessionInfo info, long at, long unreadable) {}

  /**
   * Writes it; nothing if it does not exist any more.
   *
   * @throws ClewException.SessionBusy if it changes all the time
   */
  Optional<Written> write() {
    long start = out.position();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Optional<SessionInfo> before = source.session(key).info();
      if (before.isEmpty()) {
        return Optional.empty();
      }
      int pages = writeEntries(before.get());
      if (pages <= 1 || isUnchanged(before.get()) || isSameAgain(before.get())) {
        return Optional.of(finish(before.get()));
      }
      out.goBack(start);
    }
    throw new ClewException.SessionBusy(
        "changes faster than it can be read; back it up when its writers pause");
  }

  private int writeEntries(SessionInfo info) {
    blocks.clear();
    digest = Sha256.begin();
    newest = Long.MIN_VALUE;
    live = 0;
    earlier.clear();
    if (previous != null) {
      earlier.addAll(previous.blocks(key));
    }
    expectNext();
    int pages = 0;
    long end = end();
    EntryReader reader = EntryReader.of(source, info);
    boolean more = true;
    while (more && reader.hasMore()) {
      List<Entry> page = reader.next();
      for (Entry entry : page) {
        more &= entry.compacted() || entry.position() <= end;
        if (more) {
          add(entry);
        }
      }
      progress.accept(page.size());
      pages++;
    }
    closeBlock();
    return pages;
  }

  /** What is appended from now on is not read: it might never end. */
  private long end() {
    List<Entry> newest = source.session(key).entries(Range.latest(1)).entries();
    return newest.isEmpty() ? Long.MIN_VALUE : newest.get(0).position();
  }

  private void add(Entry entry) {
    boolean full = expected == null && lines.length() > BLOCK_CHARS;
    if (full || entry.compacted() != compacted) {
      closeBlock();
    }
    compacted = entry.compacted();
    String line = Lines.entry(entry);
    boolean first = lines.length() == 0;
    lowest = first ? entry.position() : Math.min(lowest, entry.position());
    highest = first ? entry.position() : Math.max(highest, entry.position());
    lines.append(line).append('\n');
    update(digest, line);
    if (!compacted) {
      newest = entry.position();
      live++;
    }
    if (expected != null && lines.length() >= expected.length()) {
      compare(expected);
    }
  }

  /** What is in a block of the backup before is named and not written again. */
  private void compare(String known) {
    if (known.contentEquals(lines)) {
      blocks.add(earlier.remove().behind(1).text());
      lines.setLength(0);
      expectNext();
    } else {
      expectNothing();
    }
  }

  private void expectNext() {
    EntryBlock next = earlier.peek();
    try {
      expected = next == null || previous == null ? null : previous.lines(next);
    } catch (ClewException.CorruptRecord e) {
      throw new ClewException.StoreUnavailable(
          "cannot build on the backup before: " + e.getMessage() + "; make a full one", e, false);
    }
  }

  private void expectNothing() {
    earlier.clear();
    expected = null;
  }

  private void closeBlock() {
    if (lines.length() > 0) {
      expectNothing(); // a block that ends here is none of those before
      long at = out.write(Kind.ENTRIES, lines);
      blocks.add(new EntryBlock(at, lowest, highest, compacted, 0).text());
      lines.setLength(0);
    }
  }

  private boolean isUnchanged(SessionInfo before) {
    return source
        .session(key)
        .info()
        .map(SessionInfo::version)
        .equals(Optional.of(before.version()));
  }

  /** Whether the session still has what was written, whatever was appended since. */
  private boolean isSameAgain(SessionInfo about) {
    MessageDigest again = Sha256.begin();
    EntryReader reader = EntryReader.of(source, about);
    while (reader.hasMore()) {
      for (Entry entry : reader.next()) {
        if (!entry.compacted() && entry.position() > newest) {
          return Arrays.equals(Sha256.copy(digest).digest(), again.digest());
        }
        update(again, Lines.entry(entry));
      }
    }
    return Arrays.equals(Sha256.copy(digest).digest(), again.digest());
  }

  private Written finish(SessionInfo before) {
    long unreadable = Math.max(0, before.itemCount() - live);
    SessionInfo info =
        SessionInfos.changed(before, before.version(), before.updatedAt(), live, before.bytes());
    long at = out.write(Kind.SESSION, Lines.session(info).array("blocks", blocks).json() + "\n");
    return new Written(before, at, unreadable);
  }

  static void update(MessageDigest digest, String line) {
    digest.update(line.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) '\n');
  }
}
