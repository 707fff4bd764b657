package dev.clew.server.settings;

import dev.clew.agent.Agent;
import dev.clew.demo.ScheduleAssistant;
import java.time.Clock;
import java.time.ZoneId;

/**
 * How the chat API answers. Immutable.
 *
 * @param agent who answers; one for all owners, its tools learn whose session it is from the run
 * @param history how many of the newest messages of a session the model is shown, with the tool
 *     calls and results between them
 * @param maxMessages how many items a session may hold, tool calls and their results among them; 0
 *     for any number
 * @param atLimit what happens when it holds so many
 */
public record ChatSettings(Agent agent, int history, long maxMessages, AtLimit atLimit) {

  /** What happens when a session is full. */
  public enum AtLimit {
    /** The next message is refused. */
    REFUSE,
    /** The oldest turns are dropped for good. */
    DROP_OLDEST,
    /** All but the last turn is replaced by a summary, and kept in the session's archive. */
    COMPACT
  }

  /**
   * The schedule assistant, which works with the offline model; ten messages; 10,000 items at most.
   */
  public static final ChatSettings DEFAULT =
      new ChatSettings(
          ScheduleAssistant.agent(Clock.systemUTC(), ZoneId.systemDefault()),
          10,
          10_000,
          AtLimit.REFUSE);

  /** Checks the numbers. */
  public ChatSettings {
    if (history < 1) {
      throw new IllegalArgumentException("a model is shown at least 1 message, not " + history);
    }
    if (maxMessages < 0 || maxMessages > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a session cannot be limited to " + maxMessages);
    }
  }

  /** With another agent. */
  public ChatSettings agent(Agent value) {
    return new ChatSettings(value, history, maxMessages, atLimit);
  }

  /** With more or less history for the model. */
  public ChatSettings history(int value) {
    return new ChatSettings(agent, value, maxMessages, atLimit);
  }

  /** With another limit, and what happens at it. */
  public ChatSettings limit(long messages, AtLimit action) {
    return new ChatSettings(agent, history, messages, action);
  }
}
