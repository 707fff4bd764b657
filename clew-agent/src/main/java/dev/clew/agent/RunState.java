package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.View;
import dev.clew.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run that stopped for a person's decision: everything needed to resume it, in this process or in
 * another. Not thread-safe.
 *
 * <pre>{@code
 * RunState state = result.toState();
 * state.approve(result.interruptions().get(0));
 * runner.run(agent, state, session);
 * }</pre>
 *
 * <p>A decision is valid for the arguments that were shown: if the state has others when it is
 * resumed, the run is refused.
 */
public final class RunState {
  /** The version of the JSON form. */
  public static final int SCHEMA_VERSION = 1;

  /** What a person said about a call. */
  record Decision(boolean approved, String message, String digest) {}

  final String runId;
  final List<Item> userInput;
  final List<Item> modelInput;
  final List<Item> newItems = new ArrayList<>();
  final List<Item> pending = new ArrayList<>();
  final List<Item> unsent = new ArrayList<>();
  final List<Usage> requests = new ArrayList<>();
  String agent;
  int turn;
  int step;
  @Nullable String lastResponseId;
  @Nullable String conversationId;
  @Nullable String sessionId;
  boolean serverManaged;
  private final Map<String, Decision> decisions = new LinkedHashMap<>();
  private final Map<String, Decision> always = new LinkedHashMap<>();

  RunState(String runId, String agent, List<Item> userInput, List<Item> modelInput) {
    this.runId = runId;
    this.agent = agent;
    this.userInput = List.copyOf(userInput);
    this.modelInput = List.copyOf(modelInput);
  }

  /** The calls that still wait for a decision. */
  public List<Interruption> interruptions() {
    List<Interruption> open = new ArrayList<>();
    for (Item item : pending) {
      View.FunctionCall call = call(item);
      if (!decisions.containsKey(call.callId()) && !always.containsKey(call.name())) {
        open.add(new Interruption(call.callId(), agent, call.name(), call.arguments()));
      }
    }
    return open;
  }

  /** Lets the call happen. */
  public void approve(Interruption interruption) {
    decide(interruption, new Decision(true, "", digest(interruption)));
  }

  /** Lets the call happen, and every other call of the same tool in this run. */
  public void approveAlways(Interruption interruption) {
    approve(interruption);
    always.put(interruption.toolName(), new Decision(true, "", ""));
  }

  /** Rejects the call; the model gets a default message instead of an output. */
  public void reject(Interruption interruption) {
    reject(interruption, "Tool execution was not approved.");
  }

  /** Rejects the call; the model gets this message instead of an output. */
  public void reject(Interruption interruption, String message) {
    decide(interruption, new Decision(false, message, digest(interruption)));
  }

  /** Keeps the call from happening, and every other call of the same tool in this run. */
  public void rejectAlways(Interruption interruption, String message) {
    reject(interruption, message);
    always.put(interruption.toolName(), new Decision(false, message, ""));
  }

  private void decide(Interruption interruption, Decision decision) {
    boolean waits =
        pending.stream()
            .map(RunState::call)
            .anyMatch(
                call ->
                    call.callId().equals(interruption.callId())
                        && digest(call).equals(decision.digest()));
    if (!waits) {
      throw new IllegalArgumentException(
          "no call '%s' of '%s' with these arguments waits for a decision"
              .formatted(interruption.callId(), interruption.toolName()));
    }
    decisions.put(interruption.callId(), decision);
  }

  /** What was decided about a call, if it was. */
  Optional<Decision> decision(View.FunctionCall call) {
    Decision decision = decisions.get(call.callId());
    if (decision != null && !decision.digest().equals(digest(call))) {
      throw new ClewException.InvalidItem(
          "the arguments of call '"
              + call.callId()
              + "' are not those that were decided about; ask for a decision again");
    }
    return Optional.ofNullable(decision == null ? always.get(call.name()) : decision);
  }

  /** What was decided about a call that is still to be done; empty if nothing was. */
  public Optional<Boolean> isApproved(String callId) {
    return pending.stream()
        .map(RunState::call)
        .filter(call -> call.callId().equals(callId))
        .flatMap(call -> decision(call).stream())
        .map(Decision::approved)
        .findFirst();
  }

  /**
   * The outputs that end this run without doing anything more: a call that was rejected has the
   * message of that, and every other call this one.
   */
  public List<Draft> endedOutputs(String message) {
    return ToolStep.ended(this, message);
  }

  /** Keeps only decisions on calls that are still to be done: a model may use an id again. */
  void forgetDecisions() {
    Set<String> open = new HashSet<>();
    pending.forEach(item -> open.add(call(item).callId()));
    decisions.keySet().retainAll(open);
  }

  static View.FunctionCall call(Item item) {
    if (item.view() instanceof View.FunctionCall call) {
      return call;
    }
    throw new ClewException.InvalidItem("a pending call is a " + item.type());
  }

  private static String digest(Interruption interruption) {
    return sha256(interruption.toolName(), interruption.arguments());
  }

