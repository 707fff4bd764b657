package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.ToolCallPairing;
import dev.clew.Window;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One try to compact a history. Used once, by one thread. */
final class CompactionAttempt {

  /** What does not change from try to try. */
  record Plan(
      CompactedHistory history,
      Compactor compactor,
      CompactionMode mode,
      CompactionTrigger trigger,
      boolean inPlace) {}

  private final Plan plan;
  private final CompactionOptions options;
  private final Optional<List<Item>> known;
  private final Optional<Commit.Fence> fence;
  private final Consumer<RunEvent> events;
  private OptionalInt started = OptionalInt.empty();
  private CompactedHistory.@Nullable Snapshot read;
  private @Nullable CompactionRequest request;
  private Usage cost = Usage.NONE;

  /**
   * @param known what the response knows, if that is known; otherwise the caller is trusted
   */
  CompactionAttempt(
      Plan plan,
      CompactionOptions options,
      Optional<List<Item>> known,
      Optional<Commit.Fence> fence,
      Consumer<RunEvent> events) {
    this.plan = plan;
    this.options = options;
    this.known = known;
    this.fence = fence;
    this.events = events;
  }

  CompactionReport run() {
    if (!options.force()
        && !plan.trigger()
            .shouldCompact(
                new CompactionTrigger.Context(
                    options.responseId(), () -> request().mode(), this::items))) {
      return CompactionReport.not("there is no reason to", 0, Usage.NONE);
    }
    List<Item> items = items();
    if (items.isEmpty() || (items.size() == 1 && Summary.isCompaction(items.get(0)))) {
      return CompactionReport.not("there is nothing to compact", items.size(), Usage.NONE);
    }
    if (callIsOpen(items)) {
      return CompactionReport.not("a call waits for its output", items.size(), Usage.NONE);
    }
    if (wanted() == CompactionMode.PREVIOUS_RESPONSE_ID && request().responseId().isEmpty()) {
      return CompactionReport.not(
          "no response at the provider knows the whole history", items.size(), Usage.NONE);
    }
    started = OptionalInt.of(items.size());
    events.accept(new RunEvent.CompactionStarted(items.size()));
    Compaction compaction = plan.compactor().compact(request());
    cost = compaction.usage();
    return put(items, compaction.items());
  }

  private CompactionReport put(List<Item> items, List<Item> output) {
    if (output.isEmpty()) {
      throw new ClewException.ModelFailed(
          "the compactor returned nothing, which would empty the history", null, false);
    }
    if (output.equals(request().items())) {
      return CompactionReport.not("it is short enough", items.size(), cost);
    }
    boolean done =
        plan.inPlace()
            ? snapshot().append(oneItem(output), fence)
            : snapshot().replace(output, fence);
    return done
        ? new CompactionReport(
            true,
            options.force() ? "it was asked for" : "the trigger wanted it",
            items.size(),
            plan.inPlace() ? 1 : output.size(),
            cost)
        : CompactionReport.not("the history was changed meanwhile", items.size(), cost);
  }

  private Item oneItem(List<Item> output) {
    for (int i = output.size() - 1; i >= 0; i--) {
      if (Summary.isCompaction(output.get(i))) {
        return output.get(i);
      }
    }
    throw new ClewException.ModelFailed(
        "the compactor made no compaction item, and the history is to be left in place; build the"
            + " CompactionSession without inPlace()",
        null,
        false);
  }

  private CompactedHistory.Snapshot snapshot() {
    if (read == null) {
      read = plan.inPlace() ? plan.history().readNewest() : plan.history().read();
    }
    return read;
  }

  /** The history, or what a window shows of it if everything is left in place. */
  private List<Item> items() {
    return snapshot().items();
  }

  /** Whether the response was shown all that a window shows of these items. */
  private boolean isKnown(List<Item> modelInput) {
    if (known.isEmpty()) {
      return true; // the caller says so
    }
    int start = Math.max(0, Window.compactionStart(modelInput));
    return known.get().equals(modelInput.subList(start, modelInput.size()));
  }

  private CompactionMode wanted() {
    return options.compactionMode().orElse(plan.mode());
  }

  private CompactionRequest request() {
    if (request == null) {
      CompactionRequest fromItems =
          new CompactionRequest(Repair.repaired(items()), Optional.empty(), plan.inPlace());
      boolean follow =
          wanted() != CompactionMode.INPUT
              && options.store()
              && plan.compactor().canFollowResponses()
              && isKnown(fromItems.modelInput());
      request =
          follow
              ? new CompactionRequest(fromItems.items(), options.responseId(), plan.inPlace())
              : fromItems;
    }
    return request;
  }

  /** Reports the end of a compaction that was started; an empty report means it failed. */
  void tell(Optional<CompactionReport> report) {
    if (started.isPresent()) {
      events.accept(
          new RunEvent.CompactionFinished(
              report.orElseGet(() -> CompactionReport.not("it failed", started.getAsInt(), cost))));
    }
  }

  Usage cost() {
    return cost;
  }

  /** What was compacted, as far as that was decided. */
  String mode() {
    return read == null ? "undecided" : request().mode().name();
  }

  /** Whether the last turn has a call whose output may still come. */
  private static boolean callIsOpen(List<Item> items) {
    ToolCallPairing pairing = new ToolCallPairing();
    int start = items.size() - 1;
    while (start > 0 && !Window.startsTurn(items.get(start))) {
      start--;
    }
    for (int i = start; i < items.size(); i++) {
      pairing.add(i, items.get(i));
    }
    return pairing.unpaired().stream().anyMatch(lone -> !lone.isOutput());
  }
}
