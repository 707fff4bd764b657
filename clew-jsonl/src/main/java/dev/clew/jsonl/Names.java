package dev.clew.jsonl;

import dev.clew.kit.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names of files and folders for ids and owners. Stateless and thread-safe.
 *
 * <pre>
 * feishu:oc_xxx   feishu%3Aoc_xxx.jsonl
 * TourGuide       ^tour^guide.jsonl          (a file system may not tell T from t)
 * 北京             北京.jsonl
 * ../etc          %2E.%2Fetc.jsonl
 * con             %63on.jsonl                (a device on Windows)
 * 300 × "x"       xxxxx…xxx~9f86d081884c7d65…a0.jsonl   (its first line has the whole key)
 * </pre>
 *
 * <p>In decoding, a character without a special meaning stands for itself, so that files that other
 * programs named after the bare key are found too.
 */
final class Names {
  static final String SESSION = ".jsonl";

  /** The suffix of a compressed file. */
  static final String PACKED = ".gz";

  static final String QUARANTINE = ".quarantine";
  static final String TEMPORARY = ".tmp";

  /** The first character of an owner's folder. */
  private static final char OWNER = '@';

  /** A file name has at most 255 bytes; the rest is for suffixes. */
  private static final int MAX_BYTES = 200;

  private static final int PREFIX_OF_LONG = 100;
  private static final int DIGEST_BYTES = 20;
  private static final Pattern LONG = Pattern.compile(".*~[0-9a-f]{" + 2 * DIGEST_BYTES + "}");

  private static final Set<String> DEVICES =
      Set.of(
          "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6",
          "com7", "com8", "com9", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7",
          "lpt8", "lpt9");

  private Names() {}

  /** The name of a session's file, without {@link #SESSION}. */
  static String file(String id) {
    return shorten(id, encode(id));
  }

  /** The name of the folder of an owner that is not the default one. */
  static String folder(String owner) {
    return OWNER + shorten(owner, encode(owner));
  }

  /** Whether a folder of this name is that of an owner. */
  static boolean isFolder(String name) {
    return name.length() > 1 && name.charAt(0) == OWNER;
  }

  /** The owner that the name of a folder shows. */
  static Optional<String> owner(String folder) {
    return decode(folder.substring(1));
  }

  /** Whether the name of its file has all of an id. */
  static boolean isShort(String id) {
    return !isLong(encode(id));
  }

  private static boolean isLong(String encoded) {
    return encoded.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
  }

  private static String shorten(String id, String encoded) {
    if (!isLong(encoded)) {
      return encoded;
    }
    StringBuilder start = new StringBuilder();
    for (int i = 0; i < id.length(); ) {
      int cp = id.codePointAt(i);
      StringBuilder next = new StringBuilder(start);
      encode(next, cp, i == 0 && isEdgy(cp));
      if (next.toString().getBytes(StandardCharsets.UTF_8).length > PREFIX_OF_LONG) {
        break;
      }
      start = next;
      i += Character.charCount(cp);
    }
    return start + "~" + digest(id);
  }

  private static String digest(String id) {
    return Sha256.hex(id).substring(0, 2 * DIGEST_BYTES);
  }

  private static String encode(String id) {
    StringBuilder out = new StringBuilder(id.length() + 8);
    boolean device = DEVICES.contains(id.contains(".") ? id.substring(0, id.indexOf('.')) : id);
    for (int i = 0; i < id.length(); ) {
      int cp = id.codePointAt(i);
      int next = i + Character.charCount(cp);
      boolean atEdge = i == 0 || next == id.length();
      encode(out, cp, (i == 0 && device) || (atEdge && isEdgy(cp)));
      i = next;
    }
    return out.toString();
  }

  /** Whether file systems hide names that begin with it, or drop it at an end. */
  private static boolean isEdgy(int cp) {
    return cp == '.' || cp == ' ';
  }

  private static void encode(StringBuilder out, int cp, boolean escape) {
    if (!escape && isPlain(cp)) {
      out.appendCodePoint(cp);
    } else if (cp >= 'A' && cp <= 'Z') {
      out.append('^').append((char) (cp - 'A' + 'a'));
    } else {
      for (byte b : Character.toString(cp).getBytes(StandardCharsets.UTF_8)) {
        out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
      }
    }
  }

  /** Whether no file system gives the character a meaning or confuses it with another. */
  private static boolean isPlain(int cp) {
    if (cp < 0x80) {
      return (cp >= 'a' && cp <= 'z') || (cp >= '0' && cp <= '9') || "_-.+=, ".indexOf(cp) >= 0;
    }
    String text = Character.toString(cp);
    return Character.isLetter(cp)
        && text.toLowerCase(Locale.ROOT).equals(text)
        && text.toUpperCase(Locale.ROOT).equals(text)
        && Normalizer.isNormalized(text, Normalizer.Form.NFD)
        && Normalizer.isNormalized(text, Normalizer.Form.NFKC);
  }

  /** The id that a name stands for; empty for the name of a long id. */
  static Optional<String> decode(String name) {
    if (LONG.matcher(name).matches()) {
      return Optional.empty();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < name.length(); ) {
      int cp = name.codePointAt(i);
      int escaped = cp == '%' ? hex(name, i + 1) : -1;
      if (escaped >= 0) {
        bytes.write(escaped);
        i += 3;
      } else if (cp == '^' && isLowerCase(name, i + 1)) {
        bytes.write(name.charAt(i + 1) - 'a' + 'A');
        i += 2;
      } else {
        bytes.writeBytes(Character.toString(cp).getBytes(StandardCharsets.UTF_8));
        i += Character.charCount(cp);
      }
    }
    return Optional.of(bytes.toString(StandardCharsets.UTF_8));
  }

  private static int hex(String name, int at) {
    if (at + 2 > name.length()) {
      return -1;
    }
    int high = Character.digit(name.charAt(at), 16);
    int low = Character.digit(name.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }

  private static boolean isLowerCase(String name, int at) {
    return at < name.length() && name.charAt(at) >= 'a' && name.charAt(at) <= 'z';
  }
}
