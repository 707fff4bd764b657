package dev.clew.sqlite;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.kit.CompressedText;
import dev.clew.kit.StoredText;
import dev.clew.spi.Compression;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the texts of a session by {@link CompressedText}, and back. Thread-safe.
 *
 * <p>Only the text of a row changes, so all statements work as before; {@link Rows} recognises a
 * packed text by its first byte. A row of another program gets a checksum and counts as ours from
 * then on. Rows that are damaged or would not get smaller are left alone.
 *
 * <p>Texts are packed outside of transactions, and the transactions are short and unsynced: either
 * form of a row is valid.
 */
record PackedRows(
    Connections connections, Committer committer, SearchIndex index, Clock clock, Path file)
    implements Compression {
  private static final int BATCH = 200;
  private static final long BATCH_BYTES = 1 << 20;
  private static final List<Place> PLACES =
      List.of(
          new Place("{messages}", "id", "message_data", "clew_crc", "clew_item_id"),
          new Place("{our}archive", "position", "data", "crc", "item_id"));

  /** A table with texts, and the names of its columns. */
  private record Place(String table, String position, String data, String crc, String itemId) {
    String select(String type) {
      return String.format(
          "SELECT %s, %s, coalesce(%s, -1) FROM %s WHERE session_id = ? AND %s > ?"
              + " AND typeof(%s) = '%s' ORDER BY %s",
          position, data, crc, table, position, data, type, position);
    }

    String update() {
      return String.format(
          "UPDATE %s SET %s = ?, %s = ?, %s = ? WHERE %s = ? AND %s = ?",
          table, data, crc, itemId, position, data);
    }
  }

  /** A row that was read, and what replaces it, if anything. */
  private record Change(
      long position,
      Object before,
      @Nullable Object after,
      long crc,
      @Nullable String itemId,
      Saving saving) {}

  @Override
  public boolean isWorthwhile(SessionKey key) {
    return unpackedVersion(key).isPresent();
  }

  private Optional<Long> unpackedVersion(SessionKey key) {
    return connections.read(
        db ->
            db.first(
                "SELECT clew_version FROM {sessions} WHERE session_id = ? AND clew_packed IS NOT"
                    + " clew_version AND {live}",
                row -> row.getLong(1),
                KeyText.of(key),
                clock.millis()));
  }

  @Override
  public Optional<Saving> compress(SessionKey key) {
    String id = KeyText.of(key);
    Optional<Long> version = unpackedVersion(key);
    if (version.isEmpty()) {
      return Optional.empty();
    }
    committer.commitUnsynced(tx -> mark(tx, id));
    Saving saving = change(id, "text", PackedRows::packed);
    committer.commitUnsynced(
        tx ->
            tx.db.update(
                "UPDATE {sessions} SET clew_packed = clew_version"
                    + " WHERE session_id = ? AND clew_version = ?",
                id,
                version.get()));
    return saving.before() == 0 ? Optional.empty() : Optional.of(saving);
  }

  /** Marks the session before its first row is packed. */
  private static Integer mark(Tx tx, String id) throws SQLException {
    Schema.markPacked(tx.db);
    return tx.db.update(
        "UPDATE {sessions} SET clew_packed = 0 WHERE session_id = ? AND clew_packed IS NULL", id);
  }

  private static Change packed(long position, byte[] text, long crc) {
    Item item = Rows.item(text, crc);
    byte[] packed = item == null ? null : CompressedText.pack(text);
    return new Change(
        position,
        new String(text, StandardCharsets.UTF_8),
        packed,
        StoredText.crc(text),
        item == null ? null : item.id().orElse(null),
        new Saving(text.length, packed == null ? 0 : packed.length));
  }

  @Override
  public boolean decompress(SessionKey key) {
    String id = KeyText.of(key);
    String packed = "SELECT 1 FROM {sessions} WHERE session_id = ? AND clew_packed IS NOT NULL";
    boolean marked = connections.read(db -> db.exists(packed, id));
    boolean changed = marked && change(id, "blob", PackedRows::unpacked).before() > 0;
    committer.commit(tx -> unmark(tx, id));
    return changed;
  }

  private static Change unpacked(long position, byte[] stored, long crc) {
    Item item = Rows.item(stored, crc);
    String text = item == null ? null : item.json();
    return new Change(
        position,
        stored,
        text,
        text == null ? 0 : StoredText.crc(text.getBytes(StandardCharsets.UTF_8)),
        item == null ? null : item.id().orElse(null),
        new Saving(stored.length, 0));
  }

  /** A session keeps its mark if it has a packed row that is damaged, and so does the file. */
  private static Boolean unmark(Tx tx, String id) throws SQLException {
    boolean left = false;
    for (Place place : PLACES) {
      left |= tx.db.exists(place.select("blob") + " LIMIT 1", id, Long.MIN_VALUE);
    }
    if (!left) {
      tx.db.update("UPDATE {sessions} SET clew_packed = NULL WHERE session_id = ?", id);
    }
    if (!tx.db.exists("SELECT 1 FROM {sessions} WHERE clew_packed IS NOT NULL LIMIT 1")) {
      Schema.unmarkPacked(tx.db);
    }
    return true;
  }

  /** Converts a row. */
  private interface Conversion {
    Change of(long position, byte[] stored, long crc);
  }

  /** Converts the rows of a type in batches; returns the size of those that changed. */
  private Saving change(String id, String type, Conversion conversion) {
    long before = 0;
    long after = 0;
    for (Place place : PLACES) {
      List<Change> batch = next(place, id, type, Long.MIN_VALUE, conversion);
      while (!batch.isEmpty()) {
        List<Change> changes = batch.stream().filter(change -> change.after() != null).toList();
        if (!changes.isEmpty()) {
          Saving saved = committer.commitUnsynced(tx -> write(tx, place, changes));
          before += saved.before();
          after += saved.after();
        }
        batch = next(place, id, type, batch.get(batch.size() - 1).position(), conversion);
      }
    }
    return new Saving(before, after);
  }

  private List<Change> next(
      Place place, String id, String type, long position, Conversion conversion) {
    return connections.read(
        db -> {
          List<Change> batch = new ArrayList<>();
          long bytes = 0;
          try (ResultSet rows = db.bind(place.select(type), id, position).executeQuery()) {
            while (batch.size() < BATCH && bytes < BATCH_BYTES && rows.next()) {
              byte[] stored = rows.getBytes(2);
              batch.add(conversion.of(rows.getLong(1), stored, rows.getLong(3)));
              bytes += stored.length;
            }
          }
          return batch;
        });
  }

  /** Leaves rows alone that were changed since they were read. */
  private static Saving write(Tx tx, Place place, List<Change> changes) throws SQLException {
    tx.keepTriggersQuiet();
    long before = 0;
    long after = 0;
    for (Change change : changes) {
      int found =
          tx.db.update(
              place.update(),
              change.after(),
              change.crc(),
              change.itemId(),
              change.position(),
              change.before());
      if (found > 0) {
        before += change.saving().before();
        after += change.saving().after();
      }
    }
    return new Saving(before, after);
  }

  /** Packing leaves pages half empty until the file is rewritten. */
  @Override
  public long shrink() {
    long before = size();
    index.dropCopies();
    committer.alone("VACUUM");
    committer.alone("PRAGMA wal_checkpoint(TRUNCATE)");
    return Math.max(0, before - size());
  }

  private long size() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0; // only for the report
    }
  }
}
