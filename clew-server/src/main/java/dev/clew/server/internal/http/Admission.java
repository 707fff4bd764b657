package dev.clew.server.internal.http;

import dev.clew.server.operate.Scope;
import org.jspecify.annotations.Nullable;

/** Authenticates callers. Thread-safe. */
public interface Admission {
  String cookieName();

  /**
   * The caller.
   *
   * @throws Problem if it is unknown
   */
  Principal identify(
      Scope scope, @Nullable String authorization, @Nullable String cookie, String address);

  /** A principal without rights, for open routes. */
  Principal anybody();

  /** Whether the caller with this header is known without asking the store. */
  boolean knows(@Nullable String authorization);

  /**
   * What a caller was admitted with, to check it again later. Immutable.
   *
   * @param isOpen whether nothing was required
   */
  record Pass(
      boolean isOpen, Scope scope, @Nullable String authorization, @Nullable String cookie) {}

  Pass pass(Scope scope, @Nullable String authorization, @Nullable String cookie);

  /**
   * Whether the caller would be admitted again.
   *
   * @throws RuntimeException if that cannot be found out at the moment
   */
  boolean isGood(Pass pass);
}
