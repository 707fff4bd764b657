package dev.clew;

import java.util.UUID;

/**
 * Names one session: the owner it belongs to and its id within that owner. Immutable.
 *
 * <p>The owner is part of the key, so the same id of another owner is another session: isolation
 * does not depend on a check that could be forgotten. Programs with one user leave the owner at the
 * default, the empty string.
 *
 * @param owner the user or tenant; empty for the default owner, else 1–512 code points
 * @param id the session's id, 1–512 code points, case-sensitive, without control characters
 */
public record SessionKey(String owner, String id) {
  /** The owner of everything a single-user program writes. */
  public static final String DEFAULT_OWNER = "";

  private static final int MAX_CODE_POINTS = 512;

  /**
   * Checks both parts.
   *
   * @throws IllegalArgumentException naming the part and what is wrong with it
   */
  public SessionKey {
    checkOwner(owner);
    check("session id", id);
  }

  /** The session {@code id} of the default owner. */
  public static SessionKey of(String id) {
    return new SessionKey(DEFAULT_OWNER, id);
  }

  /** A new session of the default owner with a random UUID as its id. */
  public static SessionKey random() {
    return of(UUID.randomUUID().toString());
  }

  /**
   * Checks the name of an owner.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static void checkOwner(String owner) {
    if (!owner.isEmpty()) {
      check("owner", owner);
    }
  }

  private static void check(String what, String value) {
    int length = value.codePointCount(0, value.length());
    if (length < 1 || length > MAX_CODE_POINTS) {
      throw new IllegalArgumentException(
          what + " has " + length + " characters; it must have 1 to " + MAX_CODE_POINTS);
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (Character.isISOControl(c)) {
        throw new IllegalArgumentException(
            String.format(
                "%s has the control character U+%04X at index %d; remove it", what, (int) c, i));
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw new IllegalArgumentException(
            what + " has an unpaired surrogate at index " + i + "; it is not valid Unicode text");
      }
    }
  }

  @Override
  public String toString() {
    return owner.isEmpty() ? "'" + id + "'" : "'" + id + "' of owner '" + owner + "'";
  }
}
