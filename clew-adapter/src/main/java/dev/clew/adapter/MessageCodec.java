package dev.clew.adapter;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Converts the messages of one framework to items and back. Thread-safe.
 *
 * <p>It need not be lossless: before a message is written, its encoded form is decoded again, and
 * if that does not give the same {@linkplain #write text}, the text is kept as well and used for
 * reading.
 *
 * @param <M> the framework's type of messages; {@code equals} is never asked
 */
public interface MessageCodec<M> {

  /** A short name such as {@code springai}: of the note beside the items, and of own item types. */
  String framework();

  /** The message as items, and what they do not say. */
  Encoded encode(M message);

  /**
   * The message that these items say. The items may have been written by another program, and then
   * there is no rest. Empty if there is nothing to show.
   *
   * @throws RuntimeException if the rest cannot be read, which a newer version may have written;
   *     the message is then decoded without it
   */
  Optional<M> decode(Encoded encoded, ToolNames tools);

  /** The whole message as JSON text; equal texts mean equal messages. */
  String write(M message);

  /**
   * The message that {@link #write} wrote.
   *
   * @throws RuntimeException if it cannot be read
   */
  M read(String json);

  /** Whether this is a system message. */
  boolean isSystem(M message);

  /** The message without these tool calls, or their results; empty if nothing is left. */
  Optional<M> without(M message, Set<String> callIds);

  /** What the framework knows a message by, even if it changes; empty if it has no such thing. */
  default Optional<String> id(M message) {
    return Optional.empty();
  }

  /** Whether the results of several tools are one message. */
  default boolean joinsResults() {
    return false;
  }

  /** A rest from the notes of another program, such as an importer. */
  default Optional<String> foreignRest(Map<String, Object> notes) {
    return Optional.empty();
  }
}
