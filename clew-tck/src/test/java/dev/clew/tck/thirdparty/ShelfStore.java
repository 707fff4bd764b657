package dev.clew.tck.thirdparty;

import dev.clew.Capability;
import dev.clew.Durability;
import dev.clew.SessionStore;
import dev.clew.StoreTraits;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.kit.StoreSettings;
import dev.clew.spi.Backend;
import java.util.Set;

/** Data that outlives the handle on it: what is closed is the handle. Thread-safe. */
public final class ShelfStore extends ForwardingBackend {
  private ShelfStore(Backend shelf) {
    super(shelf);
  }

  /** A handle on what is on the shelf. */
  public static SessionStore open(SessionStore shelf) {
    return BackendStore.of(
        new ShelfStore(Backend.of(shelf)),
        StoreSettings.of("the shelf").sessions(shelf.session("any").settings()));
  }

  @Override
  public StoreTraits traits() {
    return new StoreTraits(Durability.PROCESS_CRASH, Set.of(Capability.SEARCH));
  }

  @Override
  public void close() {
    // what is on the shelf stays there
  }
}
