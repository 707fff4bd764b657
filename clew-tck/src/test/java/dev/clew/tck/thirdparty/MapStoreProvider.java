package dev.clew.tck.thirdparty;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.SessionSettings;
import dev.clew.SessionStore;
import dev.clew.StoreProvider;
import dev.clew.kit.StoreSettings;
import dev.clew.kit.StoreUrl;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens {@code map:notes}: the map of that name, which lives as long as the process. */
public final class MapStoreProvider implements StoreProvider {
  private static final Map<String, MapStore.Data> MAPS = new ConcurrentHashMap<>();

  @Override
  public String scheme() {
    return "map";
  }

  @Override
  public SessionStore open(String url, Opening opening) {
    StoreUrl parsed = StoreUrl.parse(url, Set.of("limit", "ttl"));
    if (!opening.mayCreate() && !MAPS.containsKey(parsed.path())) {
      throw new ClewException.NoSuchStore("there is no map '" + parsed.path() + "'");
    }
    StoreSettings settings = StoreSettings.of(url).readOnly(opening.isReadOnly());
    var limit = parsed.integer("limit", 0, Integer.MAX_VALUE);
    if (limit.isPresent()) {
      settings = settings.sessions(SessionSettings.limit(limit.getAsInt()));
    }
    MapStore.Data data = MAPS.computeIfAbsent(parsed.path(), name -> new MapStore.Data());
    return MapStore.open(data, settings, parsed.duration("ttl"));
  }
}
