package dev.clew.agent;

import dev.clew.View;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What happens after tools were called: is the model asked again, or is their output the answer?
 * Implementations are stateless.
 */
@FunctionalInterface
public interface ToolUse {

  /**
   * A tool call and its output.
   *
   * @param call what the model asked for
   * @param output what the tool answered
   */
  record Done(View.FunctionCall call, String output) {}

  /** The final answer; empty to ask the model again. */
  Optional<String> finalOutput(List<Done> calls);

  /** The model is asked again; the default. */
  static ToolUse runAgain() {
    return calls -> Optional.empty();
  }

  /** The output of the first tool is the answer. */
  static ToolUse stopOnFirst() {
    return calls -> calls.stream().findFirst().map(Done::output);
  }

  /** The output of one of these tools is the answer. */
  static ToolUse stopAt(String... names) {
    Set<String> stops = Set.of(names);
    return calls ->
        calls.stream()
            .filter(done -> stops.contains(done.call().name()))
            .findFirst()
            .map(Done::output);
  }
}
