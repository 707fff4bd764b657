package dev.clew.server.internal.runs;

import dev.clew.Item;
import dev.clew.View;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.WireItems;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and opens compaction items that clients carry but can neither read nor change. Thread-
 * safe.
 *
 * <p>The content is {@code clew1.} and the Base64 of a 12-byte nonce and the summary under
 * AES-256-GCM. Version and owner are authenticated, so an item opens only for its owner.
 */
public final class CompactionSeal {
  private static final String VERSION = "clew1.";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  public CompactionSeal(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  public Item seal(String owner, String summary) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] sealed;
    try {
      sealed =
          cipher(Cipher.ENCRYPT_MODE, nonce, owner)
              .doFinal(summary.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has AES-GCM", e);
    }
    byte[] all = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
    return Item.stored(
        new JsonObject()
            .put("id", WireItems.newId("compaction"))
            .put("type", "compaction")
            .put(
                "encrypted_content",
                VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(all))
            .toString());
  }

  private Cipher cipher(int mode, byte[] nonce, String owner) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD((VERSION + owner).getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  /**
   * The items with every sealed one opened.
   *
   * @throws Problem if one was made elsewhere, for another owner, or was changed
   */
  public List<Item> open(String owner, List<Item> items) {
    return items.stream()
        .map(
            item ->
                item.type().startsWith("compaction")
                        && item.view() instanceof View.Compaction view
                        && view.encryptedContent().isPresent()
                    ? inClear(open(owner, view.encryptedContent().get()))
                    : item)
        .toList();
  }

  List<Item> openOurs(String owner, List<Item> items) {
    return items.stream()
        .flatMap(item -> (isOurs(item) ? open(owner, List.of(item)) : List.of(item)).stream())
        .toList();
  }

  static boolean isOurs(Item item) {
    return item.type().startsWith("compaction")
        && item.view() instanceof View.Compaction view
        && view.encryptedContent().filter(content -> content.startsWith(VERSION)).isPresent();
  }

  private static Item inClear(String summary) {
    return Item.stored(
        new JsonObject().put("type", "compaction").put("summary", summary).toString());
  }

  private String open(String owner, String content) {
    try {
      if (content.startsWith(VERSION)) {
        byte[] all = Base64.getUrlDecoder().decode(content.substring(VERSION.length()));
        if (all.length > NONCE_BYTES) {
          ByteBuffer in = ByteBuffer.wrap(all);
          byte[] nonce = new byte[NONCE_BYTES];
          in.get(nonce);
          byte[] sealed = new byte[in.remaining()];
          in.get(sealed);
          return new String(
              cipher(Cipher.DECRYPT_MODE, nonce, owner).doFinal(sealed), StandardCharsets.UTF_8);
        }
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // The same error below, whatever is wrong with it.
    }
    throw Problem.invalid(
        "invalid_item",
        "item",
        "Invalid item: the encrypted content of a compaction item could not be verified.");
  }
}
