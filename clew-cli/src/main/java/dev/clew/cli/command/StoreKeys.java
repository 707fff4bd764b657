package dev.clew.cli.command;

import dev.clew.SessionStore;
import dev.clew.cli.terminal.Failure;
import dev.clew.crypto.EncryptedStore;
import dev.clew.crypto.KeySource;
import dev.clew.crypto.MasterKeys;
import dev.clew.kit.EncryptionMark;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store with the keys that were named, if any were. Stateless. What encrypts is loaded only
 * when there are keys.
 */
public final class StoreKeys {
  private StoreKeys() {}

  /** Where the keys are: as the option says, else as the environment says. */
  static Optional<String> choose(@Nullable String option, Map<String, String> env) {
    return Optional.ofNullable(option == null ? env.get("CLEW_KEY") : option)
        .filter(spec -> !spec.isEmpty());
  }

  /**
   * The store, encrypted if keys are named.
   *
   * @param option what to write to name keys
   */
  public static SessionStore open(
      Supplier<SessionStore> store, Optional<String> spec, String option) {
    if (spec.isPresent()) {
      return Encrypted.open(store, spec.get());
    }
    SessionStore plain = store.get();
    try {
      if (EncryptionMark.isOn(plain)) {
        throw Failure.failed(
            "this store is encrypted; name its keys: " + option + " file:PATH, see 'clew key'");
      }
      return plain;
    } catch (RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  /** A class of its own, so that it is loaded only when it is needed. */
  private static final class Encrypted {
    static SessionStore open(Supplier<SessionStore> store, String spec) {
      MasterKeys keys = MasterKeys.of(KeySource.of(spec)); // before a store is opened or made
      SessionStore plain = store.get();
      try {
        return EncryptedStore.over(plain, keys);
      } catch (RuntimeException e) {
        plain.close();
        throw e;
      }
    }
  }
}
