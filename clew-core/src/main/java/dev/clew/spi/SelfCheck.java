package dev.clew.spi;

import dev.clew.Finding;
import java.util.function.Consumer;

/**
 * A backend with checks of its own, beyond damaged entries and unpaired tool calls. Thread-safe.
 */
public interface SelfCheck {
  /** As {@link dev.clew.SessionStore#check}. */
  void check(Consumer<Finding> findings);
}
