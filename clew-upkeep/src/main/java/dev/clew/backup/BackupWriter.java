package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.Documents.Document;
import dev.clew.Finding;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.backup.Block.Kind;
import dev.clew.backup.DocumentPlaces.DocumentBlock;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.SessionOutcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a store has into one file, owner by owner. Not thread-safe: made for one file.
 *
 * <p>Every owner's index names all of her sessions; those that are as they were in the backup
 * before are named where they are there, and of one that has grown its first entries are. So the
 * newest file alone says what a chain restores to.
 */
final class BackupWriter {
  private static final int LINES_CHARS = 1 << 20;

  private final SessionStore source;
  private final BlockWriter out;
  private final @Nullable BackupBackend previous;
  private final MigrationListener listener;
  private final List<String> owners = new ArrayList<>();
  private long sessions;
  private long items;
  private long records;
  private long written;
  private long failed;
  private long unreadable;

  BackupWriter(
      SessionStore source,
      BlockWriter out,
      @Nullable BackupBackend previous,
      MigrationListener listener) {
    this.source = source;
    this.out = out;
    this.previous = previous;
    this.listener = listener;
  }

  void begin(BackupHead head) {
    String magic = BackupFile.MAGIC + BackupHead.FORMAT + "\n";
    out.put(ByteBuffer.wrap(magic.getBytes(StandardCharsets.US_ASCII)));
    out.write(Kind.HEAD, head.line() + "\n");
  }

  /** What is to be written of an owner. */
  void owner(String owner, Selection selection) {
    Optional<OwnerIndex> before = previous == null ? Optional.empty() : previous.index(owner);
    Map<String, Place> places = new LinkedHashMap<>();
    selection.forEachSession(
        source,
        owner,
        info -> {
          // One that is updated meanwhile may be met again; what was written is a state of it.
          if (!places.containsKey(info.key().id())) {
            place(info, before).ifPresent(place -> places.put(place.id(), place));
          }
        });
    DocumentPlaces found =
        selection.hasDocuments(owner) ? documents(owner, before) : DocumentPlaces.none();
    if (places.isEmpty() && found.count() == 0) {
      return;
    }
    sessions += places.size();
    records += found.count();
    writeIndex(owner, places, found);
  }

  private Optional<Place> place(SessionInfo info, Optional<OwnerIndex> before) {
    Optional<Place> same =
        before
            .flatMap(index -> index.find(info.key().id()))
            .filter(place -> place.isStill(info))
            .map(place -> place.in(place.in() + 1));
    if (same.isPresent()) {
      items += info.itemCount();
      listener.progressed(info.itemCount());
      tell(info.key(), SessionOutcome.Kind.ALREADY_THERE, info.itemCount(), "");
      return same;
    }
    long start = out.position();
    try {
      Optional<SessionBlocks.Written> done =
          new SessionBlocks(source, info.key(), out, previous, listener::progressed).write();
      return done.map(this::written);
    } catch (ClewException.SessionBusy
        | ClewException.CorruptRecord
        | ClewException.LimitExceeded e) {
      out.goBack(start);
      failed++;
      tell(info.key(), SessionOutcome.Kind.FAILED, 0, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private Place written(SessionBlocks.Written session) {
    SessionInfo info = session.info();
    written++;
    items += info.itemCount() - session.unreadable();
    if (session.unreadable() > 0) {
      unreadable += session.unreadable();
      listener.unreadable(
          new Finding(
              Finding.Kind.DAMAGED,
              Optional.of(info.key()),
              OptionalLong.empty(),
              "has " + session.unreadable() + " items that cannot be read; run clew doctor"));
    }
    tell(info.key(), SessionOutcome.Kind.MOVED, info.itemCount(), "");
    return Place.of(info, session.at());
  }

  private void tell(SessionKey key, SessionOutcome.Kind kind, long count, String message) {
    listener.finished(new SessionOutcome(key, kind, count, message));
  }

  /** Written first, and taken back if they are what they were. */
  private DocumentPlaces documents(String owner, Optional<OwnerIndex> before) {
    long start = out.position();
    MessageDigest digest = Sha256.begin();
    List<DocumentBlock> blocks = new ArrayList<>();
    StringBuilder lines = new StringBuilder();
    long count = 0;
    String last = "";
    for (Document document : source.documents().walk(owner, "")) {
      if (lines.length() > LINES_CHARS) {
        blocks.add(new DocumentBlock(out.write(Kind.RECORDS, lines), last));
        lines.setLength(0);
      }
      add(document, lines, digest);
      last = document.name();
      count++;
    }
    if (lines.length() > 0) {
      blocks.add(new DocumentBlock(out.write(Kind.RECORDS, lines), last));
    }
    String found = HexFormat.of().formatHex(digest.digest());
    Optional<DocumentPlaces> same =
        before.map(OwnerIndex::documents).filter(places -> places.digest().equals(found));
    if (same.isPresent() && count > 0) {
      out.goBack(start);
      return same.get().in(same.get().in() + 1);
    }
    return new DocumentPlaces(count, found, 0, blocks);
  }

  private static void add(Document document, StringBuilder lines, MessageDigest digest) {
    String line = Lines.document(document);
    lines.append(line).append('\n');
    SessionBlocks.update(digest, line);
  }

  private void writeIndex(String owner, Map<String, Place> places, DocumentPlaces found) {
    List<String> offsets = new ArrayList<>();
    StringBuilder lines = new StringBuilder(found.line()).append('\n');
    for (Place place : places.values()) {
      if (lines.length() > LINES_CHARS) {
        offsets.add(String.valueOf(out.write(Kind.OWNER, lines)));
        lines.setLength(0);
        lines.append('\n'); // the first line is for the documents, which are in the first block
      }
      lines.append(place.line()).append('\n');
    }
    offsets.add(String.valueOf(out.write(Kind.OWNER, lines)));
    owners.add(new JsonObject().put("owner", owner).array("at", offsets).json());
  }

  /** The index of owners; where its blocks are. */
  List<String> index() {
    List<String> offsets = new ArrayList<>();
    StringBuilder lines = new StringBuilder();
    for (String owner : owners) {
      if (lines.length() > LINES_CHARS) {
        offsets.add(String.valueOf(out.write(Kind.INDEX, lines)));
        lines.setLength(0);
      }
      lines.append(owner).append('\n');
    }
    offsets.add(String.valueOf(out.write(Kind.INDEX, lines)));
    return offsets;
  }

  /** The last block, with the digest of all before it. */
  void end(List<String> index, String sha256) {
    long at =
        out.write(
            Kind.END, totals().line().array("index", index).put("sha256", sha256).json() + "\n");
    ByteBuffer tail = ByteBuffer.allocate(BackupFile.TAIL_BYTES).putLong(at).put(BackupFile.LAST);
    out.put(tail.flip());
    out.end();
  }

  BackupTotals totals() {
    return new BackupTotals(sessions, items, records);
  }

  long written() {
    return written;
  }

  long failed() {
    return failed;
  }

  long unreadable() {
    return unreadable;
  }
}
