package dev.clew.crypto;

import java.util.Map;

/** Master keys for tests, made once for each run. Immutable. */
final class TestKeys {
  static final MasterKeys MASTER = make();

  private TestKeys() {}

  /** Other master keys each time. */
  static MasterKeys make() {
    return MasterKeys.of(new KeySource.InEnvironment("KEYS", Map.of("KEYS", MasterKeys.create())));
  }
}