  /** The SHA-256 of a name and arguments, which cannot run together. */
  static String sha256(String... texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String text : texts) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static String digest(View.FunctionCall call) {
    return sha256(call.name(), call.arguments());
  }

  /** The state as JSON text, to be kept until the decision. It contains the conversation. */
  public String toJson() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("schema_version", SCHEMA_VERSION);
    json.put("run_id", runId);
    json.put("agent", agent);
    json.put("turn", turn);
    json.put("step", step);
    json.put("last_response_id", lastResponseId);
    json.put("conversation_id", conversationId);
    json.put("session_id", sessionId);
    json.put("server_managed", serverManaged);
    json.put("user_input", texts(userInput));
    json.put("model_input", texts(modelInput));
    json.put("new_items", texts(newItems));
    json.put("pending", texts(pending));
    json.put("unsent", texts(unsent));
    List<Object> costs = new ArrayList<>();
    for (Usage usage : requests) {
      costs.add(
          List.of(
              usage.requests(),
              usage.inputTokens(),
              usage.cachedTokens(),
              usage.outputTokens(),
              usage.reasoningTokens()));
    }
    json.put("requests", costs);
    json.put("decisions", decisionsJson(decisions));
    json.put("always", decisionsJson(always));
    return Json.write(json);
  }

  /* Items as text, not as objects: an item must come back exactly. */
  private static List<String> texts(List<Item> items) {
    return items.stream().map(Item::json).toList();
  }

  private static Map<String, Object> decisionsJson(Map<String, Decision> decisions) {
    Map<String, Object> json = new LinkedHashMap<>();
    decisions.forEach(
        (key, decision) ->
            json.put(
                key,
                Map.of(
                    "approved", decision.approved(),
                    "message", decision.message(),
                    "digest", decision.digest())));
    return json;
  }

  /**
   * A state out of {@link #toJson()}.
   *
   * @throws ClewException.NotSupported for a version that is not known here
   * @throws ClewException.InvalidItem if it is not a state
   */
  public static RunState fromJson(String text) {
    Map<String, Object> json;
    try {
      json = Json.readObject(text);
    } catch (RuntimeException e) {
      throw new ClewException.InvalidItem("not the state of a run: " + e.getMessage());
    }
    Object version = json.get("schema_version");
    if (!(version instanceof Number number) || number.intValue() != SCHEMA_VERSION) {
      throw new ClewException.NotSupported(
          String.format(
              "the state of the run has version %s, this program knows version %s; resume it "
                  + "with the program that made it, or update this one",
              version, SCHEMA_VERSION));
    }
    try {
      return read(json);
    } catch (ClassCastException | NullPointerException | IndexOutOfBoundsException e) {
      throw new ClewException.InvalidItem("not the state of a run: " + e.getMessage());
    }
  }

  private static RunState read(Map<String, Object> json) {
    RunState state =
        new RunState(
            text(json, "run_id"),
            text(json, "agent"),
            items(json, "user_input"),
            items(json, "model_input"));
    state.turn = number(json, "turn");
    state.step = number(json, "step");
    state.lastResponseId = (String) json.get("last_response_id");
    state.conversationId = (String) json.get("conversation_id");
    state.sessionId = (String) json.get("session_id");
    state.serverManaged = Boolean.TRUE.equals(json.get("server_managed"));
    state.newItems.addAll(items(json, "new_items"));
    state.pending.addAll(items(json, "pending"));
    state.unsent.addAll(items(json, "unsent"));
    for (Object cost : list(json, "requests")) {
      long[] n = ((List<?>) cost).stream().mapToLong(each -> ((Number) each).longValue()).toArray();
      state.requests.add(new Usage((int) n[0], n[1], n[2], n[3], n[4]));
    }
    readDecisions(json, "decisions", state.decisions);
    readDecisions(json, "always", state.always);
    return state;
  }

  private static void readDecisions(
      Map<String, Object> json, String field, Map<String, Decision> into) {
    ((Map<?, ?>) Objects.requireNonNull(json.get(field), field))
        .forEach(
            (key, value) -> {
              Map<?, ?> decision = (Map<?, ?>) value;
              into.put(
                  (String) key,
                  new Decision(
                      Boolean.TRUE.equals(decision.get("approved")),
                      String.valueOf(decision.get("message")),
                      String.valueOf(decision.get("digest"))));
            });
  }

  private static String text(Map<String, Object> json, String field) {
    return (String) Objects.requireNonNull(json.get(field), field);
  }

  private static int number(Map<String, Object> json, String field) {
    return ((Number) Objects.requireNonNull(json.get(field), field)).intValue();
  }

  private static List<?> list(Map<String, Object> json, String field) {
    return (List<?>) Objects.requireNonNull(json.get(field), field);
  }

  private static List<Item> items(Map<String, Object> json, String field) {
    return list(json, field).stream().map(text -> Item.stored((String) text)).toList();
  }
}
