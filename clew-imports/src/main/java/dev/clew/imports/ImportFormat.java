package dev.clew.imports;

import java.io.IOException;

/**
 * How one program keeps its conversations; found through {@link java.util.ServiceLoader}.
 * Thread-safe.
 */
public interface ImportFormat {
  /** Its name on the command line, such as {@code chatgpt}. */
  String name();

  /** Whether the source looks like one of this format; it is opened for a short look. */
  boolean recognises(String source);

  /**
   * Opens a source, which is only read.
   *
   * @param losses receives what cannot be imported
   * @throws BadSource if it is not such a source
   */
  ConversationReader open(String source, Losses losses) throws IOException;
}
