package dev.clew.server.internal.wire;

import dev.clew.SessionKey;
import dev.clew.server.internal.http.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Ids of conversations, which are sessions. Stateless.
 *
 * <p>An id of letters, digits, {@code _} and {@code -} is used as it is. Any other, and one that
 * starts with {@code conv_x}, becomes {@code conv_x} and its Base64.
 */
public final class ConversationIds {
  private static final String ENCODED = "conv_x";
  private static final int LONGEST = 512;
  private static final int TIME_BYTES = 6;
  private static final SecureRandom RANDOM = new SecureRandom();

  private ConversationIds() {}

  /**
   * A new id: a prefix and as many hexadecimal digits as OpenAI's ids have. It begins with the
   * time, so that what is created together is stored together in indexes.
   */
  public static String random(String prefix, int digits) {
    byte[] bits = new byte[digits / 2 - TIME_BYTES];
    RANDOM.nextBytes(bits);
    HexFormat hex = HexFormat.of();
    return prefix
        + hex.toHexDigits(System.currentTimeMillis(), 2 * TIME_BYTES)
        + hex.formatHex(bits);
  }

  public static String newId() {
    return random("conv_", 48);
  }

  public static String toWire(String session) {
    if (isPlain(session) && !session.startsWith(ENCODED)) {
      return session;
    }
    byte[] bytes = session.getBytes(StandardCharsets.UTF_8);
    return ENCODED + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * The session with an id on the wire.
   *
   * @throws Problem as if it did not exist, if it cannot be the id of a session
   */
  public static SessionKey toKey(String owner, String wire) {
    try {
      if (isPlain(wire)) {
        String session = wire.startsWith(ENCODED) ? decode(wire) : wire;
        if (toWire(session).equals(wire)) { // one session has one id
          return new SessionKey(owner, session);
        }
      }
    } catch (IllegalArgumentException | CharacterCodingException e) {
      // No session can have this id.
    }
    throw notFound(wire);
  }

  private static boolean isPlain(String id) {
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '-') {
        return false;
      }
    }
    return !id.isEmpty() && id.length() <= LONGEST;
  }

  private static String decode(String wire) throws CharacterCodingException {
    byte[] bytes = Base64.getUrlDecoder().decode(wire.substring(ENCODED.length()));
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /** The same response for a missing conversation and for another owner's. */
  public static Problem notFound(String wire) {
    return Problem.notFound("Conversation with id '" + wire + "' not found.");
  }
}
