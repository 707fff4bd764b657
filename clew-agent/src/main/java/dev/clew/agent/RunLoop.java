package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Role;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run: asks the model, calls tools, stores every step, until there is an answer or a person has
 * to decide. Used once, by one thread.
 */
final class RunLoop {
  private static final Logger LOG = LoggerFactory.getLogger(RunLoop.class);

  private final Runner runner;
  private final Agent root;
  private final RunConfig config;
  private final Consumer<RunEvent> events;
  private final Cancellation cancellation;
  private final Asking asking;
  private final List<Usage> apart = Collections.synchronizedList(new ArrayList<>());
  private final Map<Agent, List<Tool>> tools = new HashMap<>();
  private Ledger ledger = Ledger.NONE;

  RunLoop(
      Runner runner,
      Agent root,
      RunConfig config,
      Consumer<RunEvent> events,
      boolean streamed,
      Cancellation cancellation) {
    this.runner = runner;
    this.root = root;
    this.config = config;
    this.events = events;
    this.cancellation = cancellation;
    this.asking = new Asking(runner.model(), config, events, streamed, cancellation);
  }

  RunResult run(RunInput input) {
    refuseTwoHistories();
    try (Ledger opened = open()) {
      ledger = opened;
      config.whenTurnBegins().ifPresent(Runnable::run);
      if (input instanceof RunInput.Resumed resumed) {
        return resume(resumed.state());
      }
      return begin(((RunInput.Items) input).items());
    }
  }

  private void refuseTwoHistories() {
    if (config.session().isPresent()
        && (config.conversationId().isPresent() || config.previousResponseId().isPresent())) {
      String other = config.conversationId().isPresent() ? "conversationId" : "previousResponseId";
      throw new IllegalArgumentException(
          String.format(
              "the run has a session and a %s, so its history would be kept twice; drop %s "
                  + "to use the session, or the session to let the provider keep the history",
              other, other));
    }
  }

  private Ledger open() {
    if (config.session().isEmpty()) {
      return Ledger.NONE;
    }
    Session session = config.session().get();
    Optional<CompactionSession> compaction =
        session instanceof CompactionSession compacted ? Optional.of(compacted) : Optional.empty();
    return compaction.map(CompactionSession::underlying).orElse(session)
            instanceof StoredSession stored
        ? new StoredLedger(stored, compaction, config)
        : new PlainLedger(session);
  }

  private RunResult begin(List<Item> input) {
    String runId = UUID.randomUUID().toString();
    String inputId = config.operationId().orElse(runId + "/input");
    Prepared prepared = prepare(input);
    checkInput(prepared.toStore(), inputId);
    boolean repeated = ledger.append(inputId, prepared.toStore().stream().map(Draft::of).toList());
    if (repeated) {
      return beginAgain(runId, inputId, input, prepared.toStore());
    }
    RunState state = state(runId, prepared.toStore(), prepared.modelInput());
    stored(prepared.toStore().stream().map(Draft::of).toList());
    return loop(state, root);
  }

  /** The input was stored before, by a run that was answered, failed, or waits for a person. */
  private RunResult beginAgain(String runId, String inputId, List<Item> input, List<Item> toStore) {
    List<Item> earlier = ledger.after(inputId, toStore);
    if (CatchUp.isAnswered(earlier)) {
      return new RunResult(
          root, finalText(earlier), input, earlier, List.of(), List.of(), null, null);
    }
    List<Item> history = ledger.read(window());
    Optional<List<Item>> before = CatchUp.before(history, toStore, earlier);
    RunState state = state(runId, toStore, Repair.repaired(before.orElse(history)));
    if (before.isPresent()) {
      CatchUp.apply(state, root, earlier);
    }
    return loop(state, agentOf(state));
  }

  private RunState state(String runId, List<Item> userInput, List<Item> modelInput) {
    RunState state = new RunState(runId, root.name(), userInput, modelInput);
    state.serverManaged = config.session().isEmpty() && isServerManaged();
    state.conversationId = config.conversationId().orElse(null);
    state.lastResponseId = config.previousResponseId().orElse(null);
    state.unsent.addAll(modelInput);
    return state;
  }

  private boolean isServerManaged() {
    return config.conversationId().isPresent() || config.previousResponseId().isPresent();
  }

  private Optional<Window> window() {
    return config
        .window()
        .or(
            () ->
                config
                    .sessionSettings()
                    .filter(settings -> settings.limit().isPresent())
                    .map(settings -> Ledger.window(settings)));
  }

