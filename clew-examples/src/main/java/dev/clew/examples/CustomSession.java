package dev.clew.examples;

import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A session of your own is four operations and an id, over whatever you have; it is the place for
 * rules on what to keep or to encrypt. Let {@code SessionContract} of clew-tck judge it.
 */
public final class CustomSession implements Session {
  private final String id;
  private final List<Item> items = new ArrayList<>();

  CustomSession(String id) {
    this.id = id;
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
  public synchronized void addItems(List<Item> added) {
    ItemLimits.STORE.check(added); // all or nothing, so before anything is kept
    items.addAll(added);
  }

  @Override
  public synchronized Optional<Item> popItem() {
    return items.isEmpty() ? Optional.empty() : Optional.of(items.remove(items.size() - 1));
  }

  @Override
  public synchronized void clearSession() {
    items.clear();
  }

  public static void main(String[] args) {
    BasicSession.talk(new CustomSession("session-123")).forEach(System.out::println);
  }
}
