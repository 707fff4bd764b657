package dev.clew.server.internal.http;

import dev.clew.server.operate.Scope;
import org.jspecify.annotations.Nullable;

/** Decides who is let in. Thread-safe. */
public interface Admission {
  /** The name of the cookie that says who calls. */
  String cookieName();

  /**
   * Who calls.
   *
   * @throws Problem if that is unknown
   */
  Principal identify(
      Scope scope, @Nullable String authorization, @Nullable String cookie, String address);

  /** Somebody whom one need not know. */
  Principal anybody();

  /** Whether it is known without waiting who sends this header. */
  boolean knows(@Nullable String authorization);

  /**
   * What somebody was let in with, to ask later whether it is still good. Immutable.
   *
   * @param isOpen whether nothing was asked for
   */
  record Pass(
      boolean isOpen, Scope scope, @Nullable String authorization, @Nullable String cookie) {}

  /** What somebody is let in with. */
  Pass pass(Scope scope, @Nullable String authorization, @Nullable String cookie);

  /**
   * Whether whoever was let in would be let in again.
   *
   * @throws RuntimeException if that cannot be found out at the moment
   */
  boolean isGood(Pass pass);
}
