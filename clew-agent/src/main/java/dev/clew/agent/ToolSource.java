package dev.clew.agent;

import java.util.List;

/**
 * Tools that may change between runs, such as those of a server. Implementations are thread-safe.
 */
@FunctionalInterface
public interface ToolSource {
  /**
   * The tools there are now. A run asks once for each agent and keeps them until it ends, so that
   * what the model was shown is what it calls.
   */
  List<Tool> tools();
}
