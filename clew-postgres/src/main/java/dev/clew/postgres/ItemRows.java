package dev.clew.postgres;

import dev.clew.Draft;
import dev.clew.json.Json;
import dev.clew.kit.StoredText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** New rows of the history, to be inserted by one statement. Not thread-safe. */
final class ItemRows {
  /** Takes {@link #columns}. */
  static final String INSERT =
      "INSERT INTO {s}.items (session, position, data, crc, added, notes, item_key)"
          + " SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?)";

  private final List<UUID> sessions = new ArrayList<>();
  private final List<Long> positions = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private final List<Long> checksums = new ArrayList<>();
  private final List<Long> times = new ArrayList<>();
  private final List<@Nullable String> notes = new ArrayList<>();
  private final List<@Nullable Long> itemKeys = new ArrayList<>();

  /** Adds items at positions from {@code first} on; how many bytes they have. */
  long add(UUID session, long first, List<Draft> drafts, long[] added) {
    long bytes = 0;
    for (int i = 0; i < added.length; i++) {
      Draft draft = drafts.get(i);
      byte[] text = text(draft);
      bytes += text.length;
      sessions.add(session);
      positions.add(first + i);
      texts.add(draft.item().json());
      checksums.add(StoredText.crc(text));
      times.add(added[i]);
      notes.add(notes(draft));
      itemKeys.add(itemKey(draft));
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
    return List.of(
        sessions.toArray(UUID[]::new),
        positions.toArray(Long[]::new),
        texts.toArray(String[]::new),
        checksums.toArray(Long[]::new),
        times.toArray(Long[]::new),
        notes.toArray(String[]::new),
        itemKeys.toArray(Long[]::new));
  }
}
