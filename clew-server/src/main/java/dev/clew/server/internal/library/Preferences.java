package dev.clew.server.internal.library;

import dev.clew.Documents;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.Optional;

/**
 * What an owner tells the model in all sessions. Thread-safe. Sample, the document {@code
 * preferences}:
 *
 * <pre>{@code
 * {"instructions":"Answer in British English."}
 * }</pre>
 */
public record Preferences(Documents documents) {
  static final String NAME = "preferences";

  private static final String INSTRUCTIONS = "instructions";
  private static final int LONGEST = 20_000;

  public Optional<String> instructions(String owner) {
    return documents
        .get(owner, NAME)
        .map(document -> Json.fields(document.json()).get(INSTRUCTIONS))
        .flatMap(raw -> Optional.ofNullable(Json.string(raw)))
        .filter(text -> !text.isEmpty());
  }

  void instructions(String owner, String text) {
    if (text.isEmpty()) {
      var unused = documents.delete(owner, NAME);
    } else {
      documents.put(owner, NAME, json(text).toString());
    }
  }

  /** The instructions in a request; empty for none. */
  static String read(Fields body) {
    return Problem.checkLength(INSTRUCTIONS, body.text(INSTRUCTIONS).orElse("").strip(), LONGEST);
  }

  static JsonObject json(String instructions) {
    return new JsonObject().put(INSTRUCTIONS, instructions);
  }
}
