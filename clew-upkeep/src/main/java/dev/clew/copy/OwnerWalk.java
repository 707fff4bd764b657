package dev.clew.copy;

import dev.clew.SessionStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Goes through the owners of a store by name, in bounded steps. Stateless. */
public final class OwnerWalk {
  private static final int PAGE = 100;

  private OwnerWalk() {}

  /** The owners that have sessions or documents, read page by page as they are needed. */
  public static Iterable<String> of(SessionStore store) {
    return () ->
        Stream.iterate(
                store.owners(Optional.empty(), PAGE),
                page -> !page.isEmpty(),
                page -> store.owners(Optional.of(page.get(page.size() - 1)), PAGE))
            .flatMap(List::stream)
            .iterator();
  }
}
