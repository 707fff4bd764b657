package dev.clew.adapter;

import java.util.Optional;

/** Finds the name of a tool by the id of its call: results do not carry it. */
@FunctionalInterface
public interface ToolNames {
  /** Knows none. */
  ToolNames NONE = callId -> Optional.empty();

  /** The name of the tool that this call asked for. */
  Optional<String> of(String callId);
}
