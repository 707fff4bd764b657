package dev.clew.agent;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Something a model may call. Implementations are thread-safe: several calls may run at once.
 *
 * <pre>{@code
 * record City(String name) {}
 *
 * Tool weather = Tool.of("get_weather", "The weather in a city", City.class,
 *     city -> "sunny in " + city.name());
 * }</pre>
 *
 * <p>What a call throws becomes an output that the model can read.
 */
public interface Tool {
  /** How long a call may take unless a tool says otherwise. */
  Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

  /** The tool as the model sees it. */
  ToolSpec spec();

  /**
   * What the tool answers: text is given to the model as it is, a {@link ToolOutput} as its parts,
   * anything else as JSON.
   *
   * @throws Exception whose message the model gets
   */
  Object call(ToolCall call) throws Exception;

  /** Whether a person has to agree before it is called. */
  default boolean needsApproval(ToolCall call) {
    return false;
  }

  /** How long a call may take. */
  default Duration timeout() {
    return DEFAULT_TIMEOUT;
  }

  /** What it is called. */
  default String name() {
    return spec().name();
  }

  /** What a tool does with its arguments. */
  @FunctionalInterface
  interface Body<A> {
    /** The answer: text, or something that is written as JSON. */
    Object call(A arguments) throws Exception;
  }

  /** What a tool does with its arguments and the run it is called in. */
  @FunctionalInterface
  interface BodyInRun<A> {
    /** The answer: text, or something that is written as JSON. */
    Object call(A arguments, RunContext context) throws Exception;
  }

  /**
   * A tool whose arguments are a Java record; its components become the schema.
   *
   * @throws IllegalArgumentException if providers would refuse the name, or the arguments because
   *     they are no object with named fields (a text, a number, a list)
   */
  static <A> Tool of(String name, String description, Class<A> arguments, Body<A> body) {
    return inRun(name, description, arguments, (a, context) -> body.call(a));
  }

  /** The same for a tool that needs the context of the run. */
  static <A> Tool inRun(String name, String description, Class<A> arguments, BodyInRun<A> body) {
    return new TypedTool<>(name, description, (Type) arguments, body);
  }

  /** The tools of an object: its methods with {@link ToolMethod}. */
  static List<Tool> methodsOf(Object object) {
    return MethodTool.all(object);
  }

  /** The same tool, which a person has to agree to. */
  default Tool needingApproval() {
    return needingApproval(call -> true);
  }

  /** The same tool, which a person has to agree to in some cases. */
  default Tool needingApproval(Predicate<ToolCall> when) {
    return new ToolOptions(this, when, timeout());
  }

  /** The same tool with another time limit. */
  default Tool timeout(Duration limit) {
    return new ToolOptions(this, this::needsApproval, limit);
  }
}
