package dev.clew.server.auth;

import dev.clew.server.http.Scope;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/**
 * The cookie of the page: owner and end, signed with the server's secret. Thread-safe. Nothing is
 * kept in the server, so any server of the store knows it.
 */
public final class Cookies {
  /** The name of the cookie. */
  public static final String NAME = "clew";

  /** How long a browser stays signed in. */
  public static final Duration LIFE = Duration.ofDays(30);

  private static final Set<Scope> PAGE = Set.of(Scope.READ, Scope.WRITE, Scope.ADMIN);

  private final byte[] key;
  private final Clock clock;

  public Cookies(ServerSecret secret, Clock clock) {
    this.key = secret.key("cookie");
    this.clock = clock;
  }

  /** A cookie for an owner. */
  public String make(String owner) {
    String text = clock.instant().plus(LIFE).getEpochSecond() + " " + owner;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return encode(bytes) + "." + encode(ServerSecret.mac(key, bytes));
  }

  /** Whose cookie it is, if it is one of ours and still good. */
  public Optional<Principal> verify(String cookie) {
    int dot = cookie.indexOf('.');
    if (dot < 0) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(cookie.substring(0, dot));
      byte[] signature = Base64.getUrlDecoder().decode(cookie.substring(dot + 1));
      if (!MessageDigest.isEqual(signature, ServerSecret.mac(key, bytes))) {
        return Optional.empty();
      }
      String text = new String(bytes, StandardCharsets.UTF_8);
      int space = text.indexOf(' ');
      Instant end = Instant.ofEpochSecond(Long.parseLong(text.substring(0, space)));
      return clock.instant().isBefore(end)
          ? Optional.of(new Principal(text.substring(space + 1), PAGE, "page"))
          : Optional.empty();
    } catch (IllegalArgumentException e) { // not Base64
      return Optional.empty();
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
