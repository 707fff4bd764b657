package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole contract over an encrypted store. Nothing is damaged here: what an encrypted store does
 * about that is in {@link TamperingTest}.
 */
abstract class EncryptedContract extends StoreContract {
  @TempDir Path folder;
  private static final AtomicInteger STORES = new AtomicInteger();
  private int opened;

  /** Opens the store behind, in the place of this number. */
  abstract SessionStore openPlain(StoreOptions options, int number);

  /** Whether nothing is left of the store behind when it is closed. */
  boolean isVolatile() {
    return false;
  }

  /** The stores behind run all of them in their own modules. */
  @Override
  public int sequences() {
    return super.sequences() / 20;
  }

  @Override
  protected SessionStore open(StoreOptions options) {
    opened = STORES.incrementAndGet();
    return encrypted(openPlain(options, opened));
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return isVolatile() ? Optional.empty() : Optional.of(encrypted(openPlain(options, opened)));
  }

  private static SessionStore encrypted(SessionStore plain) {
    return EncryptedStore.over(plain, TestKeys.MASTER);
  }
}
