package dev.clew.cli.command;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.cli.terminal.Failure;
import dev.clew.crypto.EncryptedStore;
import dev.clew.crypto.KeySource;
import dev.clew.crypto.MasterKeys;
import dev.clew.kit.EncryptionMark;
import java.nio.file.Files;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Opens a store with the keys that were named, if any were. Stateless. What encrypts is loaded only
 * when there are keys.
 */
public final class StoreKeys {
  private StoreKeys() {}

  /**
   * The store, encrypted if keys are named.
   *
   * @param option what to write to name keys
   */
  public static SessionStore open(
      Supplier<SessionStore> store, Optional<String> spec, String option) {
    UnaryOperator<SessionStore> decryption = decryption(spec, option);
    return decryption.apply(store.get());
  }

  /** Reads the keys, before a store is opened or created, and opens it with them later. */
  static UnaryOperator<SessionStore> decryption(Optional<String> spec, String option) {
    UnaryOperator<SessionStore> opened =
        spec.isPresent()
            ? Encrypted.with(spec.get(), option)
            : plain -> requireNotEncrypted(plain, option);
    return plain -> {
      try {
        return opened.apply(plain);
      } catch (RuntimeException e) {
        plain.close();
        throw e;
      }
    };
  }

  private static SessionStore requireNotEncrypted(SessionStore plain, String option) {
    if (EncryptionMark.isOn(plain)) {
      throw Failure.failed(
          "this store is encrypted; name its keys: " + option + " file:PATH, see 'clew key'");
    }
    return plain;
  }

  /** A class of its own, so that it is loaded only when it is needed. */
  public static final class Encrypted {
    private Encrypted() {}

    /** The keys, of which those in a file must be there. */
    public static MasterKeys keys(String spec, String option) {
      try {
        return MasterKeys.of(KeySource.of(spec));
      } catch (IllegalArgumentException e) {
        throw Failure.usage(option + ": " + e.getMessage()).in(option);
      } catch (ClewException e) {
        if (KeySource.of(spec) instanceof KeySource.InFile file && Files.notExists(file.path())) {
          throw Failure.notFound(String.valueOf(e.getMessage())).in(option);
        }
        throw e;
      }
    }

    static UnaryOperator<SessionStore> with(String spec, String option) {
      MasterKeys keys = keys(spec, option);
      return plain -> EncryptedStore.over(plain, keys);
    }
  }
}
