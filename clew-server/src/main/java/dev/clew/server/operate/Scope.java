package dev.clew.server.operate;

import java.util.Locale;
import java.util.Set;

/** What a route needs of its caller. */
public enum Scope {
  /** Nothing: health, signing in, static files. */
  OPEN,
  /** May read what is the caller's own. */
  READ,
  /** May change what is the caller's own. */
  WRITE,
  /** May look after the server. */
  ADMIN,
  /** May read what the server counts and measures; who looks after it may, too. */
  METRICS;

  /** The word for it in tokens and on the wire. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Everything a person may do with what is her own. */
  public static final Set<Scope> OWN = Set.of(READ, WRITE);
}
