package dev.clew.imports;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** The conversations of a source, one after another. Not thread-safe. */
public interface ConversationReader extends Closeable {
  /**
   * The next one, or nothing at the end.
   *
   * @throws BadSource naming the place of what is not as the format says
   */
  Optional<Conversation> next() throws IOException;

  /** How much of {@link #size()} was read. */
  long read();

  /** How much there is to read. */
  long size();

  /** What is counted: {@code bytes}, or {@code sessions}. */
  default String units() {
    return "sessions";
  }
}
