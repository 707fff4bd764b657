package dev.clew.tck;

import dev.clew.Capability;
import dev.clew.SessionStore;
import dev.clew.StoreTraits;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import java.util.Optional;

/** The rules about searching, on a store that says that it cannot be searched. */
class UnsearchableStoreTest extends OpenedStores implements SearchRules {
  @Override
  protected SessionStore open(StoreOptions options) {
    return BackendStore.decorate(
        MemoryStoreContractTest.memory(options),
        backend ->
            new ForwardingBackend(backend) {
              @Override
              public StoreTraits traits() {
                return super.traits().without(Capability.SEARCH);
              }
            });
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.empty();
  }
}
