package dev.clew.copy;

import dev.clew.SessionStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Goes through the owners of a store by name, in bounded steps. Stateless. */
public final class OwnerWalk {
  private static final int PAGE = 100;

  private OwnerWalk() {}

  /** Calls the action for each owner that has sessions or documents. */
  public static void forEach(SessionStore store, Consumer<String> action) {
    List<String> page = store.owners(Optional.empty(), PAGE);
    while (!page.isEmpty()) {
      page.forEach(action);
      page = store.owners(Optional.of(page.get(page.size() - 1)), PAGE);
    }
  }
}
