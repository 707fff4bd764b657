package dev.clew.tck.thirdparty;

import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A session as somebody else would write it, in a few lines. Thread-safe. */
final class CustomMemorySession implements Session {
  private final String id;
  private List<Item> items = List.of();

  CustomMemorySession(String id) {
    this.id = id;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public synchronized List<Item> getItems() {
    return items;
  }

  @Override
  public synchronized List<Item> getItems(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    return items.subList(Math.max(0, items.size() - limit), items.size());
  }

  @Override
  public synchronized void addItems(List<Item> added) {
    ItemLimits.STORE.check(added);
    List<Item> all = new ArrayList<>(items);
    all.addAll(added);
    items = List.copyOf(all);
  }

  @Override
  public synchronized Optional<Item> popItem() {
    if (items.isEmpty()) {
      return Optional.empty();
    }
    Item newest = items.get(items.size() - 1);
    items = items.subList(0, items.size() - 1);
    return Optional.of(newest);
  }

  @Override
  public synchronized void clearSession() {
    items = List.of();
  }
}
