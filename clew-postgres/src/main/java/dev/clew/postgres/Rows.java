package dev.clew.postgres;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.kit.StoredText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads items from rows and recognises damaged ones by their checksum. Stateless. */
final class Rows {
  static final String COLUMNS = "i.position, i.data, i.crc, i.added, i.notes";

  private Rows() {}

  /** The item in a row of {@link #COLUMNS}, or null if the row is damaged. */
  static @Nullable Item item(ResultSet row) throws SQLException {
    return StoredText.item(row.getBytes(2), row.getLong(3));
  }

  /** The entry in a row of the history, or empty if it is damaged. */
  static Optional<Entry> live(ResultSet row) throws SQLException {
    return entry(row, false);
  }

  /** The entry in a row of the archive, or empty if it is damaged. */
  static Optional<Entry> archived(ResultSet row) throws SQLException {
    return entry(row, true);
  }

  private static Optional<Entry> entry(ResultSet row, boolean compacted) throws SQLException {
    Item item = item(row);
    if (item == null) {
      return Optional.empty();
    }
    String notes = row.getString(5);
    Map<String, Object> beside = notes == null ? Map.of() : Json.readObject(notes);
    Instant added = Instant.ofEpochMilli(row.getLong(4));
    return Optional.of(new Entry(row.getLong(1), item, added, beside, compacted));
  }
}
