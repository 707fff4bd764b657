package dev.clew.server.internal.auth;

import dev.clew.server.internal.http.Principal;
import java.util.Optional;

/** Knows tokens of one kind. Thread-safe. */
public interface Bearers {
  /**
   * Who sends this token, if it is good.
   *
   * @throws dev.clew.server.internal.http.Problem if that cannot be found out at the moment
   */
  Optional<Principal> verify(String token);

  /** Whether it is known without waiting that this token is good. */
  default boolean knows(String token) {
    return false;
  }
}
