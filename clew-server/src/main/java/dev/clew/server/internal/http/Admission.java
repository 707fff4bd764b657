package dev.clew.server.internal.http;

import dev.clew.server.operate.Scope;
import org.jspecify.annotations.Nullable;

/** Authenticates callers. Thread-safe. */
public interface Admission {
  String cookieName();

  /**
   * The caller; for open routes a principal without rights.
   *
   * @throws Problem if it is unknown
   */
  Principal identify(
      Scope scope, @Nullable String authorization, @Nullable String cookie, String address);

  /** Whether the caller with this header is known without asking the store. */
  boolean knows(@Nullable String authorization);

  /**
   * What a refused caller should send, for the header {@code WWW-Authenticate}.
   *
   * @param host the header {@code Host} of the call
   */
  String challenge(String path, @Nullable String host);

  /** What a caller was admitted with, to check it again later. Immutable. */
  record Pass(Scope scope, @Nullable String authorization, @Nullable String cookie) {}

  /**
   * Whether the caller would be admitted again.
   *
   * @throws RuntimeException if that cannot be found out at the moment
   */
  boolean isGood(Pass pass);
}
