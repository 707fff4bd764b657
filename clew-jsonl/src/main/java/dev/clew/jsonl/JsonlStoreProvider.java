package dev.clew.jsonl;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.StoreProvider;
import dev.clew.kit.StoreUrl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Opens {@code jsonl:folder?name=value&…} for {@link dev.clew.Stores#open}. Stateless and
 * thread-safe.
 *
 * <p>Parameters: {@code limit}, the most that {@code getItems()} returns; {@code ttl}, the time to
 * live of a session after its last update, such as {@code 30d}; {@code cache_sessions} and {@code
 * cache_mb}, how much is kept in memory. Example: {@code jsonl:./sessions?ttl=30d}.
 */
public final class JsonlStoreProvider implements StoreProvider {
  private static final Set<String> PARAMETERS =
      Set.of("limit", "ttl", "cache_sessions", "cache_mb");

  /** For {@link java.util.ServiceLoader}. */
  public JsonlStoreProvider() {}

  @Override
  public String scheme() {
    return "jsonl";
  }

  @Override
  public SessionStore open(String text, Opening opening) {
    StoreUrl url = StoreUrl.parse(text, PARAMETERS);
    JsonlStore.Builder builder = JsonlStore.builder(folder(url)).opening(opening).parameters(url);
    url.integer("cache_sessions", 0, 1 << 20).ifPresent(builder::cacheSessions);
    url.integer("cache_mb", 0, 1 << 20).ifPresent(mb -> builder.cacheBytes((long) mb << 20));
    return builder.open();
  }

  private static Path folder(StoreUrl url) {
    if (url.path().isEmpty()) {
      throw new IllegalArgumentException(
          "store URL '" + url + "': a JSONL store needs a folder, for example jsonl:./sessions");
    }
    if (url.path().startsWith("//")) {
      String name = url.path().replaceFirst("^/+", "");
      throw new IllegalArgumentException(
          String.format(
              "store URL '%s': a path does not begin with two slashes; write jsonl:%s for"
                  + " a folder here, or jsonl:/%s for one that begins at the root",
              url, name, name));
    }
    try {
      return Path.of(url.path());
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("store URL '" + url + "': " + e.getMessage(), e);
    }
  }
}
