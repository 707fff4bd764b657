package dev.clew.agent;

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
  private final Agent agent;
  private final List<Tool> tools;
  private final RunContext context;
  private final List<View.FunctionCall> calls = new ArrayList<>();
  private final List<Calls.Planned> planned = new ArrayList<>();
  private final Map<String, ToolOutput> outputs = new LinkedHashMap<>();
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
          item -> step.put(RunState.call(item), "Not done: the conversation was handed over."));
      step.waiting.clear();
    }
    return step;
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
      put(call, "Error: there is no tool '" + call.name() + "'.");
    } else {
      Optional<RunState.Decision> decision = state.decision(call);
      if (decision.isPresent() && !decision.get().approved()) {
        put(call, decision.get().message());
      } else {
        planOrWait(item, call, tool.get(), decision.isPresent());
      }
    }
  }

  private void put(View.FunctionCall call, String text) {
    outputs.put(call.callId(), ToolOutput.of(text, false));
  }

  private void planOrWait(Item item, View.FunctionCall call, Tool tool, boolean approved) {
    boolean wait;
    try {
      wait = !approved && needsApproval(tool, call);
    } catch (RuntimeException e) {
      put(call, Calls.failure(call.name(), e)); // never called on a guess
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
      put(call, Json.write(Map.of("assistant", target.name())));
    } else {
      put(call, "Not done: another handoff came first.");
    }
  }

  private boolean needsApproval(Tool tool, View.FunctionCall call) {
    return tool.needsApproval(new ToolCall(call.callId(), call.arguments(), context));
  }

  /** Calls the tools; the outputs there are, in the order of the calls. */
  List<Item> run(Consumer<RunEvent> events, Cancellation cancellation) {
    List<Calls.Done> done = Calls.run(planned, context, events, cancellation);
    done.forEach(each -> outputs.put(each.call().callId(), each.output()));
    called = done.stream().map(Calls.Done::use).toList();
    List<Item> items = new ArrayList<>();
    for (View.FunctionCall call : calls) {
      ToolOutput output = outputs.get(call.callId());
      if (output != null) {
        items.add(output.item(call.callId()));
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
