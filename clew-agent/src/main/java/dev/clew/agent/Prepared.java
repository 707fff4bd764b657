package dev.clew.agent;

import dev.clew.Item;
import dev.clew.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * What a model is shown in a turn, and what of it is new. Immutable.
 *
 * @param modelInput history and new items, as the callback wants them
 * @param toStore the items of this turn, each once
 */
record Prepared(List<Item> modelInput, List<Item> toStore) {

  static Prepared of(List<Item> history, List<Item> newItems) {
    List<Item> all = new ArrayList<>(history.size() + newItems.size());
    all.addAll(history);
    all.addAll(newItems);
    return new Prepared(List.copyOf(all), newItems);
  }

  /**
   * What the callback makes of history and new items. Of what it returns, an item that is new is
   * stored as often as it was said, and one of the history never. An item that is neither stands
   * for a new one that is missing, if it is of the same kind: that one was rewritten. What is left
   * over, such as a summary of the history, is for the model only.
   */
  static Prepared of(List<Item> history, List<Item> newItems, BinaryOperator<List<Item>> callback) {
    List<Item> input =
        List.copyOf(callback.apply(new ArrayList<>(history), new ArrayList<>(newItems)));
    Map<Item, Integer> missing = new HashMap<>();
    newItems.forEach(item -> missing.merge(item, 1, Integer::sum));
    boolean[] store = new boolean[input.size()];
    // From the end, because what is new usually comes last and may repeat what was said before.
    for (int i = input.size() - 1; i >= 0; i--) {
      store[i] = take(missing, input.get(i));
    }
    for (int i = input.size() - 1; i >= 0 && !missing.isEmpty(); i--) {
      Item item = input.get(i);
      if (!store[i] && !history.contains(item) && !newItems.contains(item)) {
        store[i] = takeAlike(missing, item);
      }
    }
    List<Item> toStore = new ArrayList<>();
    for (int i = 0; i < store.length; i++) {
      if (store[i]) {
        toStore.add(input.get(i));
      }
    }
    return new Prepared(input, List.copyOf(toStore));
  }

  private static boolean take(Map<Item, Integer> missing, Item item) {
    Integer times = missing.get(item);
    if (times == null) {
      return false;
    }
    if (times == 1) {
      missing.remove(item);
    } else {
      missing.put(item, times - 1);
    }
    return true;
  }

  private static boolean takeAlike(Map<Item, Integer> missing, Item item) {
    for (Item candidate : missing.keySet()) {
      if (kind(candidate).equals(kind(item))) {
        return take(missing, candidate);
      }
    }
    return false;
  }

  private static String kind(Item item) {
    return item.view() instanceof View.Message message
        ? "message by " + message.role()
        : item.type();
  }
}
