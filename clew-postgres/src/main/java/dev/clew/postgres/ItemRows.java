package dev.clew.postgres;

import dev.clew.Draft;
import dev.clew.json.Json;
import dev.clew.kit.StoredText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** New rows of the history, inserted by one statement. Not thread-safe. */
final class ItemRows {
  /** Takes {@link #columns}. */
  static final String INSERT =
      "INSERT INTO {s}.items (session, position, data, crc, added, notes, item_key)"
          + " SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?)";

  private final Columns rows =
      new Columns(
          UUID.class, Long.class, String.class, Long.class, Long.class, String.class, Long.class);

  /** Adds items from position {@code first} on; returns their size. */
  long add(UUID session, long first, List<Draft> drafts, long[] added) {
    long bytes = 0;
    for (int i = 0; i < added.length; i++) {
      Draft draft = drafts.get(i);
      byte[] text = text(draft);
      bytes += text.length;
      long crc = StoredText.crc(text);
      String json = draft.item().json();
      rows.add(session, first + i, json, crc, added[i], notes(draft), itemKey(draft));
    }
    return bytes;
  }

  static byte[] text(Draft draft) {
    return draft.item().json().getBytes(StandardCharsets.UTF_8);
  }

  static @Nullable String notes(Draft draft) {
    return draft.notes().isEmpty() ? null : Json.write(draft.notes());
  }

  static @Nullable Long itemKey(Draft draft) {
    return draft.item().id().map(Keys::number).orElse(null);
  }

  List<Object> columns() {
    return rows.arrays();
  }
}
