package dev.clew.server.settings;

import dev.clew.agent.Agent;
import dev.clew.demo.ScheduleAssistant;
import java.time.Clock;
import java.time.ZoneId;

/**
 * Settings of the chat API. Immutable.
 *
 * @param agent the agent of all owners; its tools learn the session from the run
 * @param history how many of the newest messages the model sees, with the tool calls between them;
 *     or {@link #FITTING}
 * @param maxMessages how many items a session may hold, including tool calls and their results; 0
 *     for no limit
 */
public record ChatSettings(Agent agent, int history, long maxMessages, AtLimit atLimit) {

  /**
   * A history of as many of the newest turns as the model's context window holds. When they nearly
   * fill it, a summary replaces all but the last one, and they are kept as compacted.
   */
  public static final int FITTING = 0;

  /** What happens when a session is full. */
  public enum AtLimit {
    /** Refuses the next message. */
    REFUSE,
    /** Drops the oldest turns for good. */
    DROP_OLDEST,
    /** Replaces all but the last turn by a summary and keeps them as compacted. */
    COMPACT
  }

  /** The schedule assistant, ten messages of history, at most 10,000 items. */
  public static final ChatSettings DEFAULT =
      new ChatSettings(
          ScheduleAssistant.agent(Clock.systemUTC(), ZoneId.systemDefault()),
          10,
          10_000,
          AtLimit.REFUSE);

  public ChatSettings {
    if (history < FITTING) {
      throw new IllegalArgumentException(
          "the model's history must not be negative, but is " + history);
    }
    if (maxMessages < 0 || maxMessages > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the message limit of a session is not possible: " + maxMessages);
    }
  }

  public ChatSettings agent(Agent value) {
    return new ChatSettings(value, history, maxMessages, atLimit);
  }

  public ChatSettings history(int value) {
    return new ChatSettings(agent, value, maxMessages, atLimit);
  }

  public ChatSettings limit(long messages, AtLimit action) {
    return new ChatSettings(agent, history, messages, action);
  }
}
