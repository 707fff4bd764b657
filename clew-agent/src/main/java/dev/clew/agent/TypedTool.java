package dev.clew.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Type;

/** A tool over a record. Thread-safe if its body is. */
final class TypedTool<A> implements Tool {
  private final ToolSpec spec;
  private final Type arguments;
  private final BodyInRun<A> body;

  TypedTool(String name, String description, Type arguments, BodyInRun<A> body) {
    ObjectNode schema = Schemas.schema(arguments);
    this.spec = new ToolSpec(ToolSpec.requireName(name), description, schema.toString(), true);
    if (!schema.path("type").asText("object").equals("object")) {
      throw new IllegalArgumentException(
          String.format(
              "tool '%s' takes a %s, but providers want an object with named arguments: use "
                  + "a record, such as record Arguments(String city) {}",
              name, arguments.getTypeName()));
    }
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
