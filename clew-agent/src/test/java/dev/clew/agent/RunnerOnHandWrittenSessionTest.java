package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class RunnerOnHandWrittenSessionTest extends RunnerContract {

  /** The least a session can be. */
  private static final class ListSession implements Session {
    private final List<Item> items = new ArrayList<>();

    @Override
    public String id() {
      return "mine";
    }

    @Override
    public List<Item> getItems() {
      return getItems(Integer.MAX_VALUE);
    }

    @Override
    public synchronized List<Item> getItems(int limit) {
      return List.copyOf(items.subList(Math.max(0, items.size() - limit), items.size()));
    }

    @Override
    public synchronized void addItems(List<Item> more) {
      items.addAll(more);
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

  @Override
  Session newSession() {
    return new ListSession();
  }
}
