package dev.clew.kit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Compressed texts of items. Stateless and thread-safe.
 *
 * <pre>
 * 1234 ff …     1234 bytes of text, deflated with the dictionary of version 1
 * </pre>
 *
 * The length comes first, in digits, so that SQL can read it: {@code CAST(data AS INTEGER)}. No
 * text of an item begins with a digit, so a compressed one is recognised by its first byte. The
 * byte after the digits is the version; it never occurs in UTF-8, so that a program which expects
 * text fails.
 *
 * <p>An item is too short to be compressed by itself. The dictionary has what items have in common
 * and everyday words; it can never change, only be followed by another version. Tried and rejected:
 * a dictionary made from the store saves a sixth more, but keeps pieces of erased conversations.
 */
public final class CompressedText {
  private static final int VERSION_1 = 0xff;

  /** More than deflate can make of a byte. */
  private static final int MOST_PER_BYTE = 1032;

  private static final int MAX_DIGITS = 9;

  private CompressedText() {}

  /**
   * Loaded when the first text is compressed or decompressed, which in most stores never happens.
   */
  private static final class Dictionary {
    static final byte[] VERSION_1 = Resources.bytes(CompressedText.class, "packed-text-1.txt");
  }

  /** Whether these bytes are a compressed text, or the rest of one. */
  public static boolean isPacked(byte[] stored) {
    return stored.length > 0 && stored[0] >= '1' && stored[0] <= '9';
  }

  /** Compresses a text; null if that does not make it smaller. */
  public static byte @Nullable [] pack(byte[] text) {
    byte[] digits = Integer.toString(text.length).getBytes(StandardCharsets.US_ASCII);
    byte[] packed = new byte[text.length];
    int start = digits.length + 1;
    if (start >= text.length || digits.length > MAX_DIGITS) {
      return null;
    }
    System.arraycopy(digits, 0, packed, 0, digits.length);
    packed[digits.length] = (byte) VERSION_1;
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    try {
      deflater.setDictionary(Dictionary.VERSION_1);
      deflater.setInput(text);
      deflater.finish();
      int length = deflater.deflate(packed, start, packed.length - start);
      return deflater.finished() && start + length < text.length
          ? Arrays.copyOf(packed, start + length)
          : null;
    } finally {
      deflater.end();
    }
  }

  /** The decompressed text, or null if the bytes are damaged. */
  public static byte @Nullable [] unpack(byte[] packed) {
    int length = length(packed);
    int start = Integer.toString(length).length() + 1;
    if (length == 0
        || !isMark(packed, start - 1)
        || length > (long) (packed.length - start) * MOST_PER_BYTE) {
      return null;
    }
    byte[] text = new byte[length];
    return read(packed, start, packed.length, text) == length ? text : null;
  }

  /** Whether a compressed text may have its version there, after its length. */
  public static boolean isMark(byte[] bytes, int at) {
    return at > 0
        && at < bytes.length
        && (bytes[at] & 0xff) == VERSION_1
        && bytes[at - 1] >= '0'
        && bytes[at - 1] <= '9';
  }

  /**
   * Decompresses as much of a text as there is after its version; returns its length. The bytes
   * need not end with the text, nor be one.
   */
  public static int read(byte[] bytes, int from, int to, byte[] text) {
    int read = 0;
    Inflater inflater = new Inflater(true);
    try {
      inflater.setDictionary(Dictionary.VERSION_1);
      inflater.setInput(bytes, from, to - from);
      int count = 1;
      while (count > 0) {
        count = inflater.inflate(text, read, text.length - read);
        read += count;
      }
    } catch (DataFormatException e) {
      // The part before it counts.
    } finally {
      inflater.end();
    }
    return read;
  }

  /** The number in digits at the start; 0 if there is none. */
  private static int length(byte[] bytes) {
    int length = 0;
    for (int i = 0; i < bytes.length && bytes[i] >= '0' && bytes[i] <= '9'; i++) {
      if (i == MAX_DIGITS || bytes[0] == '0') {
        return 0;
      }
      length = length * 10 + bytes[i] - '0';
    }
    return length;
  }
}
