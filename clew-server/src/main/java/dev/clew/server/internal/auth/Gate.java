package dev.clew.server.internal.auth;

import dev.clew.SessionKey;
import dev.clew.server.internal.http.Admission;
import dev.clew.server.internal.http.Principal;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.limits.FailedSignIns;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Admits callers with a valid token or cookie. Thread-safe. */
public final class Gate implements Admission {
  /** Verifies tokens of one kind. Thread-safe. */
  public interface Bearers {
    /**
     * The caller who sends this token, if it is valid.
     *
     * @throws Problem if that cannot be found out at the moment
     */
    Optional<Principal> verify(String token);

    /** Whether the token is known to be valid without asking the store. */
    default boolean knows(String token) {
      return false;
    }

    static Bearers of(Tokens tokens) {
      return new Bearers() {
        @Override
        public Optional<Principal> verify(String token) {
          return tokens.verify(token).map(Principal::of);
        }

        @Override
        public boolean knows(String token) {
          return tokens.knows(token);
        }
      };
    }
  }

  private static final Principal ANYBODY = new Principal(SessionKey.DEFAULT_OWNER, Set.of(), "-");
  private static final Principal ALONE =
      new Principal(
          SessionKey.DEFAULT_OWNER, Set.of(Scope.READ, Scope.WRITE, Scope.ADMIN), "no sign-in");
  private static final String BEARER = "bearer ";

  private final List<Bearers> bearers;
  private final Cookies cookies;
  private final FailedSignIns failures;
  private final boolean closed;
  private final ResourceMetadata metadata;

  /**
   * A gate.
   *
   * @param bearers asked in order
   * @param closed false to admit everybody as the default owner, for one person on one machine
   * @param metadata where callers learn how to get a token
   */
  public Gate(
      List<Bearers> bearers,
      Cookies cookies,
      FailedSignIns failures,
      boolean closed,
      ResourceMetadata metadata) {
    this.metadata = metadata;
    this.bearers = List.copyOf(bearers);
    this.cookies = cookies;
    this.failures = failures;
    this.closed = closed;
  }

  @Override
  public String cookieName() {
    return Cookies.NAME;
  }

  @Override
  public Principal identify(
      Scope scope, @Nullable String authorization, @Nullable String cookie, String address) {
    if (scope == Scope.OPEN) {
      return ANYBODY;
    }
    return closed ? find(authorization, cookie, address) : ALONE;
  }

  @Override
  public boolean isGood(Pass pass) {
    if (!closed || pass.scope() == Scope.OPEN) {
      return true;
    }
    String authorization = pass.authorization();
    Optional<Principal> who =
        authorization != null
            ? bearer(authorization).flatMap(this::known)
            : Optional.ofNullable(pass.cookie()).flatMap(cookies::verify);
    return who.filter(principal -> principal.may(pass.scope())).isPresent();
  }

  @Override
  public String challenge(String path, @Nullable String host) {
    return metadata
        .address(path, host)
        .map(at -> "Bearer resource_metadata=\"" + at + '"')
        .orElse("Bearer");
  }

  @Override
  public boolean knows(@Nullable String authorization) {
    return !closed
        || (authorization != null
            && bearer(authorization)
                .filter(token -> bearers.stream().anyMatch(each -> each.knows(token)))
                .isPresent());
  }

  /**
   * Counts a failed sign-in that gets another response.
   *
   * @throws Problem if there were too many
   */
  public void refuseAfterTooMany(String address) {
    Problem failure = Problem.unauthorized("");
    Problem answer = failures.answer(address, failure);
    if (answer != failure) {
      throw answer;
    }
  }

  private Principal find(@Nullable String authorization, @Nullable String cookie, String address) {
    String failure;
    Optional<Principal> who;
    if (authorization != null) {
      failure = "Incorrect API key provided. Create one with: clew token create --owner NAME";
      who = bearer(authorization).flatMap(this::known);
    } else if (cookie != null) {
      failure = "You are signed out; sign in with a new link.";
      who = cookies.verify(cookie);
    } else {
      throw Problem.unauthorized(
          "You didn't provide an API key. Send it in the header 'Authorization: Bearer YOUR_KEY'.");
    }
    return who.orElseThrow(() -> failures.answer(address, Problem.unauthorized(failure)));
  }

  private Optional<Principal> known(String token) {
    return bearers.stream().flatMap(each -> each.verify(token).stream()).findFirst();
  }

  private static Optional<String> bearer(String authorization) {
    return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? Optional.of(authorization.substring(BEARER.length()).strip())
        : Optional.empty();
  }
}
