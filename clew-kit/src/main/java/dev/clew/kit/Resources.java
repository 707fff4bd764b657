package dev.clew.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads the resources of a jar. Stateless. */
public final class Resources {
  private Resources() {}

  /**
   * The text of a resource.
   *
   * @param beside a class in the package of the resource
   */
  public static String text(Class<?> beside, String file) {
    return new String(bytes(beside, file), StandardCharsets.UTF_8);
  }

  /** The bytes of a resource. */
  public static byte[] bytes(Class<?> beside, String file) {
    try (InputStream in = beside.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + file + " is missing from the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
