package dev.clew.server.internal.responses;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message of a client on a socket. Immutable.
 *
 * @param fields of the request, without those of the message
 * @param lane where it is worked off; empty for the default one
 * @param generate whether the model is asked
 * @param problem what is wrong with the message; null if it can be worked off
 */
record SocketRequest(
    Kind kind,
    Map<String, String> fields,
    String lane,
    boolean generate,
    @Nullable Problem problem) {
  private static final Pattern LANE = Pattern.compile("[A-Za-z0-9_.-]{1,256}");

  /** Fields of messages, and those that mean nothing here because every response is streamed. */
  private static final List<String> OF_MESSAGE =
      List.of("type", "stream_id", "generate", "stream", "stream_options");

  enum Kind {
    CREATE,
    STEER
  }

  static SocketRequest read(String message) {
    Map<String, String> sent;
    try {
      if (!message.stripLeading().startsWith("{")) {
        throw Problem.invalid("invalid_json", null, "A message must be a JSON object.");
      }
      sent = new LinkedHashMap<>(Call.fields(message));
    } catch (Problem e) {
      return refused(e);
    }
    String lane = "";
    try {
      lane = lane(sent);
      String type = Fields.of(sent).needText("type");
      return switch (type) {
        case "response.create" -> create(sent, lane);
        case "response.steer" -> new SocketRequest(Kind.STEER, sent, lane, false, null);
        default ->
            throw Problem.unsupported("type", type, List.of("response.create", "response.steer"));
      };
    } catch (Problem e) {
      return refused(sent, lane, e);
    }
  }

  /** A message that cannot be read. */
  static SocketRequest refused(Problem problem) {
    return refused(Map.of(), "", problem);
  }

  /** The same, which cannot be worked off. */
  SocketRequest with(Problem wrong) {
    return refused(fields, lane, wrong);
  }

  private static SocketRequest refused(Map<String, String> sent, String lane, Problem problem) {
    return new SocketRequest(Kind.CREATE, sent, lane, false, problem);
  }

  private static String lane(Map<String, String> sent) {
    String raw = sent.get("stream_id");
    if (raw == null || raw.equals("null")) {
      return "";
    }
    String lane = Json.string(raw);
    if (lane == null || !LANE.matcher(lane).matches()) {
      throw Problem.invalid(
          "invalid_stream_id",
          "stream_id",
          "Invalid 'stream_id': it must have 1 to 256 letters, digits, '_', '.' or '-'.");
    }
    return lane;
  }

  private static SocketRequest create(Map<String, String> sent, String lane) {
    Fields fields = Fields.of(sent);
    boolean generate = fields.flag("generate", true);
    if (fields.flag("background", false)) {
      throw Problem.invalid(
          "unsupported_parameter",
          "background",
          "Unsupported parameter: 'background'. Responses on a WebSocket are streamed; send a POST"
              + " for one in the background.");
    }
    Map<String, String> request = new LinkedHashMap<>(sent);
    OF_MESSAGE.forEach(request::remove);
    request.put("stream", "true");
    return new SocketRequest(Kind.CREATE, request, lane, generate, null);
  }

  /** The response that this one follows, as far as it can be read. */
  Optional<String> previous() {
    return Optional.ofNullable(Json.string(fields.get("previous_response_id")));
  }

  CreateRequest request(boolean strict) {
    CreateRequest request = CreateRequest.read(fields, strict, generate);
    request.checkExclusive();
    return request;
  }

  /** A message to the client: with the name of the lane, if it has one. */
  static String inLane(String lane, String json) {
    return lane.isEmpty()
        ? json
        : json.substring(0, json.length() - 1) + ",\"stream_id\":" + Json.quote(lane) + "}";
  }

  /** The answer to a request that gets no response. */
  String refusal(Problem problem, String requestId) {
    // Clients tell errors of their own fault from those that a retry may help by the code.
    boolean stopping = problem.status() == 503 && problem.code().startsWith("server_");
    JsonObject error = problem.fields(stopping ? "server_is_overloaded" : problem.code());
    if (problem.retryAfterSeconds() > 0) {
      String seconds = String.valueOf(problem.retryAfterSeconds());
      error.put("headers", new JsonObject().put("retry-after", seconds));
    }
    return inLane(
        lane,
        new JsonObject()
            .put("type", "error")
            .put("status", problem.status())
            .put("error", error)
            .put("request_id", requestId)
            .toString());
  }

  /** The answer to a request to change a running response. */
  String steerFailed(String id, String laneOfResponse) {
    JsonObject steer =
        new JsonObject()
            .put("id", id)
            .put("previous_response_id", previous().orElse(null))
            .raw("input", fields.getOrDefault("input", "null"));
    JsonObject error =
        new JsonObject()
            .put("type", "invalid_request_error")
            .put("code", "steering_not_supported")
            .put("message", "A running response cannot be changed; create the next one.");
    return inLane(
        laneOfResponse,
        new JsonObject()
            .put("type", "response.steer.failed")
            .put("sequence_number", 0)
            .put("steer", steer)
            .put("error", error)
            .toString());
  }
}
