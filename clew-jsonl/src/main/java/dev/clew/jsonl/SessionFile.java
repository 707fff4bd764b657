package dev.clew.jsonl;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.kit.CommitEffect;
import dev.clew.kit.CommitEffect.Sequence;
import dev.clew.kit.SessionInfos;
import dev.clew.kit.state.ChangeLog;
import dev.clew.kit.state.History;
import dev.clew.kit.state.Operations;
import dev.clew.kit.state.Operations.Done;
import dev.clew.kit.state.SessionState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A session in use: its open file and as much of its content as was needed. Not thread-safe: used
 * under the lock of its session.
 *
 * <p>A sample file; the keys next to {@code data} are ours. For the array {@code state} see {@link
 * BatchTrailer}, for {@code crc} {@link Line}, for the metadata {@link Head}.
 *
 * <pre>
 * {"type":"metadata","data":{"key":"feishu:oc_xxx","created_at":1767225600000,"updated_at":…},"part":[1,3],"crc":"…"}
 * {"type":"message","data":{"role":"user","content":"Hello","timestamp":1767225600000},"form":"parts","position":1,"part":[2,3],"crc":"…"}
 * {"type":"message","data":{"role":"assistant","content":"Hi!","timestamp":…},"form":"parts","position":2,"part":[3,3],"state":[…],"crc":"…"}
 * {"type":"item","data":{"type":"function_call",…},"timestamp":…,"position":3,"state":[…],"crc":"…"}
 * {"type":"remove","data":{"positions":[3],"timestamp":…},"state":[…],"crc":"…"}
 * {"type":"message","data":{…},"form":"parts","position":2,"edit":true,"state":[…],"crc":"…"}
 * {"type":"replace","data":{"up_to":1,"drop":false},"part":[1,2],"crc":"…"}
 * {"type":"message","data":{…},"form":"parts","position":-1,"part":[2,2],"state":[…],"crc":"…"}
 * </pre>
 *
 * Each line, or each group of {@code part}s, is one change. {@code remove} is a pop or an undo;
 * {@code edit} replaces an item; {@code replace} compacts everything up to a position (or drops it,
 * in files of earlier versions: now the file is rewritten), and the lines after it come first in
 * the history. A rewritten file begins with the compacted entries, marked {@code "archived":true},
 * and has lines of type {@code operation} for the ids still remembered. Clearing a session removes
 * its file.
 */
final class SessionFile implements AutoCloseable {
  private static final long MAX_WHOLE = Integer.MAX_VALUE - 16;

  private final Path path;
  private final Batch batch = new Batch();
  private final SessionState state;
  private final boolean whole;
  private final Optional<String> id;
  private Disk.@Nullable File file;
  private boolean packed;
  private final List<Damage> damage;
  private boolean needsRewrite;
  private boolean isDue;
  private boolean dropsRest;
  private boolean cutOff;
  private boolean lineEnd = true;
  private long end;
  private Sequence sequence;
  private BatchTrailer trailer;

  private SessionFile(
      Path path,
      SessionState state,
      Optional<String> id,
      Disk.@Nullable File file,
      boolean whole,
      List<Damage> damage,
      long end,
      BatchTrailer trailer) {
    this.path = path;
    this.state = state;
    this.id = id;
    this.file = file;
    this.whole = whole;
    this.damage = damage;
    this.end = end;
    this.sequence = trailer.sequence();
    this.trailer = trailer;
  }

  /** A session that has no file yet. */
  static SessionFile create(Path path, SessionState state, Sequence sequence) {
    BatchTrailer start = BatchTrailer.of(state.info(), sequence, 0, 0, -1);
    return new SessionFile(path, state, Optional.empty(), null, true, List.of(), 0, start);
  }

