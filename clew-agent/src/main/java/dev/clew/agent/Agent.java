package dev.clew.agent;

import dev.clew.Item;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A model with a task: instructions, tools, and others it may hand over to. Immutable.
 *
 * <pre>{@code
 * Agent agent = Agent.builder().name("TourGuide")
 *     .instructions("Answer with compact travel facts.").build();
 * }</pre>
 */
public final class Agent {
  private final String name;
  private final String description;
  private final Function<RunContext, String> instructions;
  private final String model;
  private final ModelSettings settings;
  private final List<Tool> tools;
  private final List<ToolSource> sources;
  private final List<Agent> handoffs;
  private final ToolUse toolUse;
  private final List<Guardrail> inputGuardrails;
  private final List<Guardrail> outputGuardrails;
  private final @Nullable Class<?> outputType;

  private Agent(Builder builder) {
    name = requireName(builder.name);
    description = builder.description;
    instructions = builder.instructions;
    model = builder.model;
    settings = builder.settings;
    tools = List.copyOf(builder.tools);
    sources = List.copyOf(builder.sources);
    handoffs = List.copyOf(builder.handoffs);
    toolUse = builder.toolUse;
    inputGuardrails = List.copyOf(builder.inputGuardrails);
    outputGuardrails = List.copyOf(builder.outputGuardrails);
    outputType = builder.outputType;
    requireNames(tools);
  }

  private void requireNames(List<Tool> all) {
    Set<String> names = new HashSet<>();
    all.forEach(tool -> requireNew(names, tool.name()));
    handoffs.forEach(agent -> requireNew(names, agent.handoffName()));
  }

  private Agent(Agent other, ToolSource more) {
    name = other.name;
    description = other.description;
    instructions = other.instructions;
    model = other.model;
    settings = other.settings;
    tools = other.tools;
    List<ToolSource> all = new ArrayList<>(other.sources);
    all.add(more);
    sources = List.copyOf(all);
    handoffs = other.handoffs;
    toolUse = other.toolUse;
    inputGuardrails = other.inputGuardrails;
    outputGuardrails = other.outputGuardrails;
    outputType = other.outputType;
  }

  /** The same agent with more tools. */
  public Agent withTools(ToolSource source) {
    return new Agent(this, source);
  }

