package dev.clew;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A single session in memory, without a store: for demonstrations and tests. Thread-safe. For many
 * sessions, or for anything beyond the four operations, open {@code memory:}.
 */
public final class MemorySession implements Session {
  private final String id;
  private final List<Item> items = new ArrayList<>();

  /** A session with a random id. */
  public MemorySession() {
    this(UUID.randomUUID().toString());
  }

  /** A session with this id. */
  public MemorySession(String id) {
    this(id, List.of());
  }

  /** A session with this id and history. */
  public MemorySession(String id, List<Item> initialItems) {
    this.id = Objects.requireNonNull(id, "id");
    addItems(initialItems);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public synchronized List<Item> getItems() {
    return List.copyOf(items);
  }

  @Override
  public synchronized List<Item> getItems(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    return List.copyOf(items.subList(Math.max(0, items.size() - limit), items.size()));
  }

  @Override
  public synchronized void addItems(List<Item> newItems) {
    ItemLimits.STORE.check(newItems);
    items.addAll(newItems);
  }

  @Override
  public synchronized Optional<Item> popItem() {
    return items.isEmpty() ? Optional.empty() : Optional.of(items.remove(items.size() - 1));
  }

  @Override
  public synchronized void clearSession() {
    items.clear();
  }
}
