package dev.clew.spi;

import dev.clew.Finding;
import java.util.function.Consumer;

/** A backend that finds more than unpaired tool calls when it is checked. */
public interface SelfCheck {
  /** As {@link dev.clew.SessionStore#check}. */
  void check(Consumer<Finding> findings);
}
