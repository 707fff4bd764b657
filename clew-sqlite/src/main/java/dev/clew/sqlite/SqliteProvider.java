package dev.clew.sqlite;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.StoreProvider;
import dev.clew.kit.StoreUrl;
import java.util.Locale;
import java.util.Set;

/**
 * Opens {@code sqlite:path?name=value&…} for {@link dev.clew.Stores#open}. Stateless.
 *
 * <p>The settings are those of {@link SqliteStore.Builder}: {@code sessions_table}, {@code
 * messages_table}, {@code limit}, {@code synchronous} (full or normal), {@code busy_timeout},
 * {@code ttl} (times such as 30d, 12h, 500ms) and {@code cache_mb}.
 */
public final class SqliteProvider implements StoreProvider {
  private static final Set<String> PARAMETERS =
      Set.of(
          "sessions_table",
          "messages_table",
          "limit",
          "synchronous",
          "busy_timeout",
          "ttl",
          "cache_mb");

  /** For the service loader. */
  public SqliteProvider() {}

  @Override
  public String scheme() {
    return "sqlite";
  }

  @Override
  public SessionStore open(String text, Opening opening) {
    StoreUrl url = StoreUrl.parse(text, PARAMETERS);
    SqliteStore.Builder builder = SqliteStore.builder(path(url)).opening(opening).parameters(url);
    url.text("sessions_table").ifPresent(builder::sessionsTable);
    url.text("messages_table").ifPresent(builder::messagesTable);
    url.text("synchronous").ifPresent(value -> builder.synchronous(synchronous(url, value)));
    url.duration("busy_timeout").ifPresent(builder::busyTimeout);
    url.integer("cache_mb", 0, 1 << 20).ifPresent(mb -> builder.cacheBytes((long) mb << 20));
    return builder.open();
  }

  /**
   * The path. It must not start with two slashes: tools disagree on whether {@code sqlite:///x.db}
   * is relative.
   */
  private static String path(StoreUrl url) {
    String path = url.path();
    if (!path.startsWith("//")) {
      return path;
    }
    String name = path.replaceFirst("^/+", "");
    String example = name.isEmpty() ? "conversations.db" : name;
    throw new IllegalArgumentException(
        String.format(
            "store URL '%s': a path does not begin with two slashes; write sqlite:%s for a "
                + "file in the current folder, or sqlite:/%s for one from the root of the disk",
            url, example, example));
  }

  private static Synchronous synchronous(StoreUrl url, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "full" -> Synchronous.FULL;
      case "normal" -> Synchronous.NORMAL;
      default -> throw url.bad("synchronous", value, "full or normal");
    };
  }
}
