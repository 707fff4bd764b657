package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Asks the model on behalf of a run, and passes on what comes meanwhile. Used by one run. */
final class Asking {
  private final Model model;
  private final RunConfig config;
  private final Consumer<RunEvent> events;
  private final boolean streamed;
  private final Cancellation cancellation;
  private final StringBuilder partialText = new StringBuilder();
  private List<Item> knownToProvider = List.of();

  Asking(
      Model model,
      RunConfig config,
      Consumer<RunEvent> events,
      boolean streamed,
      Cancellation cancellation) {
    this.model = model;
    this.config = config;
    this.events = events;
    this.streamed = streamed;
    this.cancellation = cancellation;
  }

  /** What the last response knows: what it was asked with, and what it answered. */
  List<Item> knownToProvider() {
    return knownToProvider;
  }

  /**
   * The answer to what the run has so far.
   *
   * @throws Cancellation.Cancelled if the run was cancelled; {@link #partialText} has what came, as
   *     it has after every other failure
   */
  ModelResponse ask(RunState state, Agent agent, List<Tool> tools, RunContext context) {
    partialText.setLength(0);
    List<Item> input;
    if (state.serverManaged) {
      input = List.copyOf(state.unsent);
    } else {
      input = new ArrayList<>(state.modelInput);
      input.addAll(state.newItems);
      input = McpItems.asFunctions(Summary.shown(input));
    }
    ModelRequest request =
        config.modelInputFilter.apply(
            new ModelRequest(
                agent.model().isEmpty() ? config.model : agent.model(),
                agent.instructions(context),
                input,
                specs(agent, tools),
                agent.outputType().map(Asking::schema),
                agent.settings().and(config.modelSettings),
                Optional.ofNullable(state.conversationId),
                state.serverManaged && state.conversationId == null
                    ? Optional.ofNullable(state.lastResponseId)
                    : Optional.empty()));
    events.accept(new RunEvent.ModelAsked(agent.name(), request.input().size()));
    try {
      cancellation.enter();
      ModelResponse response =
          streamed ? model.stream(request, this::forward) : model.respond(request);
      state.unsent.clear();
      knownToProvider = new ArrayList<>(request.input());
      knownToProvider.addAll(response.output());
      events.accept(
          new RunEvent.ModelAnswered(agent.name(), response.usage(), response.responseId()));
      return response;
    } catch (RuntimeException e) {
      if (!cancellation.isCancelled()) {
        throw e;
      }
      throw new Cancellation.Cancelled();
    } finally {
      cancellation.leave();
    }
  }

  private void forward(ModelEvent event) {
    cancellation.check();
    if (event instanceof ModelEvent.TextDelta delta) {
      partialText.append(delta.text());
      events.accept(new RunEvent.TextDelta(delta.text()));
    } else if (event instanceof ModelEvent.RefusalDelta delta) {
      partialText.append(delta.text());
      events.accept(new RunEvent.TextDelta(delta.text()));
    } else if (event instanceof ModelEvent.ReasoningDelta delta) {
      events.accept(new RunEvent.ReasoningDelta(delta.text()));
    } else if (event instanceof ModelEvent.ArgumentsDelta delta) {
      events.accept(new RunEvent.ArgumentsDelta(delta.callId(), delta.text()));
    }
  }

  /** The text that came before the answer was cut off, marked incomplete. */
  Optional<Item> partialText() {
    if (partialText.length() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        Item.stored(
            new JsonObject()
                .put("type", "message")
                .put("role", "assistant")
                .put("status", "incomplete")
                .array("content", List.of(Part.outputText(partialText.toString()).json()))
                .json()));
  }

  private static OutputSchema schema(Class<?> type) {
    return new OutputSchema(type.getSimpleName(), Schemas.schema(type).toString(), true);
  }

  private static List<ToolSpec> specs(Agent agent, List<Tool> tools) {
    List<ToolSpec> specs = new ArrayList<>();
    tools.forEach(tool -> specs.add(tool.spec()));
    for (Agent other : agent.handoffs()) {
      specs.add(
          new ToolSpec(
              other.handoffName(),
              "Hand over to " + other.name() + ". " + other.description(),
              "{\"type\":\"object\",\"properties\":{},\"required\":[],"
                  + "\"additionalProperties\":false}",
              true));
    }
    return specs;
  }
}
