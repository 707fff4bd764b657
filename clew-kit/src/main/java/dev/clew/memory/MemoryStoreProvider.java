package dev.clew.memory;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.StoreProvider;
import dev.clew.kit.StoreUrl;
import java.util.Set;

/**
 * Opens {@code memory:}, each time a new and empty store. Stateless and thread-safe.
 *
 * <p>Parameters: {@code limit}, the most that {@code getItems()} returns; {@code ttl}, the time to
 * live of a session after its last update, such as {@code 30d}. Example: {@code
 * memory:?limit=20&ttl=30d}.
 */
public final class MemoryStoreProvider implements StoreProvider {
  /** For {@link java.util.ServiceLoader}. */
  public MemoryStoreProvider() {}

  @Override
  public String scheme() {
    return "memory";
  }

  @Override
  public SessionStore open(String url, Opening opening) {
    StoreUrl parsed = StoreUrl.parse(url, Set.of("limit", "ttl"));
    if (!parsed.path().isEmpty()) {
      throw new IllegalArgumentException(
          "store URL '" + url + "': a memory store has no path; write memory:");
    }
    return MemoryStore.builder().opening(opening).parameters(parsed).build();
  }
}
