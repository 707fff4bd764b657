package dev.clew.server.internal.chat;

import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.settings.ServerModels;
import java.util.Optional;

/**
 * How a session is answered from now on. Immutable. Absent fields change nothing; null and the
 * empty string reset a preference.
 *
 * @param model which of the server's models answers
 * @param instructions appended to the agent's
 */
public record SessionPreferences(Optional<String> model, Optional<String> instructions) {
  /** How long instructions may be. */
  public static final int LONGEST = 20_000;

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
    return new SessionPreferences(model, instructions);
  }

  private static Optional<String> text(Fields body, String name) {
    return body.given(name).map(raw -> body.text(name).orElse(""));
  }

  public ServerMetadata of(ServerMetadata before) {
    ServerMetadata after = model.map(before::model).orElse(before);
    return instructions.map(after::instructions).orElse(after);
  }
}
