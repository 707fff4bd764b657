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
 * The cookie of the page: who and until when, signed with the server's secret. Thread-safe. Nothing
 * is kept in the server, so any server of the store knows it. A cookie that was given for a token
 * is worth what the token is worth, and nothing when that is revoked.
 */
public final class Cookies {
  /** The name of the cookie. */
  public static final String NAME = "clew";

  /** How long a browser stays signed in. */
  public static final Duration LIFE = Duration.ofDays(30);

  private static final Set<Scope> PAGE = Set.of(Scope.READ, Scope.WRITE, Scope.ADMIN);
  private static final String OWNER = "owner ";
  private static final String TOKEN = "token ";

  private final byte[] key;
  private final Tokens tokens;
  private final Clock clock;

  public Cookies(ServerSecret secret, Tokens tokens, Clock clock) {
    this.key = secret.key("cookie");
    this.tokens = tokens;
    this.clock = clock;
  }

  /** A cookie for the owner at this machine, who may do everything. */
  public String forOwner(String owner) {
    return make(OWNER + owner);
  }

  /** A cookie for whoever has this token. */
  public String forToken(String secret) {
    return make(TOKEN + Sha256.hex(secret));
  }

  private String make(String who) {
    String text = clock.instant().plus(LIFE).getEpochSecond() + " " + who;
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
      return clock.instant().isBefore(end) ? who(text.substring(space + 1)) : Optional.empty();
    } catch (IllegalArgumentException e) { // not Base64
      return Optional.empty();
    }
  }

  private Optional<Principal> who(String who) {
    return who.startsWith(TOKEN)
        ? tokens.ofDigest(who.substring(TOKEN.length()))
        : Optional.of(new Principal(who.substring(OWNER.length()), PAGE, "page"));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
