package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.kit.CompressedText;
import dev.clew.kit.StoredText;
import dev.clew.kit.sql.Sql;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from rows and recognises damaged ones. Stateless.
 *
 * <p>A row that we wrote has a checksum. A row of another program has none and is parsed.
 */
final class Rows {
  /** The checksum, or -1: a CRC is never negative, and reading null costs another call. */
  static final String CRC = "coalesce(clew_crc, -1)";

  static final String ENTRY_COLUMNS =
      "id, message_data, " + CRC + ", clew_added, created_at, clew_notes";
  static final String ARCHIVE_COLUMNS =
      "position, data, coalesce(crc, -1), added, created_at, notes, generation";
  static final long NO_CRC = -1;

  /** The size of a message's text, packed or not. */
  static final String BYTES =
      "CASE WHEN typeof(message_data) = 'blob' AND CAST(message_data AS INTEGER) > 0"
          + " THEN CAST(message_data AS INTEGER) ELSE length(CAST(message_data AS BLOB)) END";

  private Rows() {}

  /** The item in a row, or null if the row is damaged. */
  static @Nullable Item item(byte @Nullable [] stored, long crc) {
    byte[] text =
        stored != null && CompressedText.isPacked(stored) ? CompressedText.unpack(stored) : stored;
    if (text == null) {
      return null;
    }
    if (crc != NO_CRC) {
      return StoredText.item(text, crc);
    }
    try {
      String decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
      return Item.stored(decoded);
    } catch (CharacterCodingException | ClewException.InvalidItem e) {
      return null;
    }
  }

  /** The entry in a row of {@link #ENTRY_COLUMNS}, or empty if it is damaged. */
  static Optional<Entry> entry(ResultSet row) throws SQLException {
    return entry(row, false);
  }

  /** The entry in a row of {@link #ARCHIVE_COLUMNS}, or empty if it is damaged. */
  static Optional<Entry> archived(ResultSet row) throws SQLException {
    return entry(row, true);
  }

  private static Optional<Entry> entry(ResultSet row, boolean compacted) throws SQLException {
    long position = row.getLong(1);
    Item item = item(row.getBytes(2), row.getLong(3));
    if (item == null) {
      return Optional.empty();
    }
    Long added = Sql.nullableLong(row, 4);
    Instant addedAt = added != null ? Instant.ofEpochMilli(added) : time(row.getString(5));
    return Optional.of(new Entry(position, item, addedAt, object(row.getString(6)), compacted));
  }

  /**
   * Notes or metadata; empty if there are none or they are damaged, which {@link Checkup} reports.
   */
  static Map<String, Object> object(@Nullable String json) {
    if (json == null) {
      return Map.of();
    }
    try {
      return Json.readObject(json);
    } catch (IllegalArgumentException e) {
      return Map.of();
    }
  }

  /** A time that another program wrote; the epoch if it is unreadable. */
  private static Instant time(@Nullable String text) {
    if (text != null) {
      try {
        return LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
      } catch (DateTimeParseException e) {
        // It orders nothing, so it does no harm.
      }
    }
    return Instant.EPOCH;
  }
}
