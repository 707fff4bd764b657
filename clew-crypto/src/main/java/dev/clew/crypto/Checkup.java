package dev.clew.crypto;

import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.kit.PairingCheck;
import dev.clew.spi.Backend;
import java.util.function.Consumer;

/** Decrypts everything in an encrypted store and reports what cannot be. Not thread-safe. */
final class Checkup extends PairingCheck {
  private final EncryptedBackend store;

  /** Checks a backend over another one, which reports its own damage. */
  Checkup(EncryptedBackend store, Backend sealed, Consumer<Finding> findings) {
    super(sealed, findings);
    this.store = store;
  }

  void run() {
    run(store::owners);
  }

  @Override
  protected void session(SessionKey key) {
    store.info(key);
  }

  @Override
  protected void damaged(SessionKey key, long position) {}

  @Override
  protected Item item(SessionKey key, Entry entry) {
    return store.open(key, entry).item();
  }
}
