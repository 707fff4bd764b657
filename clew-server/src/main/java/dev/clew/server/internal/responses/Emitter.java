package dev.clew.server.internal.responses;

import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.EventLog;
import java.util.function.UnaryOperator;

/** Receives the events of a response. */
@FunctionalInterface
interface Emitter {
  Emitter NOWHERE = (type, fields) -> {};

  /** Adds an event: its type and number, then the fields. */
  void emit(String type, UnaryOperator<JsonObject> fields);

  static Emitter to(EventLog log) {
    return (type, fields) ->
        log.add(
            type,
            number ->
                fields
                    .apply(new JsonObject().put("type", type).put("sequence_number", number))
                    .toString());
  }

  /** Adds an error: flat, as it is documented, and as an object, which clients read. */
  static JsonObject error(JsonObject event, String code, Problem problem) {
    return event
        .put("code", code)
        .put("message", problem.getMessage())
        .put("param", problem.param())
        .put("error", problem.fields());
  }

  default void response(String type, String response) {
    emit(type, event -> event.raw("response", response));
  }
}
