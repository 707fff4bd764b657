package dev.clew.cli;

import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.offline.OfflineModel;
import dev.clew.agent.offline.ScheduleAssistant;
import java.time.Clock;
import java.time.Duration;

/** The models that {@code clew chat} knows, by name. Stateless. */
final class Models {
  static final String OFFLINE = "offline";

  private Models() {}

  /**
   * Who answers. Immutable.
   *
   * @param model the model
   * @param agent what it shall do
   * @param introduction one line that says what it is
   */
  record Chosen(Model model, Agent agent, String introduction) {}

  /** Refuses a name that is not known, before anything is opened. */
  static void check(String name) {
    if (name.startsWith("openai:") || name.startsWith("chat:")) {
      // Here is the place for clew-openai: Responses for openai:NAME, Chat Completions for
      // chat:NAME.
      throw Failure.usage(
          "model '"
              + name
              + "' needs clew-openai, which is not in this build; use --model offline");
    }
    if (!name.equals(OFFLINE)) {
      throw Failure.usage(
          "there is no model '" + name + "'; there are offline, openai:NAME and chat:NAME");
    }
  }

  /** The model of a name that was checked. */
  static Chosen named(String name, Clock clock, Duration pace) {
    check(name);
    return new Chosen(
        new OfflineModel().paced(pace),
        ScheduleAssistant.agent(clock, clock.getZone()),
        "offline demonstration model: a small grammar for a schedule, not a language model");
  }
}
