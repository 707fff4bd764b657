package dev.clew.internal;

import dev.clew.Item;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tool calls of a history that lack their output, and outputs that lack their call. Not
 * thread-safe: make one for each history and feed it the items in order.
 */
public final class Pairing {
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

  private record Call(String type, String callId) {}

  private final Map<Call, Unpaired> open = new HashMap<>();
  private final List<Unpaired> lone = new ArrayList<>();

  /** Takes the next item of the history. */
  public void add(long position, Item item) {
    String type = item.type();
    boolean output = type.endsWith(OUTPUT);
    String call = output ? type.substring(0, type.length() - OUTPUT.length()) : type;
    String callId = CALLS.contains(call) ? callId(item) : null;
    if (callId == null) {
      return;
    }
    Unpaired self = new Unpaired(position, type, callId);
    Call key = new Call(call, callId);
    Unpaired before = output ? open.remove(key) : open.put(key, self);
    if (output && before == null) {
      lone.add(self);
    } else if (!output && before != null) {
      lone.add(before); // the id was used again before it was answered
    }
  }

  private static @Nullable String callId(Item item) {
    Map<String, String> fields = Json.fields(item.json());
    String callId = Json.string(fields.get("call_id"));
    // The one output that names its call by its own id.
    return callId == null && item.type().equals("local_shell_call_output")
        ? Json.string(fields.get("id"))
        : callId;
  }

  /** Everything that has no counterpart among the items so far, in the order of the history. */
  public List<Unpaired> unpaired() {
    List<Unpaired> all = new ArrayList<>(lone);
    all.addAll(open.values());
    all.sort(Comparator.comparingLong(Unpaired::position));
    return all;
  }
}
