package dev.clew.crypto;

import dev.clew.SessionKey;

/**
 * The key of one owner, from which the keys of sessions and documents are derived. Immutable and
 * thread-safe.
 */
final class OwnerKey {
  private final String owner;
  private final int id;
  private final byte[] secret;
  private final Cipher documents;
  private final Cipher tags;

  /**
   * @param id distinguishes it from the key of an erased owner of the same name
   */
  OwnerKey(String owner, int id, byte[] secret) {
    this.owner = owner;
    this.id = id;
    this.secret = secret;
    documents = new Cipher(secret, Cipher.place("clew records", owner, "", 1));
    tags = new Cipher(secret, Cipher.place("clew tags", owner, "", 1));
  }

  String owner() {
    return owner;
  }

  int id() {
    return id;
  }

  Cipher documents() {
    return documents;
  }

  Cipher tags() {
    return tags;
  }

  SessionSeal session(SessionKey key) {
    return new SessionSeal(
        key, id, new Cipher(secret, Cipher.place("clew session", owner, key.id(), 1)));
  }
}