  private static String requireName(@Nullable String name) {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException(
          "an agent needs a name; give it one with name(\"Assistant\")");
    }
    return name;
  }

  private void requireNew(Set<String> names, String tool) {
    if (!names.add(ToolSpec.requireName(tool))) {
      throw new IllegalArgumentException(
          "agent '" + name + "' has two tools named '" + tool + "'; rename one");
    }
  }

  /** A new agent. */
  public static Builder builder() {
    return new Builder();
  }

  /** What it is called, in events and for others who hand over to it. */
  public String name() {
    return name;
  }

  /** When to hand over to it, for the agents that may. */
  public String description() {
    return description;
  }

  String instructions(RunContext context) {
    return instructions.apply(context);
  }

  /** The name of its model; empty for the default. */
  public String model() {
    return model;
  }

  /** Settings of the model. */
  public ModelSettings settings() {
    return settings;
  }

  /** What it may call, without what its sources have. */
  public List<Tool> tools() {
    return tools;
  }

  /**
   * What it may call now.
   *
   * @throws IllegalArgumentException if a source has a tool of a name that another one has
   */
  List<Tool> toolsNow() {
    if (sources.isEmpty()) {
      return tools;
    }
    List<Tool> all = new ArrayList<>(tools);
    sourced().forEach(all::addAll);
    requireNames(all);
    return all;
  }

  /** What the sources have, asked side by side: each may wait for a server that hangs. */
  private List<List<Tool>> sourced() {
    if (sources.size() == 1) {
      return List.of(sources.get(0).tools());
    }
    List<Future<List<Tool>>> asked =
        sources.stream().map(source -> Workers.SHARED.submit(source::tools)).toList();
    List<List<Tool>> found = new ArrayList<>();
    try {
      for (Future<List<Tool>> each : asked) {
        found.add(each.get());
      }
      return found;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("the tools of a source cannot be listed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the run ends
      return List.of();
    } finally {
      asked.forEach(each -> each.cancel(true));
    }
  }

  /** Whom it may hand over to. */
  public List<Agent> handoffs() {
    return handoffs;
  }

  /** The agent of that name: this one, or one that can be handed over to from here. */
  Optional<Agent> find(String wanted) {
    Deque<Agent> open = new ArrayDeque<>(List.of(this));
    Set<Agent> seen = new HashSet<>();
    while (!open.isEmpty()) {
      Agent agent = open.poll();
      if (agent.name.equals(wanted)) {
        return Optional.of(agent);
      }
      if (seen.add(agent)) {
        open.addAll(agent.handoffs);
      }
    }
    return Optional.empty();
  }

  ToolUse toolUse() {
    return toolUse;
  }

  List<Guardrail> inputGuardrails() {
    return inputGuardrails;
  }

  List<Guardrail> outputGuardrails() {
    return outputGuardrails;
  }

  /** What its final answer is, if it is not text. */
  public Optional<Class<?>> outputType() {
    return Optional.ofNullable(outputType);
  }

  /** The name of the tool by which others hand over to it. */
  String handoffName() {
    return "transfer_to_"
        + name.replaceAll("[^A-Za-z0-9_-]+", "_").toLowerCase(java.util.Locale.ROOT);
  }

  /**
   * A tool that runs this agent on a text and answers with its final output. It has no part in the
   * session of the one that calls it: there only the call and the answer are stored.
   */
  public Tool asTool(String toolName, String toolDescription) {
    return Tool.inRun(toolName, toolDescription, Task.class, this::answer);
  }

  /** What the model fills in to call an agent. */
  private record Task(String input) {}

  private String answer(Task task, RunContext context) {
    RunResult result = context.runApart(this, List.of(Item.user(task.input())));
    if (!result.interruptions().isEmpty()) {
      throw new IllegalStateException(
          String.format(
              "agent '%s' wants to call '%s', which needs approval, and that cannot be asked "
                  + "for inside of a tool",
              name, result.interruptions().get(0).toolName()));
    }
    return result.finalOutput();
  }

  @Override
  public String toString() {
    return "agent '" + name + "'";
  }

  /** Builds an {@link Agent}. Not thread-safe. */
  public static final class Builder {
    private @Nullable String name;
    private String description = "";
    private Function<RunContext, String> instructions = context -> "";
    private String model = "";
    private ModelSettings settings = ModelSettings.DEFAULT;
    private final List<Tool> tools = new ArrayList<>();
    private final List<ToolSource> sources = new ArrayList<>();
    private final List<Agent> handoffs = new ArrayList<>();
    private ToolUse toolUse = ToolUse.runAgain();
    private final List<Guardrail> inputGuardrails = new ArrayList<>();
    private final List<Guardrail> outputGuardrails = new ArrayList<>();
    private @Nullable Class<?> outputType;

    private Builder() {}

    /** What it is called; needed. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /** When other agents should hand over to it. */
    public Builder description(String value) {
      description = value;
      return this;
    }

    /** The instructions for the model. */
    public Builder instructions(String value) {
      return instructions(context -> value);
    }

    /** The instructions for the model, computed for each request. */
    public Builder instructions(Function<RunContext, String> value) {
      instructions = value;
      return this;
    }

    /** The name of the model; by default the provider's default model. */
    public Builder model(String value) {
      model = value;
      return this;
    }

    /** Settings of the model. */
    public Builder settings(ModelSettings value) {
      settings = value;
      return this;
    }

    /** Adds tools. */
    public Builder tools(Tool... more) {
      return tools(List.of(more));
    }

    /** Adds tools. */
    public Builder tools(List<Tool> more) {
      tools.addAll(more);
      return this;
    }

    /** Adds tools that may change between runs. */
    public Builder tools(ToolSource source) {
      sources.add(source);
      return this;
    }

    /** Adds agents it may hand over to. */
    public Builder handoffs(Agent... more) {
      handoffs.addAll(List.of(more));
      return this;
    }

    /** What happens after tools were called. */
    public Builder toolUse(ToolUse value) {
      toolUse = value;
      return this;
    }

    /** Adds a check of what the user says. */
    public Builder inputGuardrail(Guardrail guardrail) {
      inputGuardrails.add(guardrail);
      return this;
    }

    /** Adds a check of the final answer. */
    public Builder outputGuardrail(Guardrail guardrail) {
      outputGuardrails.add(guardrail);
      return this;
    }

    /** The final answer is a value of this type, usually a record. */
    public Builder outputType(Class<?> type) {
      outputType = type;
      return this;
    }

    /**
     * The agent.
     *
     * @throws IllegalArgumentException if it has no name, two tools of one name, or a tool whose
     *     name providers refuse
     */
    public Agent build() {
      return new Agent(this);
    }
  }
}
