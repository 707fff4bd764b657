package dev.clew.server.internal.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** One file of the page, as it is and compressed. Immutable. */
final class Asset {
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
      default -> throw new IllegalStateException("nobody has said what type '" + name + "' is of");
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
