package dev.clew.agent;

import dev.clew.Item;
import java.util.List;

/** What a run starts from. Immutable. */
public sealed interface RunInput {

  /** New items: what the user says. */
  record Items(List<Item> items) implements RunInput {
    /** Makes the list unmodifiable. */
    public Items {
      items = List.copyOf(items);
    }
  }

  /** A run that stopped for a decision. */
  record Resumed(RunState state) implements RunInput {}

  /** A user's message. */
  static RunInput text(String text) {
    return new Items(List.of(Item.user(text)));
  }

  /** Items of any kind. */
  static RunInput items(List<Item> items) {
    return new Items(items);
  }

  /** Resumes a run that stopped. */
  static RunInput state(RunState state) {
    return new Resumed(state);
  }
}
