package dev.clew.server.internal.responses;

import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A stored response. Immutable. Sample:
 *
 * <pre>{@code
 * {"phase":"done","session":"resp_1","own":true,"fence":1,"input":[],"first":0,"last_input":0,
 *  "last":1,"background":false,"response":{…}}
 * }</pre>
 *
 * @param version of its document; 0 if it is not stored yet
 * @param home where its turn is stored
 * @param fence of the lease that shows whether its server is alive
 * @param input the new items, until they are in the session
 * @param span the positions of its items
 * @param response the response object on the wire
 */
record StoredResponse(
    String owner,
    String id,
    long version,
    Phase phase,
    TurnTarget home,
    long fence,
    List<Item> input,
    Span span,
    boolean background,
    String response) {

  enum Phase {
    /** The model is working. */
    RUNNING,
    /** The model has answered, and the turn is being stored. */
    COMMITTING,
    DONE
  }

  /** Positions of the first and last input item and of the last item; -1 for none. */
  record Span(long first, long lastInput, long last) {
    static final Span NONE = new Span(-1, -1, -1);
  }

  static StoredResponse begun(
      String owner,
      String id,
      TurnTarget home,
      long fence,
      List<Item> input,
      boolean background,
      String response) {
    return new StoredResponse(
        owner, id, 0, Phase.RUNNING, home, fence, input, Span.NONE, background, response);
  }

  StoredResponse version(long value) {
    return new StoredResponse(
        owner, id, value, phase, home, fence, input, span, background, response);
  }

  StoredResponse response(Phase next, String json) {
    return new StoredResponse(owner, id, version, next, home, fence, input, span, background, json);
  }

  StoredResponse written(Span where) {
    return new StoredResponse(
        owner, id, version, Phase.DONE, home, fence, List.of(), where, background, response);
  }

  String status() {
    return ResponseJson.status(response);
  }

  /** The response object for clients, which is unfinished until it can be followed. */
  String shown() {
    return phase == Phase.COMMITTING ? ResponseJson.unfinished(response) : response;
  }

  boolean hasTurn() {
    return phase == Phase.DONE && span.last() >= 0;
  }

  List<Item> turn() {
    List<Item> turn = new ArrayList<>(input);
    ResponseJson.output(response).forEach(json -> turn.add(Item.trusted(json)));
    return turn;
  }

  /**
   * The items with the usage in the notes of the first output item.
   *
   * @param named what the server calls a model that a client names
   */
  List<Draft> drafts(UnaryOperator<String> named) {
    List<Draft> drafts = new ArrayList<>();
    input.forEach(item -> drafts.add(Draft.of(item)));
    Map<String, Object> notes = new LinkedHashMap<>(ResponseJson.tokens(response));
    if (!notes.isEmpty()) {
      notes.put("model", named.apply(ResponseJson.model(response)));
    }
    for (String json : ResponseJson.output(response)) {
      Item item = Item.trusted(json);
      drafts.add(drafts.size() == input.size() ? new Draft(item, notes) : Draft.of(item));
    }
    return drafts;
  }

  String json() {
    JsonObject out =
        new JsonObject()
            .put("phase", phase.name().toLowerCase(Locale.ROOT))
            .put("session", home.key().id())
            .put("own", home.own());
    home.fork()
        .ifPresent(
            fork -> out.put("fork_session", fork.session()).put("fork_position", fork.position()));
    return out.put("fence", fence)
        .array("input", input.stream().map(Item::json).toList())
        .put("first", span.first())
        .put("last_input", span.lastInput())
        .put("last", span.last())
        .put("background", background)
        .raw("response", response)
        .toString();
  }

  static StoredResponse parse(String owner, String id, long version, String json) {
    Map<String, String> fields = UncheckedJson.fields(json);
    String forkedFrom = Json.string(fields.get("fork_session"));
    Optional<TurnTarget.ForkPoint> fork =
        forkedFrom == null
            ? Optional.empty()
            : Optional.of(new TurnTarget.ForkPoint(forkedFrom, number(fields, "fork_position")));
    TurnTarget home =
        new TurnTarget(
            new SessionKey(owner, text(fields, "session")), "true".equals(fields.get("own")), fork);
    return new StoredResponse(
        owner,
        id,
        version,
        Phase.valueOf(text(fields, "phase").toUpperCase(Locale.ROOT)),
        home,
        number(fields, "fence"),
        UncheckedJson.elements(fields.getOrDefault("input", "[]")).stream()
            .map(Item::stored)
            .toList(),
        new Span(number(fields, "first"), number(fields, "last_input"), number(fields, "last")),
        "true".equals(fields.get("background")),
        ResponseJson.current(fields.getOrDefault("response", "{}")));
  }

  private static String text(Map<String, String> fields, String name) {
    return Objects.requireNonNull(Json.string(fields.get(name)), name);
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(fields.getOrDefault(name, "-1"));
  }
}
