package dev.clew.agent;

import java.time.Duration;
import java.util.function.Predicate;

/** A tool with other options. Thread-safe if the tool is. */
record ToolOptions(Tool tool, Predicate<ToolCall> approval, Duration timeout) implements Tool {
  @Override
  public ToolSpec spec() {
    return tool.spec();
  }

  @Override
  public Object call(ToolCall call) throws Exception {
    return tool.call(call);
  }

  @Override
  public boolean needsApproval(ToolCall call) {
    return approval.test(call);
  }
}
