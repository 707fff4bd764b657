package dev.clew.adapter;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once about each kind of value that a codec can only keep as text. Thread-safe. */
public final class KeptAsText {
  private static final Logger LOG = LoggerFactory.getLogger(KeptAsText.class);
  private static final int MAX_NAMES = 1000;

  private final String framework;
  private final Set<String> named = ConcurrentHashMap.newKeySet();

  /** For the codec of this framework. */
  public KeptAsText(String framework) {
    this.framework = framework;
  }

  /** The text that is kept for a value which is no JSON. */
  public String text(String name, Object value) {
    if (named.size() < MAX_NAMES && named.add(name)) {
      LOG.warn(
          "'{}' of a message of {} is of type {}, which is not a JSON value; it is kept as text",
          name,
          framework,
          value.getClass().getName());
    }
    return text(value);
  }

  /** Its own text, unless it contains itself in a way that has none. */
  private static String text(Object value) {
    try {
      return String.valueOf(value);
    } catch (StackOverflowError e) {
      return value.getClass().getName();
    }
  }
}
