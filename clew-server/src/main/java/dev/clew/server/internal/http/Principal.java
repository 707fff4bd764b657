package dev.clew.server.internal.http;

import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.util.Set;

/**
 * Who calls. Immutable.
 *
 * @param owner whose sessions are meant
 * @param scopes what the caller may do
 * @param name what to call the means of signing in, for limits and the audit log
 */
public record Principal(String owner, Set<Scope> scopes, String name) {
  /** Copies the scopes. */
  public Principal {
    scopes = Set.copyOf(scopes);
  }

  public static Principal of(Tokens.Token token) {
    return new Principal(token.owner(), token.scopes(), "token " + token.id());
  }

  /** Whether the caller may use a route of this scope. */
  public boolean may(Scope scope) {
    return scope == Scope.OPEN
        || scopes.contains(scope)
        || (scope == Scope.METRICS && scopes.contains(Scope.ADMIN));
  }

  /**
   * Checks what the caller may do.
   *
   * @throws Problem if that is not enough
   */
  public void require(Scope scope) {
    if (!may(scope)) {
      throw Problem.forbidden(
          "insufficient_scope",
          "This token does not have the scope '"
              + scope.word()
              + "'; make one that has it with: clew token create --scope …");
    }
  }
}
