package dev.clew.server.internal.page;

import dev.clew.kit.Resources;
import dev.clew.kit.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * The files of the page, in memory. Thread-safe.
 *
 * <p>Only files listed in {@code web/files.txt} are served; paths of requests are never used as
 * file names. Their address contains a digest of all of them, so browsers may cache them forever.
 */
final class Assets {
  private static final String FOLDER = "/web/";
  private static final String LIBRARIES = "/META-INF/resources/";
  private static final int DIGEST_DIGITS = 16;

  private final Map<String, Asset> byName;
  private final String digest;

  private Assets(Map<String, Asset> byName) {
    this.byName = byName;
    this.digest = digest(byName.values());
  }

  static Assets load() {
    Map<String, Asset> files = new LinkedHashMap<>();
    for (String line : text(FOLDER + "files.txt").lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.strip().split("\\s+", 4);
      String name = words[1];
      String file = words.length == 2 ? FOLDER + name : LIBRARIES + words[2];
      byte[] bytes = Resources.bytes(Assets.class, file);
      if (words.length == 4) { // turns a script into a module
        ByteArrayOutputStream module = new ByteArrayOutputStream();
        module.writeBytes(bytes);
        module.writeBytes(("\n" + words[3] + "\n").getBytes(StandardCharsets.UTF_8));
        bytes = module.toByteArray();
      }
      files.put(name, new Asset(name, words[0].equals("first"), bytes));
    }
    return new Assets(files);
  }

  Optional<Asset> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  Collection<Asset> all() {
    return byName.values();
  }

  String digest() {
    return digest;
  }

  String path(String name) {
    return "/assets/" + digest + "/" + name;
  }

  /** A resource that is not served as a file, such as a template. */
  static String text(String resource) {
    return Resources.text(Assets.class, resource);
  }

  static byte[] sha256(byte[]... parts) {
    MessageDigest digest = Sha256.begin();
    for (byte[] part : parts) {
      digest.update(part);
    }
    return digest.digest();
  }

  private static String digest(Collection<Asset> assets) {
    byte[] all = new byte[0];
    for (Asset asset : assets) {
      all = asset.digestAfter(all);
    }
    return HexFormat.of().formatHex(all).substring(0, DIGEST_DIGITS);
  }

  /** One file of the page, plain and compressed. Immutable. */
  static final class Asset {
    private final String name;
    private final boolean first;
    private final byte[] bytes;
    private final byte[] zipped;

    /**
     * A file.
     *
     * @param name its name on the server
     * @param first whether the page needs it at once
     */
    Asset(String name, boolean first, byte[] bytes) {
      this.name = name;
      this.first = first;
      this.bytes = bytes.clone();
      this.zipped = zip(bytes);
    }

    String name() {
      return name;
    }

    byte[] bytes(boolean compressed) {
      return (compressed ? zipped : bytes).clone();
    }

    /** A digest of the previous digest and this file. */
    byte[] digestAfter(byte[] before) {
      return Assets.sha256(before, name.getBytes(StandardCharsets.UTF_8), bytes);
    }

    String type() {
      return switch (name.substring(name.lastIndexOf('.') + 1)) {
        case "js" -> "text/javascript; charset=utf-8";
        case "css" -> "text/css; charset=utf-8";
        case "png" -> "image/png";
        case "svg" -> "image/svg+xml";
        case "woff2" -> "font/woff2";
        case "webmanifest" -> "application/manifest+json";
        default -> throw new IllegalStateException("'" + name + "' has no known media type");
      };
    }

    boolean isFirst() {
      return first;
    }

    boolean isFirstModule() {
      return first && name.endsWith(".js");
    }

    boolean isFirstStyle() {
      return first && name.endsWith(".css");
    }

    private static byte[] zip(byte[] bytes) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (GZIPOutputStream zip = new BestZip(out)) {
        zip.write(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return out.toByteArray();
    }

    /** Slower and smaller; it runs once. */
    private static final class BestZip extends GZIPOutputStream {
      BestZip(ByteArrayOutputStream out) throws IOException {
        super(out);
        def.setLevel(Deflater.BEST_COMPRESSION);
      }
    }
  }
}
