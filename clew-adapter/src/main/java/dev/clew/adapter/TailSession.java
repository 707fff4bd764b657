package dev.clew.adapter;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Session;
import dev.clew.StoredSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a window sees of a session: the newest items that the newest view leaves in. It remembers
 * the entries, of which a window sees the items only. Not thread-safe; made for one reading.
 */
final class TailSession implements Session {
  private final StoredSession session;
  private final Tails tails;
  private final String framework;
  private List<Entry> entries = List.of();
  private ListView view = ListView.ALL;
  private OptionalLong newest = OptionalLong.empty();

  TailSession(StoredSession session, Tails tails, String framework) {
    this.session = session;
    this.tails = tails;
    this.framework = framework;
  }

  @Override
  public String id() {
    return session.id();
  }

  @Override
  public List<Item> getItems() {
    return getItems(Integer.MAX_VALUE);
  }

  @Override
  public List<Item> getItems(int limit) {
    List<Entry> read = tails.newest(session, limit).entries();
    if (!read.isEmpty()) {
      newest = OptionalLong.of(read.get(read.size() - 1).position());
    }
    view = Reader.newestView(read, framework).orElse(ListView.ALL);
    entries = read.stream().filter(entry -> view.isAfter(entry.position())).toList();
    return entries.stream().map(Entry::item).toList();
  }

  /** The entries of items that a window chose; equal items may have different notes. */
  @SuppressWarnings("ReferenceEquality")
  List<Entry> entriesOf(List<Item> chosen) {
    List<Entry> found = new ArrayList<>(chosen.size());
    int end = entries.size();
    for (int i = chosen.size() - 1; i >= 0; i--) {
      for (int at = end - 1; at >= 0; at--) {
        if (entries.get(at).item() == chosen.get(i)) {
          found.add(entries.get(at));
          end = at;
          break;
        }
      }
    }
    Collections.reverse(found);
    return found;
  }

  ListView view() {
    return view;
  }

  OptionalLong newest() {
    return newest;
  }

  @Override
  public void addItems(List<Item> items) {
    throw new UnsupportedOperationException("a window only reads");
  }

  @Override
  public Optional<Item> popItem() {
    throw new UnsupportedOperationException("a window only reads");
  }

  @Override
  public void clearSession() {
    throw new UnsupportedOperationException("a window only reads");
  }
}
