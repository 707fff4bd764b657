package dev.clew.tck;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.StoredSession;
import dev.clew.View;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Short ways to write down and to read histories in tests. Stateless. */
final class Items {
  private Items() {}

  /** One user message for each text. */
  static List<Item> of(String... texts) {
    List<Item> items = new ArrayList<>();
    for (String text : texts) {
      items.add(Item.user(text));
    }
    return List.copyOf(items);
  }

  /** {@code prefix 0}, {@code prefix 1}, … */
  static List<Item> numbered(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> Item.user(prefix + " " + i)).toList();
  }

  /** A message that carries an id of its own. */
  static Item withId(String id, String text) {
    return Item.parse("{\"id\":\"" + id + "\",\"role\":\"user\",\"content\":\"" + text + "\"}");
  }

  /** An item whose JSON text has about this many bytes. */
  static Item ofSize(int bytes) {
    return Item.user("x".repeat(bytes));
  }

  static List<Item> join(List<Item> first, List<Item> second) {
    List<Item> all = new ArrayList<>(first);
    all.addAll(second);
    return List.copyOf(all);
  }

  /** The text of each message. */
  static List<String> texts(List<Item> items) {
    return items.stream()
        .map(item -> item.view() instanceof View.Message message ? message.text() : item.json())
        .toList();
  }

  /** Every entry of the live history. */
  static List<Entry> entries(StoredSession session) {
    return session.entries(Range.first(Integer.MAX_VALUE)).entries();
  }

  /** The position of each entry of the live history. */
  static List<Long> positions(StoredSession session) {
    return entries(session).stream().map(Entry::position).toList();
  }

  /** The position of the entry at an index of the live history. */
  static long position(StoredSession session, int index) {
    return entries(session).get(index).position();
  }
}
