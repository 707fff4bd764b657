package dev.clew.server.internal.auth;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.operate.Tokens;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that the servers of a store share, for cookies and compaction items. Thread-safe. It is
 * configured, or created once and kept in the store.
 */
public final class ServerSecret {
  private static final String RECORD = "secret";
  private static final int LEAST_LENGTH = 32;

  private final byte[] secret;

  private ServerSecret(byte[] secret) {
    this.secret = secret;
  }

  /**
   * A configured secret.
   *
   * @throws IllegalArgumentException if it is too short
   */
  public static ServerSecret of(String configured) {
    if (configured.length() < LEAST_LENGTH) {
      throw new IllegalArgumentException(
          String.format(
              "CLEW_SECRET has %s characters; it needs at least %s, for example the output "
                  + "of: openssl rand -hex 32",
              configured.length(), LEAST_LENGTH));
    }
    return new ServerSecret(configured.getBytes(StandardCharsets.UTF_8));
  }

  /** The secret in the store, created now if there is none. */
  public static ServerSecret keptIn(Documents records) {
    Optional<Document> kept = records.get(Tokens.OWNER, RECORD);
    if (kept.isEmpty()) {
      byte[] bits = new byte[32];
      new SecureRandom().nextBytes(bits);
      String json =
          new JsonObject().put("secret", Base64.getEncoder().encodeToString(bits)).toString();
      try {
        kept =
            Optional.of(
                records.put(Tokens.OWNER, RECORD, json, OptionalLong.of(0), Optional.empty()));
      } catch (ClewException.VersionConflict e) { // another server was faster
        kept = records.get(Tokens.OWNER, RECORD);
      }
    }
    String text = (String) Json.readObject(kept.orElseThrow().json()).get("secret");
    return new ServerSecret(Base64.getDecoder().decode(Objects.requireNonNull(text)));
  }

  /** A key for one purpose, which does not reveal the others. */
  public byte[] key(String purpose) {
    return mac(secret, purpose.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] mac(byte[] key, byte[] text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has HmacSHA256", e);
    }
  }
}