  private Prepared prepare(List<Item> input) {
    List<Item> history = Repair.repaired(ledger.read(window()));
    if (config.sessionInputCallback().isEmpty()) {
      return Prepared.of(history, input);
    }
    Prepared prepared = Prepared.of(history, input, config.sessionInputCallback().get());
    if (isServerManaged() && prepared.toStore().isEmpty()) {
      LOG.warn(
          "the session input callback left none of the new items, which the provider needs;"
              + " they are sent as they were");
      return Prepared.of(history, input);
    }
    return prepared;
  }

  private void checkInput(List<Item> input, String inputId) {
    RunContext context = context(root, input);
    for (Guardrail guardrail : root.inputGuardrails()) {
      Optional<String> reason = guardrail.check(context, input);
      if (reason.isPresent()) {
        ledger.appendBlocked(inputId, input, guardrail.name());
        throw new ClewException.GuardrailTripped(
            guardrail.name(),
            "input guardrail '" + guardrail.name() + "' stopped the run: " + reason.get());
      }
    }
  }

  private RunResult resume(RunState state) {
    Optional<String> session = config.session().map(Session::id);
    if (!session.equals(Optional.ofNullable(state.sessionId))) {
      throw new IllegalArgumentException(
          "the run was started "
              + (state.sessionId == null
                  ? "without a session"
                  : "with session '" + state.sessionId + "'")
              + "; resume it so, not "
              + session.map(id -> "with session '" + id + "'").orElse("without one"));
    }
    state.pending.forEach(call -> state.decision(RunState.call(call))); // fails if it was changed
    if (session.isPresent() && !state.pending.isEmpty()) {
      List<Item> later = CatchUp.later(state, ledger);
      CatchUp.apply(state, root, later);
      if (state.pending.isEmpty() && CatchUp.isAnswered(later)) {
        return result(state, agentOf(state), finalText(later), List.of(), null);
      }
    }
    return loop(state, agentOf(state));
  }

