package dev.clew.server.internal.auth;

import dev.clew.Documents;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.http.Principal;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The cookies of the page: who, until when, signed with the server's secret. Thread-safe. Any
 * server of the store accepts them. A cookie made from a token is valid as long as the token. The
 * digests of signed-out cookies are stored until the cookies expire.
 */
public final class Cookies {
  public static final String NAME = "clew";

  public static final Duration LIFE = Duration.ofDays(30);

  private static final Set<Scope> PAGE = Set.of(Scope.READ, Scope.WRITE, Scope.ADMIN);
  private static final String OWNER = "owner ";
  private static final String TOKEN = "token ";

  private static final String SIGNED_OUT = "signed-out/";
  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final int MOST_KNOWN = 10_000;

  private final byte[] key;
  private final Documents records;
  private final Tokens tokens;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  /** When a cookie was last found not signed out. */
  private final Map<String, Long> known = new ConcurrentHashMap<>();

  public Cookies(ServerSecret secret, Documents records, Tokens tokens, Clock clock) {
    this.key = secret.key("cookie");
    this.records = records;
    this.tokens = tokens;
    this.clock = clock;
  }

  public static Principal ownerOfThePage(String owner) {
    return new Principal(owner, PAGE, "page");
  }

  public String forOwner(String owner) {
    return make(OWNER + owner);
  }

  public String forToken(String secret) {
    return make(TOKEN + Sha256.hex(secret));
  }

  private String make(String who) {
    long end = clock.instant().plus(LIFE).getEpochSecond();
    // Unique, so that signing out of one browser does not sign out another.
    String text = end + "." + Long.toUnsignedString(random.nextLong(), 36) + " " + who;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return encode(bytes) + "." + encode(ServerSecret.mac(key, bytes));
  }

  private record Content(Instant end, String who) {}

  public Optional<Principal> verify(String cookie) {
    return read(cookie)
        .filter(content -> clock.instant().isBefore(content.end()))
        .filter(content -> !isSignedOut(Sha256.hex(cookie)))
        .flatMap(content -> who(content.who()));
  }

  /** Invalidates a cookie, here at once and at other servers within a second. */
  public void signOut(String cookie) {
    Optional<Content> content = read(cookie);
    Duration left =
        content.map(one -> Duration.between(clock.instant(), one.end())).orElse(Duration.ZERO);
    if (left.isNegative() || left.isZero()) {
      return;
    }
    String digest = Sha256.hex(cookie);
    records.put(Tokens.OWNER, SIGNED_OUT + digest, "{}", OptionalLong.empty(), Optional.of(left));
    known.remove(digest);
  }

  private boolean isSignedOut(String digest) {
    long now = System.nanoTime();
    Long readAt = known.get(digest);
    if (readAt != null && now - readAt < FRESH.toNanos()) {
      return false;
    }
    boolean out = records.get(Tokens.OWNER, SIGNED_OUT + digest).isPresent();
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    if (!out) {
      known.put(digest, now);
    }
    return out;
  }

  private Optional<Content> read(String cookie) {
    int dot = cookie.indexOf('.');
    if (dot < 0) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(cookie.substring(0, dot));
      byte[] signature = Base64.getUrlDecoder().decode(cookie.substring(dot + 1));
      boolean ours = MessageDigest.isEqual(signature, ServerSecret.mac(key, bytes));
      // Base64 has several texts for the same bytes; signing out invalidates only one.
      if (!ours || !cookie.equals(encode(bytes) + "." + encode(signature))) {
        return Optional.empty();
      }
      String text = new String(bytes, StandardCharsets.UTF_8);
      int space = text.indexOf(' ');
      String until = text.substring(0, space);
      int number = until.indexOf('.');
      long end = Long.parseLong(number < 0 ? until : until.substring(0, number));
      return Optional.of(new Content(Instant.ofEpochSecond(end), text.substring(space + 1)));
    } catch (IllegalArgumentException e) { // not Base64
      return Optional.empty();
    }
  }

  private Optional<Principal> who(String who) {
    return who.startsWith(TOKEN)
        ? tokens.withDigest(who.substring(TOKEN.length())).map(Principal::of)
        : Optional.of(ownerOfThePage(who.substring(OWNER.length())));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