  /**
   * Reads a file, from its end if that is enough; null if it holds no session.
   *
   * @param found the file, compressed or not
   * @param whole whether to read everything
   * @param logs the change log of the session at a version
   */
  static @Nullable SessionFile read(
      SessionKey key, Path found, Disk.File file, boolean whole, LongFunction<ChangeLog> logs)
      throws IOException {
    long size = file.size();
    if (!whole && size > 0) {
      try {
        Tail tail = new Tail(found, file, size);
        SessionInfo info = tail.head().info(key, tail.trailer());
        SessionState state =
            new SessionState(
                info,
                new History(tail),
                new ArrayList<>(),
                new Operations(tail::operations),
                logs.apply(info.version()));
        SessionFile read =
            new SessionFile(
                Folders.plain(found),
                state,
                tail.head().id(),
                file,
                false,
                List.of(),
                size,
                tail.trailer());
        read.packed = Folders.isPacked(found);
        return read;
      } catch (NeedsFullReplay e) {
        // read it from its start
      }
    }
    if (size > MAX_WHOLE) {
      throw new IOException("it is too large to be read as a whole: " + size + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) size);
    file.read(bytes, 0);
    Replay replay = new Replay(bytes.array(), changedAt(found));
    if (replay.isEmpty()) {
      return null;
    }
    SessionInfo info = replay.head().info(key, replay.trailer());
    SessionState state =
        new SessionState(
            info,
            replay.history(),
            replay.compacted(),
            replay.operations(),
            logs.apply(info.version()));
    SessionFile read =
        new SessionFile(
            Folders.plain(found),
            state,
            replay.head().id(),
            file,
            true,
            replay.damage(),
            replay.end(),
            replay.trailer());
    read.packed = Folders.isPacked(found);
    read.needsRewrite = replay.isForeign();
    read.cutOff = size > replay.end();
    read.lineEnd = replay.lineEnd();
    return read;
  }

  private static Instant changedAt(Path path) throws IOException {
    return Instant.ofEpochMilli(Files.getLastModifiedTime(path).toMillis());
  }

  /** The id in the metadata. */
  Optional<String> id() {
    return id;
  }

  /** Its plain file. */
  Path path() {
    return path;
  }

  /** Whether its file is compressed. */
  boolean isPacked() {
    return packed;
  }

  /** Continues with the plain file that replaced the compressed one. */
  void unpacked(Disk.File plain) throws IOException {
    if (file instanceof PackedFile before) {
      before.continueWith(plain); // older entries are still read through it
    }
    packed = false;
  }

  SessionState state() {
    return state;
  }

  Sequence sequence() {
    return sequence;
  }

  /** Whether the session has expired. */
  boolean hasExpired(Optional<Duration> timeToLive, Instant now) {
    return SessionInfos.hasExpired(state.info(), timeToLive, now);
  }

  /** Makes a commit, see {@link SessionState#commit}. */
  Receipt commit(
      Commit commit,
      String digest,
      ToLongFunction<String> fence,
      Optional<Duration> timeToLive,
      Instant now) {
    boolean isNew = !state.exists();
    CommitEffect effect = state.commit(commit, digest, sequence, fence, timeToLive, now);
    if (effect.isChange()) {
      sequence = effect.sequence();
      if (isNew) {
        batch.describe(state.info(), true);
      }
      Optional<Done> done =
          commit.operationId().map(id -> new Done(id, digest, effect.receipt(), now));
      batch.add(commit.step(), effect, done);
    }
    return effect.receipt();
  }

  /** Changes the description. */
  void update(SessionUpdate update, Optional<Duration> timeToLive, Instant now) {
    boolean isNew = !state.exists();
    sequence = state.update(update, sequence, timeToLive, now);
    batch.describe(state.info(), isNew);
  }

  /** Whether everything was read, also compacted entries and damaged lines. */
  boolean isWhole() {
    return whole;
  }

  /** Whether it has no file yet. */
  boolean isNew() {
    return file == null;
  }

  /** Damaged lines; known only if everything was read. */
  List<Damage> damage() {
    return damage;
  }

