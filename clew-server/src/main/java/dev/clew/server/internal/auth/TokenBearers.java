package dev.clew.server.internal.auth;

import dev.clew.server.internal.http.Principal;
import dev.clew.server.operate.Tokens;
import java.util.Optional;

/** Who calls with a token of the server. Thread-safe. */
public record TokenBearers(Tokens tokens) implements Bearers {
  @Override
  public Optional<Principal> verify(String secret) {
    return tokens.verify(secret).map(TokenBearers::principal);
  }

  @Override
  public boolean knows(String secret) {
    return tokens.knows(secret);
  }

  static Principal principal(Tokens.Token token) {
    return new Principal(token.owner(), token.scopes(), "token " + token.id());
  }
}
