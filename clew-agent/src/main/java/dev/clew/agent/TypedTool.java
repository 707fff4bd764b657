package dev.clew.agent;

import java.lang.reflect.Type;

/** A tool over a record. Thread-safe if its body is. */
final class TypedTool<A> implements Tool {
  private final ToolSpec spec;
  private final Type arguments;
  private final BodyInRun<A> body;

  TypedTool(String name, String description, Type arguments, BodyInRun<A> body) {
    this.spec = new ToolSpec(name, description, Schemas.schema(arguments).toString(), true);
    this.arguments = arguments;
    this.body = body;
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  @SuppressWarnings("unchecked") // it was read as a value of this type
  public Object call(ToolCall call) throws Exception {
    A value = (A) Schemas.value(Schemas.tree(call.arguments()), arguments);
    return body.call(value, call.context());
  }
}