  private Agent agentOf(RunState state) {
    return root.find(state.agent)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    String.format(
                        "the run stopped at agent '%s', which %s cannot reach; resume it "
                            + "with the agent it was started with",
                        state.agent, root)));
  }

  private RunResult loop(RunState state, Agent first) {
    Agent agent = first;
    events.accept(new RunEvent.AgentStarted(agent.name()));
    while (true) {
      if (!state.pending.isEmpty()) {
        ToolStep step = callTools(state, agent);
        if (!state.pending.isEmpty()) {
          return interrupted(state, agent);
        }
        Optional<String> output = step.finalOutput();
        if (step.handedTo().isPresent()) {
          agent = step.handedTo().get();
          events.accept(new RunEvent.HandedOff(state.agent, agent.name()));
          state.agent = agent.name();
          events.accept(new RunEvent.AgentStarted(agent.name()));
        } else if (output.isPresent()) {
          checkOutput(agent, state, List.of(Item.assistant(output.get())));
          return finished(state, agent, output.get());
        }
      }
      if (state.turn >= config.maxTurns) {
        throw new ClewException.MaxTurnsExceeded(
            "the run asked the model "
                + state.turn
                + " times without an answer; what it did is stored. Raise RunConfig.maxTurns if it"
                + " needs more");
      }
      state.turn++;
      ModelResponse response = ask(state, agent);
      state.requests.add(response.usage());
      response.responseId().ifPresent(id -> state.lastResponseId = id);
      List<Item> calls =
          response.output().stream().filter(item -> item.type().equals("function_call")).toList();
      if (calls.isEmpty()) {
        checkOutput(agent, state, response.output());
        store(state, drafts(agent, response));
        return finished(state, agent, finalText(response.output()));
      }
      store(state, drafts(agent, response));
      state.pending.addAll(calls);
    }
  }

  private List<Tool> tools(Agent agent) {
    return tools.computeIfAbsent(agent, Agent::toolsNow);
  }

  private ModelResponse ask(RunState state, Agent agent) {
    try {
      return asking.ask(state, agent, tools(agent), context(agent, state.userInput));
    } catch (RuntimeException e) {
      keepBeginning(state, e);
      throw e;
    }
  }

  /** Stores what came of an answer, because somebody may have read it. */
  private void keepBeginning(RunState state, RuntimeException failure) {
    try {
      asking.partialText().ifPresent(text -> store(state, List.of(Draft.of(text))));
    } catch (ClewException e) {
      failure.addSuppressed(e);
    }
  }

  /** Does what can be done now; what waits for a person stays pending. */
  private ToolStep callTools(RunState state, Agent agent) {
    ToolStep step = ToolStep.plan(state, agent, tools(agent), context(agent, state.userInput));
    List<Draft> drafts = step.run(events, cancellation);
    List<Item> outputs = drafts.stream().map(Draft::item).toList();
    state.requests.addAll(apart);
    apart.clear();
    state.pending.clear();
    state.pending.addAll(step.waiting());
    state.unsent.addAll(outputs);
    state.forgetDecisions();
    store(state, drafts);
    cancellation.check();
    if (step.isCut()) {
      throw new CancellationException("the run's thread was interrupted while tools were called");
    }
    return step;
  }

  private void checkOutput(Agent agent, RunState state, List<Item> output) {
    RunContext context = context(agent, state.userInput);
    for (Guardrail guardrail : agent.outputGuardrails()) {
      Optional<String> reason = guardrail.check(context, output);
      if (reason.isPresent()) {
        throw new ClewException.GuardrailTripped(
            guardrail.name(),
            "output guardrail '" + guardrail.name() + "' stopped the answer: " + reason.get());
      }
    }
  }

  private RunContext context(Agent agent, List<Item> input) {
    return new RunContext(
        agent, config.session().orElse(null), input, config.attachment, this::runApart);
  }

  /** Runs another agent without the session, for an agent that is called as a tool. */
  private RunResult runApart(Agent agent, List<Item> input) {
    RunConfig without = config.withoutHistory();
    RunLoop inner = new RunLoop(runner, agent, without, event -> {}, false, new Cancellation());
    RunResult result = inner.run(RunInput.items(input));
    apart.addAll(result.requests());
    return result;
  }

  private List<Draft> drafts(Agent agent, ModelResponse response) {
    Map<String, Object> notes = new LinkedHashMap<>(config.notes);
    notes.put("agent", agent.name());
    response.responseId().ifPresent(id -> notes.put("response_id", id));
    if (response.usage().requests() > 0) {
      notes.put("input_tokens", response.usage().inputTokens());
      if (response.usage().cachedTokens() > 0) {
        notes.put("cached_tokens", response.usage().cachedTokens());
      }
      notes.put("output_tokens", response.usage().outputTokens());
    }
    List<Draft> drafts = new ArrayList<>();
    for (Item item : response.output()) {
      drafts.add(drafts.isEmpty() ? new Draft(item, notes) : Draft.of(item));
    }
    return drafts;
  }

  private void store(RunState state, List<Draft> drafts) {
    if (drafts.isEmpty()) {
      return;
    }
    ledger.append(state.runId + "/" + state.step++, drafts);
    List<Item> items = drafts.stream().map(Draft::item).toList();
    state.newItems.addAll(items);
    stored(drafts);
  }

  private void stored(List<Draft> drafts) {
    if (!drafts.isEmpty()) {
      events.accept(new RunEvent.StepStored(drafts));
    }
  }

  private RunResult interrupted(RunState state, Agent agent) {
    state.sessionId = config.session().map(Session::id).orElse(null);
    List<Interruption> interruptions = state.interruptions();
    interruptions.forEach(each -> events.accept(new RunEvent.ApprovalNeeded(each)));
    events.accept(new RunEvent.Interrupted(state));
    return result(state, agent, null, interruptions, state);
  }

  private RunResult finished(RunState state, Agent agent, String output) {
    RunResult result = result(state, agent, output, List.of(), null);
    agent.outputType().ifPresent(result::finalOutput); // fails if it is not one
    CompactionOptions last =
        CompactionOptions.DEFAULT
            .responseId(state.lastResponseId)
            .store(
                !agent
                    .settings()
                    .and(config.modelSettings)
                    .get("store")
                    .equals(Optional.of(false)));
    Usage compaction = ledger.finished(last, asking.knownToProvider(), events);
    if (compaction.requests() == 0) {
      return result;
    }
    state.requests.add(compaction);
    return result(state, agent, output, List.of(), null);
  }

  private RunResult result(
      RunState state,
      Agent agent,
      @Nullable String output,
      List<Interruption> interruptions,
      @Nullable RunState toResume) {
    return new RunResult(
        agent,
        output,
        state.userInput,
        state.newItems,
        interruptions,
        state.requests,
        state.lastResponseId,
        toResume);
  }

  /** What the model said in these items. */
  static String finalText(List<Item> output) {
    StringBuilder text = new StringBuilder();
    for (Item item : output) {
      if (item.view() instanceof View.Message message && message.role() == Role.ASSISTANT) {
        text.append(message.text());
      }
    }
    return text.toString();
  }
}
