package dev.clew.server.internal.http;

import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.util.Optional;
import java.util.Set;

/**
 * The caller. Immutable.
 *
 * @param owner whose sessions the caller may use
 * @param name the means of sign-in, for limits and the audit log
 */
public record Principal(String owner, Set<Scope> scopes, String name) {
  private static final String TOKEN = "token ";

  public Principal {
    scopes = Set.copyOf(scopes);
  }

  public static Principal of(Tokens.Token token) {
    return new Principal(token.owner(), token.scopes(), TOKEN + token.id());
  }

  /** The id of the token that was used, if one was. */
  public Optional<String> tokenId() {
    return name.startsWith(TOKEN) ? Optional.of(name.substring(TOKEN.length())) : Optional.empty();
  }

  /** Whether the caller may use a route of this scope. */
  public boolean may(Scope scope) {
    return scope == Scope.OPEN
        || scopes.contains(scope)
        || (scope == Scope.METRICS && scopes.contains(Scope.ADMIN));
  }

  /**
   * Requires a scope.
   *
   * @throws Problem if the caller does not have it
   */
  public void require(Scope scope) {
    if (!may(scope)) {
      throw Problem.forbidden(
          "insufficient_scope",
          "This token does not have the scope '"
              + scope.word()
              + "'; create one with: clew token create --scope …");
    }
  }
}
