package dev.clew.sqlite;

import dev.clew.Draft;
import dev.clew.HistoryTransaction;
import dev.clew.internal.Json;
import dev.clew.internal.StoredText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction with all that is worked out before its turn comes, so that those who wait behind it
 * in the {@link Committer} do not wait for that. Immutable.
 */
record Prepared(HistoryTransaction transaction, List<Row> rows, String digest) {

  /** What is written of one item. */
  record Row(String json, int bytes, long crc, @Nullable String notes, @Nullable String itemId) {
    /** Whether there is anything but the item to be stored. */
    boolean hasExtras() {
      return notes != null || itemId != null;
    }

    static Row of(Draft draft) {
      String json = draft.item().json();
      byte[] text = json.getBytes(StandardCharsets.UTF_8);
      String notes = draft.notes().isEmpty() ? null : Json.write(draft.notes());
      return new Row(
          json, text.length, StoredText.crc(text), notes, draft.item().id().orElse(null));
    }
  }

  static Prepared of(HistoryTransaction transaction) {
    List<Draft> drafts = transaction.step().drafts();
    List<Row> rows = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      rows.add(Row.of(draft));
    }
    return new Prepared(
        transaction, rows, transaction.operationId().isPresent() ? transaction.digest() : "");
  }

  long bytes() {
    long bytes = 0;
    for (Row row : rows) {
      bytes += row.bytes();
    }
    return bytes;
  }
}
