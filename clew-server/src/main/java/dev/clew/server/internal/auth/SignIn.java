package dev.clew.server.internal.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The link printed at startup, which signs in the default owner once. Thread-safe. */
public final class SignIn {
  private static final Duration LIFE = Duration.ofHours(1);

  private final Clock clock;
  private @Nullable String code;
  private Instant end = Instant.EPOCH;

  public SignIn(Clock clock) {
    this.clock = clock;
  }

  public synchronized String newCode() {
    byte[] bits = new byte[24];
    new SecureRandom().nextBytes(bits);
    code = HexFormat.of().formatHex(bits);
    end = clock.instant().plus(LIFE);
    return code;
  }

  public synchronized boolean take(String given) {
    boolean right =
        code != null
            && clock.instant().isBefore(end)
            && MessageDigest.isEqual(
                code.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    if (right) {
      code = null;
    }
    return right;
  }
}
