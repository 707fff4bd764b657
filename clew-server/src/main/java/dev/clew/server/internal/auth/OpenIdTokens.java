package dev.clew.server.internal.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.clew.SessionKey;
import dev.clew.server.internal.http.Principal;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.OpenIdSettings;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens of an OpenID provider, which are signed JWTs. Thread-safe.
 *
 * <p>The provider's public keys are fetched on demand and again when a token names an unknown key,
 * at most twice in half a minute, and stay in use for an hour while the provider is unreachable.
 * Only asymmetric signatures are accepted.
 */
public final class OpenIdTokens implements Gate.Bearers {
  private static final Logger LOG = LoggerFactory.getLogger(OpenIdTokens.class);
  private static final int CONNECT_MS = 2_000;
  private static final int READ_MS = 3_000;
  private static final int MOST_KEY_BYTES = 256 << 10;
  private static final long KEYS_KEPT_MS = Duration.ofMinutes(5).toMillis();
  private static final long KEYS_AWAITED_MS = Duration.ofSeconds(10).toMillis();
  private static final long BETWEEN_FETCHES_MS = Duration.ofSeconds(30).toMillis();
  private static final long OUTAGE_MS = Duration.ofHours(1).toMillis();
  private static final int SKEW_SECONDS = 60;
  private static final Set<JWSAlgorithm> SIGNATURES =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private final OpenIdSettings settings;
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  public OpenIdTokens(OpenIdSettings settings, Clock clock) {
    this.settings = settings;
    URL keys;
    try {
      keys = settings.keys().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("not an address: " + settings.keys(), e);
    }
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            SIGNATURES,
            JWKSourceBuilder.create(keys, new WithoutRedirects())
                .cache(KEYS_KEPT_MS, KEYS_AWAITED_MS)
                .rateLimited(BETWEEN_FETCHES_MS)
                .outageTolerant(OUTAGE_MS)
                .build()));
    processor.setJWTClaimsSetVerifier(new Claims(settings, clock));
  }

  /** The configured address is called; redirects are not followed. */
  private static final class WithoutRedirects extends DefaultResourceRetriever {
    WithoutRedirects() {
      super(CONNECT_MS, READ_MS, MOST_KEY_BYTES);
    }

    @Override
    protected HttpURLConnection openHTTPConnection(URL url) throws IOException {
      HttpURLConnection connection = super.openHTTPConnection(url);
      connection.setInstanceFollowRedirects(false);
      return connection;
    }
  }

  private static final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {
    private final Clock clock;

    Claims(OpenIdSettings settings, Clock clock) {
      super(
          settings.audience(),
          new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
          Set.of("exp", settings.ownerClaim()));
      this.clock = clock;
      setMaxClockSkew(SKEW_SECONDS);
    }

    @Override
    protected Date currentTime() {
      return Date.from(clock.instant());
    }
  }

  @Override
  public Optional<Principal> verify(String token) {
    try {
      JWTClaimsSet claims = processor.process(token, null);
      String owner = owner(claims.getStringClaim(settings.ownerClaim()));
      return Optional.of(new Principal(owner, scopes(claims), "openid"));
    } catch (RateLimitReachedException e) { // the key is not among those just fetched
      return Optional.empty();
    } catch (JWKSetUnavailableException | RemoteKeySourceException e) {
      LOG.warn(
          "cannot fetch the keys of the OpenID provider at {}: {}",
          settings.keys(),
          String.valueOf(e.getMessage()));
      throw Problem.unavailable(
          "identity_provider_unavailable",
          "The OpenID provider cannot be reached to check this token; try again.");
    } catch (BadJOSEException | JOSEException | ParseException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Nobody may sign in as the default owner or as the server. */
  private static String owner(String name) {
    SessionKey.checkOwner(name);
    if (name.isEmpty() || name.startsWith("@")) {
      throw new IllegalArgumentException("reserved owner name");
    }
    return name;
  }

  private Set<Scope> scopes(JWTClaimsSet claims) {
    if (settings.scopesClaim().isEmpty()) {
      return Scope.OWN;
    }
    Set<Scope> scopes = new TreeSet<>();
    for (Object word : words(claims.getClaim(settings.scopesClaim().get()))) {
      switch (String.valueOf(word).toLowerCase(Locale.ROOT)) {
        case "read", "clew:read" -> scopes.add(Scope.READ);
        case "write", "clew:write" -> scopes.add(Scope.WRITE);
        case "admin", "clew:admin" -> scopes.add(Scope.ADMIN);
        case "metrics", "clew:metrics" -> scopes.add(Scope.METRICS);
        default -> {} // of another service
      }
    }
    return scopes;
  }

  private static Collection<?> words(Object claim) {
    if (claim instanceof Collection<?> words) {
      return words;
    }
    return claim instanceof String text ? List.of(text.split(" +")) : List.of();
  }
}
