package dev.clew.server.auth;

import dev.clew.SessionKey;
import dev.clew.server.http.Problem;
import dev.clew.server.http.Scope;
import dev.clew.server.limits.FailedSignIns;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets callers in who can say who they are. Thread-safe. */
public final class Gate {
  private static final Principal ANYBODY = new Principal(SessionKey.DEFAULT_OWNER, Set.of(), "-");
  private static final Principal ALONE =
      new Principal(
          SessionKey.DEFAULT_OWNER, Set.of(Scope.READ, Scope.WRITE, Scope.ADMIN), "no sign-in");
  private static final String BEARER = "bearer ";

  private final List<Bearers> bearers;
  private final Cookies cookies;
  private final FailedSignIns failures;
  private final boolean closed;

  /**
   * A gate.
   *
   * @param bearers who knows tokens; the first that does is believed
   * @param closed false to let in everybody as the default owner, for one person on one machine
   */
  public Gate(List<Bearers> bearers, Cookies cookies, FailedSignIns failures, boolean closed) {
    this.bearers = List.copyOf(bearers);
    this.cookies = cookies;
    this.failures = failures;
    this.closed = closed;
  }

  /**
   * Who calls, and whether it may do this.
   *
   * @throws Problem if that is unknown or the caller may not do this
   */
  public Principal admit(
      Scope scope, @Nullable String authorization, @Nullable String cookie, String address) {
    Principal principal = identify(scope, authorization, cookie, address);
    check(principal, scope);
    return principal;
  }

  /**
   * Who calls.
   *
   * @throws Problem if that is unknown
   */
  public Principal identify(
      Scope scope, @Nullable String authorization, @Nullable String cookie, String address) {
    if (scope == Scope.OPEN) {
      return ANYBODY;
    }
    return closed ? find(authorization, cookie, address) : ALONE;
  }

  /**
   * Checks what a caller may do.
   *
   * @throws Problem if that is not enough
   */
  public static void check(Principal principal, Scope scope) {
    if (!principal.may(scope)) {
      throw Problem.forbidden(
          "insufficient_scope",
          "This token does not have the scope '"
              + scope.name().toLowerCase(java.util.Locale.ROOT)
              + "'; make one that has it with: clew token create --scope …");
    }
  }

  /**
   * What somebody was let in with, to ask later whether it is still good. Immutable.
   *
   * @param isOpen whether nothing was asked for
   */
  public record Pass(
      boolean isOpen, Scope scope, @Nullable String authorization, @Nullable String cookie) {}

  /** What somebody is let in with. */
  public Pass pass(Scope scope, @Nullable String authorization, @Nullable String cookie) {
    return new Pass(!closed || scope == Scope.OPEN, scope, authorization, cookie);
  }

  /**
   * Whether whoever was let in would be let in again.
   *
   * @throws RuntimeException if that cannot be found out at the moment
   */
  public boolean isGood(Pass pass) {
    if (pass.isOpen()) {
      return true;
    }
    String authorization = pass.authorization();
    Optional<Principal> who =
        authorization != null
            ? bearer(authorization).flatMap(this::known)
            : Optional.ofNullable(pass.cookie()).flatMap(cookies::verify);
    return who.filter(principal -> principal.may(pass.scope())).isPresent();
  }

  /** Somebody whom one need not know. */
  public Principal anybody() {
    return ANYBODY;
  }

  /** Whether it is known without waiting who sends this header. */
  public boolean knows(@Nullable String authorization) {
    return !closed
        || (authorization != null
            && bearer(authorization)
                .filter(token -> bearers.stream().anyMatch(each -> each.knows(token)))
                .isPresent());
  }

  /**
   * Counts a failure of somebody who is told about it in other words.
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
    if (authorization != null) {
      return bearer(authorization)
          .flatMap(this::known)
          .orElseThrow(
              () ->
                  failures.answer(
                      address,
                      Problem.unauthorized(
                          "Incorrect API key provided."
                              + " Make one with: clew token create --owner NAME")));
    }
    if (cookie != null) {
      return cookies
          .verify(cookie)
          .orElseThrow(
              () ->
                  failures.answer(
                      address,
                      Problem.unauthorized("You are signed out; sign in again by a new link.")));
    }
    throw Problem.unauthorized(
        "You didn't provide an API key. Send it in the header 'Authorization: Bearer YOUR_KEY'.");
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
