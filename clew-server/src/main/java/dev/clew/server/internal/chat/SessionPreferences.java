package dev.clew.server.internal.chat;

import dev.clew.agent.ModelSettings;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.settings.ServerModels;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a session is answered from now on. Immutable. Absent fields change nothing; null and the
 * empty string reset a preference.
 *
 * @param model which of the server's models answers
 * @param instructions appended to the agent's
 * @param settings of the model, all together
 */
public record SessionPreferences(
    Optional<String> model, Optional<String> instructions, Optional<Map<String, Object>> settings) {
  /** How long instructions may be. */
  public static final int LONGEST = 20_000;

  private static final String SETTINGS = "model_settings";
  private static final String TEMPERATURE = "temperature";
  private static final String EFFORT = "reasoning_effort";
  private static final String MOST_TOKENS = "max_output_tokens";
  private static final int HOTTEST = 2;
  private static final long LONGEST_ANSWER = 1_000_000;

  public static SessionPreferences read(Fields body, ServerModels models) {
    Optional<String> model = text(body, "model");
    model
        .filter(name -> !name.isEmpty() && models.find(name).isEmpty())
        .ifPresent(
            name -> {
              throw Problem.invalid(
                  "model_not_found",
                  "model",
                  "The model '%s' does not exist; the models are: %s."
                      .formatted(name, String.join(", ", models.names())));
            });
    Optional<String> instructions =
        text(body, "instructions")
            .map(text -> Problem.checkLength("instructions", text.strip(), LONGEST));
    Optional<Map<String, Object>> settings =
        body.given(SETTINGS)
            .map(raw -> body.object(SETTINGS).map(SessionPreferences::settings).orElse(Map.of()));
    return new SessionPreferences(model, instructions, settings);
  }

  private static Map<String, Object> settings(Fields given) {
    Map<String, Object> settings = new LinkedHashMap<>();
    given.checkDecimal(TEMPERATURE, 0, HOTTEST);
    given.value(TEMPERATURE).ifPresent(value -> settings.put(TEMPERATURE, value));
    given
        .word(EFFORT, "none", "minimal", "low", "medium", "high", "xhigh")
        .ifPresent(word -> settings.put(EFFORT, word));
    given.whole(MOST_TOKENS, 1, LONGEST_ANSWER).ifPresent(most -> settings.put(MOST_TOKENS, most));
    return settings;
  }

  /** What a model is asked with, of the settings that a session remembers. */
  static ModelSettings asked(Map<String, Object> settings) {
    ModelSettings asked = ModelSettings.DEFAULT;
    if (settings.get(TEMPERATURE) instanceof Number temperature) {
      asked = asked.temperature(temperature.doubleValue());
    }
    if (settings.get(MOST_TOKENS) instanceof Number most) {
      asked = asked.maxOutputTokens(most.longValue());
    }
    return settings.get(EFFORT) instanceof String effort
        ? asked.with("reasoning", Map.of("effort", effort))
        : asked;
  }

  private static Optional<String> text(Fields body, String name) {
    return body.given(name).map(raw -> body.text(name).orElse(""));
  }

  public ServerMetadata of(ServerMetadata before) {
    ServerMetadata after = model.map(before::model).orElse(before);
    after = instructions.map(after::instructions).orElse(after);
    return settings.map(after::settings).orElse(after);
  }
}
