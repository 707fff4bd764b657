package dev.clew.agent;

import dev.clew.Item;
import java.util.List;

/** An agent that is called like a tool. Immutable. */
final class AgentTool implements Tool {
  /** What the model fills in. */
  record Task(String input) {}

  private final Agent agent;
  private final ToolSpec spec;

  AgentTool(Agent agent, String name, String description) {
    this.agent = agent;
    String schema = Schemas.schema(Task.class).toString();
    this.spec = new ToolSpec(ToolSpec.requireName(name), description, schema, true);
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public Object call(ToolCall call) throws Exception {
    Task task = (Task) Schemas.value(Schemas.tree(call.arguments()), Task.class);
    RunResult result = call.context().runApart(agent, List.of(Item.user(task.input())));
    if (!result.interruptions().isEmpty()) {
      throw new IllegalStateException(
          "agent '"
              + agent.name()
              + "' wants to call '"
              + result.interruptions().get(0).toolName()
              + "', which needs approval, and that cannot be asked for inside of a tool");
    }
    return result.finalOutput();
  }
}
