package dev.clew.tck.thirdparty;

import dev.clew.SessionStore;
import dev.clew.kit.StoreSettings;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import java.util.Optional;

public class MapStoreTest extends StoreContract {
  private MapStore.Data data = new MapStore.Data();

  @Override
  protected SessionStore open(StoreOptions options) {
    data = new MapStore.Data();
    return open(data, options);
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.of(open(data, options));
  }

  /** Opens data with what the contract asks for. */
  public static SessionStore open(MapStore.Data data, StoreOptions options) {
    StoreSettings settings =
        StoreSettings.of("the map")
            .sessions(options.settings())
            .limits(options.limits())
            .clock(options.clock());
    return MapStore.open(data, settings, options.timeToLive());
  }
}
