package dev.clew.server.internal.page;

import dev.clew.kit.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * All files of the page, in memory. Thread-safe.
 *
 * <p>They are those that {@code web/files.txt} names and no others, so a request can only choose
 * from that table: no path of a request ever becomes the name of a file. They are served below a
 * digest of them all, so a browser may keep them for ever and still gets what changes.
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

  /** The files of this version. */
  static Assets load() {
    Map<String, Asset> files = new LinkedHashMap<>();
    for (String line : text(FOLDER + "files.txt").lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.strip().split("\\s+", 4);
      String name = words[1];
      byte[] bytes = words.length == 2 ? bytes(FOLDER + name) : bytes(LIBRARIES + words[2]);
      if (words.length == 4) { // what turns a script into a module
        ByteArrayOutputStream module = new ByteArrayOutputStream();
        module.writeBytes(bytes);
        module.writeBytes(("\n" + words[3] + "\n").getBytes(StandardCharsets.UTF_8));
        bytes = module.toByteArray();
      }
      files.put(name, new Asset(name, words[0].equals("first"), bytes));
    }
    return new Assets(files);
  }

  /** The file of this name. */
  Optional<Asset> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  Collection<Asset> all() {
    return byName.values();
  }

  /** Stands for the content of all. */
  String digest() {
    return digest;
  }

  /** Where a file is served. */
  String path(String name) {
    return "/assets/" + digest + "/" + name;
  }

  /** A resource of the page that is no file of it, such as a template. */
  static String text(String resource) {
    return new String(bytes(resource), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String resource) {
    try (InputStream in = Assets.class.getResourceAsStream(resource)) {
      return Objects.requireNonNull(in, resource).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  /** One file of the page, as it is and compressed. Immutable. */
  static final class Asset {
    private final String name;
    private final boolean first;
    private final byte[] bytes;
    private final byte[] zipped;

    /**
     * A file.
     *
     * @param name the name at which it is served
     * @param first whether the page needs it at once
     * @param bytes its content
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

    /** The content, compressed or not. */
    byte[] bytes(boolean compressed) {
      return (compressed ? zipped : bytes).clone();
    }

    /** A digest of what was before, and of this file. */
    byte[] digestAfter(byte[] before) {
      return Assets.sha256(before, name.getBytes(StandardCharsets.UTF_8), bytes);
    }

    String type() {
      return switch (name.substring(name.lastIndexOf('.') + 1)) {
        case "js" -> "text/javascript; charset=utf-8";
        case "css" -> "text/css; charset=utf-8";
        case "svg" -> "image/svg+xml";
        case "webmanifest" -> "application/manifest+json";
        default ->
            throw new IllegalStateException("nobody has said what type '" + name + "' is of");
      };
    }

    /** Whether it is a module that the page needs at once. */
    boolean isFirstModule() {
      return first && name.endsWith(".js");
    }

    /** Whether it is a style sheet that the page needs at once. */
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

    /** Slower and smaller: it is done once. */
    private static final class BestZip extends GZIPOutputStream {
      BestZip(ByteArrayOutputStream out) throws IOException {
        super(out);
        def.setLevel(Deflater.BEST_COMPRESSION);
      }
    }
  }
}
