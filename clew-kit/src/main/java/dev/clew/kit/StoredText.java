package dev.clew.kit;

import dev.clew.Item;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Items as a store keeps them: UTF-8 text with a checksum beside it. Stateless. */
public final class StoredText {
  private StoredText() {}

  /** The checksum of a text; never negative. */
  public static long crc(byte[] text) {
    CRC32C crc = new CRC32C();
    crc.update(text, 0, text.length);
    return crc.getValue();
  }

  /** The item of a text that we wrote, or null if it does not fit its checksum. */
  public static @Nullable Item item(byte[] text, long crc) {
    return crc(text) == crc ? Item.trusted(new String(text, StandardCharsets.UTF_8)) : null;
  }
}
