package dev.clew;

import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the tool calls of a history that lack their output, and outputs that lack their call. Not
 * thread-safe: make one for each history and feed it the items in order.
 */
public final class ToolCallPairing {
  private static final String OUTPUT = "_output";

  /** Calls that the caller answers. Tools that run at the provider have no output item. */
  private static final Set<String> CALLS =
      Set.of(
          "function_call",
          "custom_tool_call",
          "computer_call",
          "local_shell_call",
          "shell_call",
          "apply_patch_call");

  /**
   * An item without its counterpart. Immutable.
   *
   * @param position where it stands
   * @param type its type
   * @param callId what its counterpart would carry too
   */
  public record Unpaired(long position, String type, String callId) {
    /** Whether it is an output without a call, not a call without an output. */
    public boolean isOutput() {
      return type.endsWith(OUTPUT);
    }

    /** What is missing, without content, for a report. */
    public String describe() {
      return isOutput()
          ? type + " without the call before it; it is left out of a model's input"
          : type + " without an output after it; it is left out of a model's input";
    }
  }

  /**
   * One side of a pair: equal for a call and its output but for {@code output}. Immutable.
   *
   * @param call the type of the call
   * @param callId what call and output have in common
   * @param output whether this is the output
   */
  public record Side(String call, String callId, boolean output) {
    /** The call of this output, or the output of this call. */
    public Side other() {
      return new Side(call, callId, !output);
    }
  }

  private final Map<Side, Unpaired> open = new HashMap<>();
  private final List<Unpaired> lone = new ArrayList<>();

  /** Which side of a pair an item is, if it is one. */
  public static Optional<Side> side(Item item) {
    String type = item.type();
    boolean output = type.endsWith(OUTPUT);
    String call = output ? type.substring(0, type.length() - OUTPUT.length()) : type;
    if (!CALLS.contains(call)) {
      return Optional.empty();
    }
    Map<String, String> fields = Json.fields(item.json());
    String callId = Json.string(fields.get("call_id"));
    if (callId == null && type.equals("local_shell_call_output")) {
      callId = Json.string(fields.get("id")); // the one output that names its call by its own id
    }
    return Optional.ofNullable(callId).map(id -> new Side(call, id, output));
  }

  /** Takes the next item of the history. */
  public void add(long position, Item item) {
    side(item).ifPresent(side -> add(side, new Unpaired(position, item.type(), side.callId())));
  }

  private void add(Side side, Unpaired self) {
    if (side.output()) {
      if (open.remove(side.other()) == null) {
        lone.add(self);
      }
      return;
    }
    Unpaired before = open.put(side, self);
    if (before != null) {
      lone.add(before); // the id was used again before it was answered
    }
  }

  /** Everything that has no counterpart among the items so far, in the order of the history. */
  public List<Unpaired> unpaired() {
    List<Unpaired> all = new ArrayList<>(lone);
    all.addAll(open.values());
    all.sort(Comparator.comparingLong(Unpaired::position));
    return all;
  }
}
