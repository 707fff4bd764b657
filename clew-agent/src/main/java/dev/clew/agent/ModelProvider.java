package dev.clew.agent;

import java.util.Map;

/**
 * Opens models of one kind by their names, such as {@code openai:gpt-5.4}; found through {@link
 * java.util.ServiceLoader}, so that a program loads the client of a provider only if it uses it.
 * Thread-safe.
 */
public interface ModelProvider {
  /** The part of the name before the first colon, such as {@code openai}. */
  String scheme();

  /**
   * Opens a model. Asks it nothing.
   *
   * @param name the part after the colon
   * @param environment where keys and addresses are looked up, usually {@link System#getenv()}
   * @throws dev.clew.ClewException.Unauthorized if the environment lacks a key that is needed
   */
  Model open(String name, Map<String, String> environment);
}
