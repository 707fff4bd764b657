package dev.clew.server.auth;

import dev.clew.server.http.Scope;
import java.util.Set;

/**
 * Who calls. Immutable.
 *
 * @param owner whose sessions are meant
 * @param scopes what the caller may do
 * @param name what to call the means of signing in, for limits and the audit log
 */
public record Principal(String owner, Set<Scope> scopes, String name) {
  /** Everything a person may do with what is her own. */
  public static final Set<Scope> OWN = Set.of(Scope.READ, Scope.WRITE);

  /** Copies the scopes. */
  public Principal {
    scopes = Set.copyOf(scopes);
  }

  /** Whether the caller may use a route of this scope. */
  public boolean may(Scope scope) {
    return scope == Scope.OPEN
        || scopes.contains(scope)
        || (scope == Scope.METRICS && scopes.contains(Scope.ADMIN));
  }
}
