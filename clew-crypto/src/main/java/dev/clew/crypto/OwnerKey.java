package dev.clew.crypto;

import dev.clew.SessionKey;

/**
 * The key of one owner, from which those of her sessions and records are derived. Immutable and
 * thread-safe.
 */
final class OwnerKey {
  private final String owner;
  private final int id;
  private final byte[] secret;
  private final Cipher records;
  private final Cipher tags;

  /**
   * @param id tells it from another key of the same owner, who was erased and came back
   */
  OwnerKey(String owner, int id, byte[] secret) {
    this.owner = owner;
    this.id = id;
    this.secret = secret;
    records = new Cipher(secret, Cipher.place("clew records", owner, "", 1));
    tags = new Cipher(secret, Cipher.place("clew tags", owner, "", 1));
  }

  String owner() {
    return owner;
  }

  int id() {
    return id;
  }

  /** For her records. */
  Cipher documents() {
    return records;
  }

  /** For what a list finds sessions by. */
  Cipher tags() {
    return tags;
  }

  SessionSeal session(SessionKey key) {
    return new SessionSeal(
        key, id, new Cipher(secret, Cipher.place("clew session", owner, key.id(), 1)));
  }
}
