package dev.clew;

import java.util.OptionalLong;

/**
 * The result of a {@link Commit}. Immutable.
 *
 * @param version the session's version after it
 * @param firstPosition the position of the first entry it wrote, if it wrote any
 * @param lastPosition the position of the last entry it wrote, if it wrote any
 * @param repeated whether the operation id shows that it had been committed before
 * @param existed whether the session is known to have existed before; if not, it may be new
 */
public record Receipt(
    long version,
    OptionalLong firstPosition,
    OptionalLong lastPosition,
    boolean repeated,
    boolean existed) {

  /** The receipt of a session that may be new. */
  public Receipt(
      long version, OptionalLong firstPosition, OptionalLong lastPosition, boolean repeated) {
    this(version, firstPosition, lastPosition, repeated, false);
  }
}
