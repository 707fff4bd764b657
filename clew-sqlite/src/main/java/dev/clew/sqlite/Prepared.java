package dev.clew.sqlite;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.kit.StoredText;
import dev.clew.kit.TimeToLive;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A commit with everything computed before its turn comes, so that others wait less in the {@link
 * Committer}. Immutable.
 */
record Prepared(
    Commit commit, List<Item> items, List<Row> rows, String digest, @Nullable Long timeToLive) {

  /** The columns of one item. */
  record Row(String json, int bytes, long crc, @Nullable String notes, @Nullable String itemId) {
    /** Whether there is more than the item. */
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

  /** The rows of a sealed commit depend on their positions, see {@link #at}. */
  static Prepared of(Commit commit) {
    String digest = commit.operationId().isPresent() ? commit.digest() : "";
    Long timeToLive = commit.timeToLive().map(TimeToLive::millis).orElse(null);
    return commit.isSealed()
        ? new Prepared(commit, List.of(), List.of(), digest, timeToLive)
        : of(commit, commit.step().drafts(), digest, timeToLive);
  }

  private static Prepared of(
      Commit commit, List<Draft> drafts, String digest, @Nullable Long timeToLive) {
    List<Item> items = new ArrayList<>(drafts.size());
    List<Row> rows = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      items.add(draft.item());
      rows.add(Row.of(draft));
    }
    return new Prepared(commit, items, rows, digest, timeToLive);
  }

  /** The number of rows. */
  int count() {
    return commit.step().drafts().size();
  }

  /** With the rows for a first position. */
  Prepared at(long first) {
    return commit.isSealed() ? of(commit, commit.placed(first), digest, timeToLive) : this;
  }

  long bytes() {
    long bytes = 0;
    for (Row row : rows) {
      bytes += row.bytes();
    }
    return bytes;
  }
}
