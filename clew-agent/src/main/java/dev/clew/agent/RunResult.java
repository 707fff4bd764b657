package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of a run. Immutable. */
public final class RunResult {
  private final Agent lastAgent;
  private final @Nullable String finalOutput;
  private final List<Item> input;
  private final List<Item> newItems;
  private final List<Interruption> interruptions;
  private final List<Usage> requests;
  private final @Nullable String lastResponseId;
  private final @Nullable RunState state;

  RunResult(
      Agent lastAgent,
      @Nullable String finalOutput,
      List<Item> input,
      List<Item> newItems,
      List<Interruption> interruptions,
      List<Usage> requests,
      @Nullable String lastResponseId,
      @Nullable RunState state) {
    this.lastAgent = lastAgent;
    this.finalOutput = finalOutput;
    this.input = List.copyOf(input);
    this.newItems = List.copyOf(newItems);
    this.interruptions = List.copyOf(interruptions);
    this.requests = List.copyOf(requests);
    this.lastResponseId = lastResponseId;
    this.state = state;
  }

  /** The answer; empty while a person has to decide first. */
  public String finalOutput() {
    return finalOutput == null ? "" : finalOutput;
  }

  /**
   * The answer as a value, for an agent with that output type.
   *
   * @throws ClewException.ModelFailed if the model's text is not one
   */
  public <T> T finalOutput(Class<T> type) {
    try {
      return type.cast(Schemas.value(Schemas.tree(finalOutput()), type));
    } catch (Schemas.Mismatch e) {
      throw new ClewException.ModelFailed(
          "the answer is not a " + type.getSimpleName() + ": " + e.getMessage(), e, true);
    }
  }

  /** The agent that spoke last. */
  public Agent lastAgent() {
    return lastAgent;
  }

  /** What the run added after the user's input: answers, calls, outputs. */
  public List<Item> newItems() {
    return newItems;
  }

  /** The user's input and what the run added, for those who keep the history themselves. */
  public List<Item> toInputList() {
    List<Item> all = new ArrayList<>(input);
    all.addAll(newItems);
    return List.copyOf(all);
  }

  /** What a person has to decide; empty if the run is done. */
  public List<Interruption> interruptions() {
    return interruptions;
  }

  /**
   * Where the run stopped, to resume it after a decision.
   *
   * @throws IllegalStateException if the run is done
   */
  public RunState toState() {
    if (state == null) {
      throw new IllegalStateException("the run is done; there is nothing to resume");
    }
    return state;
  }

  /** What each request to the model cost, in order. */
  public List<Usage> requests() {
    return requests;
  }

  /** What all requests together cost. */
  public Usage usage() {
    return requests.stream().reduce(Usage.NONE, Usage::plus);
  }

  /** The provider's id of the last response, if it has one. */
  public Optional<String> lastResponseId() {
    return Optional.ofNullable(lastResponseId);
  }
}
