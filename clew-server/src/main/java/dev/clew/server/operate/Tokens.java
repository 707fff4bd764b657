package dev.clew.server.operate;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The tokens that programs call the server with. Thread-safe.
 *
 * <p>A token is {@code clew_} and 256 random bits. Only its SHA-256 is stored, in the name of a
 * document of {@link #OWNER}, so a copy of the store does not reveal tokens.
 */
public final class Tokens {
  /** The owner of the server's own documents; no token is made for it. */
  public static final String OWNER = AuditLog.OWNER;

  /** Whoever can run commands on the store. */
  private static final String OPERATOR = "operator";

  private static final String START = "clew_";
  private static final String PREFIX = "token/";
  private static final int ID_LENGTH = 12;
  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final int MOST_KNOWN = 10_000;

  private final Documents records;
  private final Clock clock;
  private final AuditLog audit;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final AtomicLong revocations = new AtomicLong();

  /** A token as read from the store a moment ago. */
  private record Known(Token token, long readAt) {}

  public Tokens(Documents records, Clock clock) {
    this(records, clock, new AuditLog(records, clock, AuditLog.KEPT));
  }

  public Tokens(Documents records, Clock clock, AuditLog audit) {
    this.records = records;
    this.clock = clock;
    this.audit = audit;
  }

  /**
   * A token without its secret. Immutable.
   *
   * @param owner whose sessions it gives access to
   * @param name what it is for
   */
  public record Token(
      String id,
      String owner,
      String name,
      Set<Scope> scopes,
      Instant createdAt,
      Optional<Instant> expiresAt) {
    /** Its fields, with the id under this name. */
    public JsonObject json(String idName) {
      return new JsonObject()
          .put(idName, id)
          .put("owner", owner)
          .put("name", name)
          .put("scopes", scopes.stream().map(Scope::word).sorted().toList())
          .put("created_at", createdAt.toString())
          .put("expires_at", expiresAt.map(Instant::toString).orElse(null));
    }
  }

  /**
   * A new token. Immutable.
   *
   * @param secret what the program sends; it cannot be shown again
   */
  public record Created(String secret, Token token) {}

  public Created create(
      String owner, String name, Set<Scope> scopes, Optional<Duration> timeToLive) {
    return create(OPERATOR, owner, name, scopes, timeToLive);
  }

  /** Creates a token and adds it to the audit log. */
  public Created create(
      String who, String owner, String name, Set<Scope> scopes, Optional<Duration> timeToLive) {
    SessionKey.checkOwner(owner);
    if (owner.startsWith(OWNER)) {
      throw new IllegalArgumentException(
          "owner '" + owner + "' is reserved; choose a name without '" + OWNER + "'");
    }
    byte[] bits = new byte[32];
    random.nextBytes(bits);
    String secret = START + Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    String hash = Sha256.hex(secret);
    Instant now = clock.instant();
    Token token =
        new Token(
            hash.substring(0, ID_LENGTH), owner, name, scopes, now, timeToLive.map(now::plus));
    records.put(OWNER, PREFIX + hash, token.json("id").toString(), OptionalLong.of(0), timeToLive);
    audit.note(who, owner, "token create", token.id(), "made", null);
    return new Created(secret, token);
  }

  /** The token with this secret, if it is valid. */
  public Optional<Token> verify(String secret) {
    return secret.startsWith(START) ? withDigest(Sha256.hex(secret)) : Optional.empty();
  }

  /** Whether the token is known to be valid without asking the store. */
  public boolean knows(String secret) {
    Known recent = secret.startsWith(START) ? known.get(Sha256.hex(secret)) : null;
    return recent != null && isFresh(recent, System.nanoTime());
  }

  private static boolean isFresh(Known recent, long now) {
    return now - recent.readAt() < FRESH.toNanos();
  }

  /** The token whose secret has this SHA-256, if it is valid. */
  public Optional<Token> withDigest(String digest) {
    return token(digest)
        .filter(token -> token.expiresAt().map(clock.instant()::isBefore).orElse(true));
  }

  /** Cached for a moment, so another server's revocation takes effect here a moment later. */
  private Optional<Token> token(String digest) {
    long now = System.nanoTime();
    Known recent = known.get(digest);
    if (recent != null && isFresh(recent, now)) {
      return Optional.of(recent.token());
    }
    long revoked = revocations.get();
    Optional<Token> found = records.get(OWNER, PREFIX + digest).map(Tokens::read);
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    if (found.isPresent()) {
      known.put(digest, new Known(found.get(), now));
    }
    if (found.isEmpty() || revocations.get() != revoked) { // a stale entry may have been put
      known.remove(digest);
    }
    return found;
  }

  /** All tokens, oldest first. */
  public List<Token> list() {
    List<Token> tokens = new ArrayList<>();
    records.walk(OWNER, PREFIX).forEach(record -> tokens.add(read(record)));
    tokens.sort(java.util.Comparator.comparing(Token::createdAt).thenComparing(Token::id));
    return tokens;
  }

  public boolean revoke(String id) {
    return revoke(OPERATOR, id);
  }

  /**
   * Revokes a token, here at once and at other servers within a second, and adds that to the audit
   * log; returns whether it existed.
   */
  public boolean revoke(String who, String id) {
    List<String> found = new ArrayList<>();
    for (Document record : records.walk(OWNER, PREFIX)) {
      if (read(record).id().equals(id)) {
        found.add(record.name());
      }
    }
    found.forEach(name -> records.delete(OWNER, name));
    revocations.incrementAndGet();
    known.clear();
    audit.note(who, null, "token revoke", id, found.isEmpty() ? "not found" : "ended", null);
    return !found.isEmpty();
  }

  private static Token read(Document record) {
    Map<String, Object> fields = Json.readObject(record.json());
    Set<Scope> scopes =
        ((List<?>) text(fields, "scopes"))
            .stream()
                .map(word -> Scope.valueOf(String.valueOf(word).toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(TreeSet::new));
    return new Token(
        (String) text(fields, "id"),
        (String) text(fields, "owner"),
        (String) text(fields, "name"),
        scopes,
        Instant.parse((String) text(fields, "created_at")),
        Optional.ofNullable((String) fields.get("expires_at")).map(Instant::parse));
  }

  private static Object text(Map<String, Object> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }
}
