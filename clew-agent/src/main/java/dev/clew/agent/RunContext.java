package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Session;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What instructions, tools and guardrails may know of the run they are part of. Thread-safe. */
public final class RunContext {
  private final Agent agent;
  private final @Nullable Session session;
  private final List<Item> input;
  private final @Nullable Object attachment;
  private final BiFunction<Agent, List<Item>, RunResult> runApart;

  RunContext(
      Agent agent,
      @Nullable Session session,
      List<Item> input,
      @Nullable Object attachment,
      BiFunction<Agent, List<Item>, RunResult> runApart) {
    this.agent = agent;
    this.session = session;
    this.input = List.copyOf(input);
    this.attachment = attachment;
    this.runApart = runApart;
  }

  /** Runs another agent with a history of its own. */
  RunResult runApart(Agent other, List<Item> items) {
    return runApart.apply(other, items);
  }

  /** The agent whose turn it is. */
  public Agent agent() {
    return agent;
  }

  /** The session of the run, if it has one. */
  public Optional<Session> session() {
    return Optional.ofNullable(session);
  }

  /** What the user said in this run. */
  public List<Item> input() {
    return input;
  }

  /**
   * What the application gave along with {@link RunConfig#attachment}: a user, a database, a clock.
   *
   * @throws IllegalStateException if there is nothing of this type
   */
  public <T> T attachment(Class<T> type) {
    if (!type.isInstance(attachment)) {
      throw new IllegalStateException(
          "the run has no %s attached; give one with RunConfig.attachment"
              .formatted(type.getSimpleName()));
    }
    return type.cast(attachment);
  }
}
