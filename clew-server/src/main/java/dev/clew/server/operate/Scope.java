package dev.clew.server.operate;

import java.util.Locale;
import java.util.Set;

/** What a route requires of its caller. */
public enum Scope {
  /** Nothing: health, sign-in, static files. */
  OPEN,
  /** Read the caller's own sessions. */
  READ,
  /** Change the caller's own sessions. */
  WRITE,
  /** Administer the server. */
  ADMIN,
  /** Read the metrics; administrators may too. */
  METRICS;

  /** The word for it in tokens and JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All rights on the caller's own sessions. */
  public static final Set<Scope> OWN = Set.of(READ, WRITE);
}
