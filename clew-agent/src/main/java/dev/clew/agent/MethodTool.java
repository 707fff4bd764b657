package dev.clew.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A tool that is a method of an object. Thread-safe if the method is. */
final class MethodTool implements Tool {
  private final Object object;
  private final Method method;
  private final ToolMethod annotation;
  private final ToolSpec spec;

  private MethodTool(Object object, Method method, ToolMethod annotation) {
    this.object = object;
    this.method = method;
    this.annotation = annotation;
    String name = annotation.name().isEmpty() ? method.getName() : annotation.name();
    String schema = schema(method).toString();
    this.spec = new ToolSpec(ToolSpec.requireName(name), annotation.value(), schema, true);
  }

  static List<Tool> all(Object object) {
    List<Tool> tools = new ArrayList<>();
    for (Method method : object.getClass().getMethods()) {
      ToolMethod annotation = method.getAnnotation(ToolMethod.class);
      if (annotation != null && !method.isBridge()) {
        method.setAccessible(true); // a public method of a class that is not public
        tools.add(new MethodTool(object, method, annotation));
      }
    }
    if (tools.isEmpty()) {
      throw new IllegalArgumentException(
          object.getClass().getName() + " has no public method with @ToolMethod");
    }
    tools.sort(Comparator.comparing(Tool::name)); // reflection has no order of its own
    return List.copyOf(tools);
  }

  private static ObjectNode schema(Method method) {
    ObjectNode properties = Schemas.object();
    ObjectNode schema = Schemas.object().put("type", "object");
    schema.set("properties", properties);
    var required = schema.putArray("required");
    for (Parameter parameter : method.getParameters()) {
      if (parameter.getType() == RunContext.class) {
        continue;
      }
      if (!parameter.isNamePresent()) {
        throw new IllegalArgumentException(
            method + " was compiled without the names of its parameters; use javac -parameters");
      }
      ObjectNode property = Schemas.schema(parameter.getParameterizedType());
      ToolMethod.Param about = parameter.getAnnotation(ToolMethod.Param.class);
      if (about != null) {
        property.put("description", about.value());
      }
      if (isNullable(parameter) && property.path("type").isTextual()) {
        String type = property.get("type").asText();
        property.putArray("type").add(type).add("null");
      }
      properties.set(parameter.getName(), property);
      required.add(parameter.getName());
    }
    return schema.put("additionalProperties", false);
  }

  private static boolean isNullable(Parameter parameter) {
    return parameter.getType() == Optional.class
        || Schemas.saysNullable(parameter)
        || Schemas.saysNullable(parameter.getAnnotatedType());
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public boolean needsApproval(ToolCall call) {
    return annotation.needsApproval();
  }

  @Override
  public Object call(ToolCall call) throws Exception {
    JsonNode json = Schemas.tree(call.arguments());
    Parameter[] parameters = method.getParameters();
    @Nullable Object[] values = new Object[parameters.length];
    List<String> known = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      Parameter parameter = parameters[i];
      if (parameter.getType() == RunContext.class) {
        values[i] = call.context();
      } else {
        known.add(parameter.getName());
        values[i] = argument(json.get(parameter.getName()), parameter);
      }
    }
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw new Schemas.Mismatch("there is no argument '" + name + "'");
      }
    }
    try {
      Object result = method.invoke(object, values);
      return result == null ? "" : result;
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static @Nullable Object argument(@Nullable JsonNode json, Parameter parameter)
      throws Schemas.Mismatch {
    if (json == null || json.isNull()) {
      if (!isNullable(parameter)) {
        throw new Schemas.Mismatch("'" + parameter.getName() + "' is missing");
      }
      return parameter.getType() == Optional.class ? Optional.empty() : null;
    }
    try {
      return Schemas.value(json, parameter.getParameterizedType());
    } catch (Schemas.Mismatch e) {
      throw new Schemas.Mismatch("'" + parameter.getName() + "': " + e.getMessage());
    }
  }
}
