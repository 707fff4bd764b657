package dev.clew.agent;

import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.View;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tool calls of one answer and their outputs. Used once, by one thread. */
final class ToolStep {
  /** The note of an output that says how its call ended, and its values. */
  private static final String OUTCOME = "outcome";

  private static final String DONE = "done";
  private static final String FAILED = "failed";
  private static final String DENIED = "denied";
  private static final String NOT_RUN = "not_run";

  private final Agent agent;
  private final List<Tool> tools;
  private final RunContext context;
  private final List<View.FunctionCall> calls = new ArrayList<>();
  private final List<Calls.Planned> planned = new ArrayList<>();
  private final Map<String, ToolOutput> outputs = new LinkedHashMap<>();
  private final Map<String, Map<String, Object>> notes = new LinkedHashMap<>();
  private final List<Item> waiting = new ArrayList<>();
  private List<ToolUse.Done> called = List.of();
  private @Nullable Agent handedTo;

  private ToolStep(Agent agent, List<Tool> tools, RunContext context) {
    this.agent = agent;
    this.tools = tools;
    this.context = context;
  }

  static ToolStep plan(RunState state, Agent agent, List<Tool> tools, RunContext context) {
    ToolStep step = new ToolStep(agent, tools, context);
    for (Item item : state.pending) {
      step.plan(item, state);
    }
    if (step.handedTo != null) {
      // The agent that takes over does not have these tools.
      step.waiting.forEach(
          item ->
              step.settle(
                  RunState.call(item), NOT_RUN, "Not done: the conversation was handed over."));
      step.waiting.clear();
    }
    return step;
  }

  /** The outputs of calls that are not to be done any more. */
  static List<Draft> ended(RunState state, String message) {
    List<Draft> outputs = new ArrayList<>();
    for (Item item : state.pending) {
      View.FunctionCall call = RunState.call(item);
      Optional<String> denied =
          state.decision(call).filter(each -> !each.approved()).map(RunState.Decision::message);
      outputs.add(
          new Draft(
              ToolOutput.of(denied.orElse(message), false).item(call.callId()),
              Map.of(OUTCOME, denied.isPresent() ? DENIED : NOT_RUN)));
    }
    return outputs;
  }

  private void plan(Item item, RunState state) {
    View.FunctionCall call = RunState.call(item);
    calls.add(call);
    Optional<Agent> target = handoff(call.name());
    Optional<Tool> tool =
        tools.stream().filter(each -> each.name().equals(call.name())).findFirst();
    if (target.isPresent()) {
      handOver(call, target.get());
    } else if (tool.isEmpty()) {
      settle(call, FAILED, "Error: there is no tool '" + call.name() + "'.");
    } else {
      Optional<RunState.Decision> decision = state.decision(call);
      if (decision.isPresent() && !decision.get().approved()) {
        settle(call, DENIED, decision.get().message());
      } else {
        planOrWait(item, call, tool.get(), decision.isPresent());
      }
    }
  }

  private void planOrWait(Item item, View.FunctionCall call, Tool tool, boolean approved) {
    boolean wait;
    try {
      wait = !approved && needsApproval(tool, call);
    } catch (RuntimeException e) {
      settle(call, FAILED, Calls.failure(call.name(), e)); // never called on a guess
      return;
    }
    if (wait) {
      waiting.add(item);
    } else {
      planned.add(new Calls.Planned(call, tool));
    }
  }

  private Optional<Agent> handoff(String tool) {
    return agent.handoffs().stream().filter(a -> a.handoffName().equals(tool)).findFirst();
  }

  private void handOver(View.FunctionCall call, Agent target) {
    if (handedTo == null) {
      handedTo = target;
      settle(call, DONE, Json.write(Map.of("assistant", target.name())));
    } else {
      settle(call, NOT_RUN, "Not done: another handoff came first.");
    }
  }

  /** Gives a call its output without calling a tool. */
  private void settle(View.FunctionCall call, String outcome, String output) {
    outputs.put(call.callId(), ToolOutput.of(output, false));
    notes.put(call.callId(), Map.of(OUTCOME, outcome));
  }

  private boolean needsApproval(Tool tool, View.FunctionCall call) {
    return tool.needsApproval(new ToolCall(call.callId(), call.arguments(), context));
  }

  /** Calls the tools; the outputs there are, in the order of the calls. */
  List<Draft> run(Consumer<RunEvent> events, Cancellation cancellation) {
    List<Calls.Done> done = Calls.run(planned, context, events, cancellation);
    called = done.stream().map(Calls.Done::use).toList();
    for (Calls.Done each : done) {
      String id = each.call().callId();
      outputs.put(id, each.output());
      String outcome = each.output().failed() ? FAILED : DONE;
      notes.put(id, Map.of(OUTCOME, outcome, "duration_ms", each.took().toMillis()));
    }
    List<Draft> items = new ArrayList<>();
    for (View.FunctionCall call : calls) {
      ToolOutput output = outputs.get(call.callId());
      if (output != null) {
        items.add(
            new Draft(output.item(call.callId()), notes.getOrDefault(call.callId(), Map.of())));
      }
    }
    return items;
  }

  /** Whether some calls have no output because the run was cancelled or interrupted. */
  boolean isCut() {
    return called.size() < planned.size();
  }

  /** The calls that wait for a decision. */
  List<Item> waiting() {
    return waiting;
  }

  /** The agent that takes over. */
  Optional<Agent> handedTo() {
    return Optional.ofNullable(handedTo);
  }

  /** The answer, if the output of a tool is it. */
  Optional<String> finalOutput() {
    return agent.toolUse().finalOutput(called);
  }
}
