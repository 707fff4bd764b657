package dev.clew.server.internal.sessions;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.kit.BoundedPage;
import dev.clew.server.internal.wire.Entries;
import dev.clew.transcript.ExportFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;

/**
 * A large session as a file, made in pieces. Used by one thread at a time. It ends with the item
 * that is the newest at the start.
 */
final class ExportPieces implements Iterator<byte[]> {
  private final SessionStore store;
  private final SessionInfo info;
  private final ExportFormat format;
  private final long last;
  private final List<Instant> times = new ArrayList<>();
  private OptionalLong cursor = OptionalLong.empty();
  private boolean begun;
  private boolean ended;

  ExportPieces(SessionStore store, SessionInfo info, ExportFormat format) {
    this.store = store;
    this.info = info;
    this.format = format;
    this.last =
        Entries.newest(store.session(info.key())).map(Entry::position).orElse(Long.MIN_VALUE);
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public byte[] next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    EntryPage page =
        BoundedPage.read(store, info.key(), new Range(cursor, false, Integer.MAX_VALUE, false));
    List<Entry> entries = new ArrayList<>(page.entries());
    entries.removeIf(entry -> entry.position() > last);
    ended = !page.hasMore() || entries.size() < page.entries().size() || entries.isEmpty();
    if (!entries.isEmpty()) {
      cursor = OptionalLong.of(entries.get(entries.size() - 1).position());
    }
    StringBuilder text = new StringBuilder();
    write(text, entries);
    begun = true;
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Every format but JSON has a start, a piece per entry, and an end. */
  private void write(StringBuilder text, List<Entry> entries) {
    if (format == ExportFormat.JSON) {
      writeJson(text, entries);
      return;
    }
    String none = format.write(info, List.of());
    String all = format.write(info, entries);
    int start = 0;
    while (start < none.length() && none.charAt(start) == all.charAt(start)) {
      start++;
    }
    text.append(begun ? "" : none.substring(0, start));
    text.append(all, start, all.length() - (none.length() - start));
    text.append(ended ? none.substring(start) : "");
  }

  private void writeJson(StringBuilder text, List<Entry> entries) {
    if (!begun) {
      String none = format.write(info, List.of());
      text.append(none, 0, none.lastIndexOf(",\n  \"item_count\""));
      text.append(",\n  \"items\": [");
    }
    for (Entry entry : entries) {
      text.append(times.isEmpty() ? "\n    " : ",\n    ").append(entry.item().json());
      times.add(entry.addedAt());
    }
    if (ended) {
      text.append("\n  ],\n  \"item_count\": ").append(times.size()).append(",\n  \"added_at\": [");
      String separator = "\"";
      for (Instant time : times) {
        text.append(separator).append(time).append('"');
        separator = ", \"";
      }
      text.append("]\n}\n");
    }
  }
}
