package dev.clew.server.internal.chat;

import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.settings.ServerModels;
import java.util.Optional;

/**
 * How a session shall be answered from now on, as a body says. Immutable. What it does not name
 * stays; null and the empty text take it away.
 *
 * @param model which of the server's models answers
 * @param instructions what it is told beside what the agent says
 */
public record SessionPreferences(Optional<String> model, Optional<String> instructions) {
  private static final int LONGEST = 20_000;

  /** What a body says. */
  public static SessionPreferences read(Fields body, ServerModels models) {
    Optional<String> model = text(body, "model");
    model
        .filter(name -> !name.isEmpty() && models.find(name).isEmpty())
        .ifPresent(
            name -> {
              throw Problem.invalid(
                  "model_not_found",
                  "model",
                  "The model '"
                      + name
                      + "' does not exist; there are: "
                      + String.join(", ", models.names())
                      + ".");
            });
    Optional<String> instructions =
        text(body, "instructions")
            .map(text -> Problem.checkLength("instructions", text.strip(), LONGEST));
    return new SessionPreferences(model, instructions);
  }

  private static Optional<String> text(Fields body, String name) {
    return body.given(name).map(raw -> body.text(name).orElse(""));
  }

  /** What is remembered when these are fulfilled. */
  public ServerMetadata of(ServerMetadata before) {
    ServerMetadata after = model.map(before::model).orElse(before);
    return instructions.map(after::instructions).orElse(after);
  }
}