  /**
   * The damaged positions of a page. A damaged line without a position may have changed any page:
   * it counts for all of them, at the tail.
   */
  List<Long> damagedAt(Range range, EntryPage page) {
    List<Entry> entries = page.entries();
    long from = Long.MIN_VALUE;
    long to = Long.MAX_VALUE;
    if (range.backward()) {
      to = range.cursor().orElse(to);
      from = page.hasMore() ? entries.isEmpty() ? to : entries.get(0).position() : from;
    } else {
      from = range.cursor().orElse(from);
      to = page.hasMore() ? entries.isEmpty() ? from : last(entries).position() : to;
    }
    List<Long> positions = new ArrayList<>();
    for (Damage one : damage) {
      long position = one.position().orElse(state.history().tail().orElse(0));
      if (one.position().isEmpty() || (position > from && position < to)) {
        positions.add(position);
      }
    }
    return positions;
  }

  private static Entry last(List<Entry> entries) {
    return entries.get(entries.size() - 1);
  }

  /** Whether the entry at a position cannot be read. */
  boolean isDamagedAt(long position) {
    return damage.stream().anyMatch(one -> one.position().equals(OptionalLong.of(position)));
  }

  /** Whether something after the newest entry cannot be read. */
  boolean endsDamaged() {
    OptionalLong tail = state.history().tail();
    return damage.stream()
        .anyMatch(
            one ->
                one.position().isPresent()
                    && (tail.isEmpty() || one.position().getAsLong() > tail.getAsLong()));
  }

  /** Whether the next change has to rewrite the file. */
  boolean needsRewrite() {
    return needsRewrite;
  }

  /** Removes the damaged lines with the next commit, even if that changes nothing else. */
  void dropDamage() {
    needsRewrite = true;
    isDue = true;
  }

  /** Removes everything that is not part of the session, as {@link #dropDamage} does. */
  void dropRest() {
    dropDamage();
    dropsRest = true;
  }

  /** Whether nothing of the session is to be left in its file or next to it. */
  boolean isEmptied() {
    return dropsRest && state.info().itemCount() == 0;
  }

  /** Whether the state has changes that are not in the file. */
  boolean hasChanges() {
    return isDue || !batch.isEmpty();
  }

  /** About how much memory it takes. */
  long weight() {
    // An item is about as long in memory as in bytes; add an entry and a tree node.
    return 1024
        + (packed ? PackedFile.BLOCK : 0)
        + state.history().loadedBytes()
        + 200L * state.history().loaded();
  }

  /** Whether most of the file is no longer needed. */
  boolean isMostlyGarbage(long atLeast) {
    return trailer.garbage() > atLeast && trailer.garbage() * 2 > end;
  }

  /** Appends the changes durably. */
  void append(Disk disk, Health health) {
    Disk.File open = file;
    boolean isNew = open == null;
    Batch.Written written = batch.write(state.info(), sequence, lineEnd ? end : end + 1, trailer);
    try {
      if (open == null) {
        open = disk.open(path, true);
        file = open;
        cutOff = true; // remains of a session that was never acknowledged
      }
      if (cutOff) {
        open.truncate(end);
      }
      if (!lineEnd) {
        open.write(ByteBuffer.wrap(new byte[] {'\n'}), end);
      }
      open.write(written.bytes(), lineEnd ? end : end + 1);
    } catch (IOException e) {
      takeBack(open, disk, health, isNew);
      throw Health.unwritable(path, e);
    }
    try {
      health.sync(path, open::sync);
      if (isNew) {
        health.sync(path, () -> disk.syncFolder(Folders.parent(path)));
      }
    } catch (RuntimeException e) {
      takeBack(open, disk, health, isNew);
      throw e;
    }
    end += written.bytes().capacity() + (lineEnd ? 0 : 1);
    lineEnd = true;
    cutOff = false;
    trailer = written.trailer();
    batch.clear();
  }

  /** Removes what was not acknowledged. */
  private void takeBack(Disk.@Nullable File open, Disk disk, Health health, boolean isNew) {
    if (open != null) {
      health.sync(
          path,
          () -> {
            open.truncate(end);
            if (isNew) {
              disk.delete(path);
            }
          });
    }
  }

  /** Writes everything to a new file that replaces this one, which must not be used any more. */
  void rewrite(Disk disk, Health health) {
    SideFile.replace(path, Batch.whole(state, sequence), disk, health);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
