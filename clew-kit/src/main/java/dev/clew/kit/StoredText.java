package dev.clew.kit;

import dev.clew.Item;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Stored items: UTF-8 text with a checksum. Stateless. */
public final class StoredText {
  private StoredText() {}

  /** The checksum of a text; never negative. */
  public static long crc(byte[] text) {
    CRC32C crc = new CRC32C();
    crc.update(text, 0, text.length);
    return crc.getValue();
  }

  /** The item of a text that Clew wrote, or null if the checksum does not match. */
  public static @Nullable Item item(byte[] text, long crc) {
    return crc(text) == crc ? Item.trusted(new String(text, StandardCharsets.UTF_8)) : null;
  }
}
