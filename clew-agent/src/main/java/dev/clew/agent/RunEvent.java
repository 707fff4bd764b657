package dev.clew.agent;

import dev.clew.Draft;
import dev.clew.Item;
import java.util.List;
import java.util.Optional;

/**
 * Something that happened in a run. Immutable. Events come in the order in which things happened.
 */
public sealed interface RunEvent {

  /** An agent has its turn: the first one, or one that was handed over to. */
  record AgentStarted(String agent) implements RunEvent {}

  /** The model is asked; how many items it is shown. */
  record ModelAsked(String agent, int inputItems) implements RunEvent {}

  /** More text of the answer. */
  record TextDelta(String text) implements RunEvent {}

  /** More of the reasoning that the model shows. */
  record ReasoningDelta(String text) implements RunEvent {}

  /** More of the arguments of a tool call. */
  record ArgumentsDelta(String callId, String text) implements RunEvent {}

  /** The model has answered. */
  record ModelAnswered(String agent, Usage usage, Optional<String> responseId)
      implements RunEvent {}

  /** A tool is called. */
  record ToolStarted(String callId, String tool, String arguments) implements RunEvent {}

  /** A tool has answered, or failed, which is an answer too. */
  record ToolFinished(String callId, String tool, String output, boolean failed)
      implements RunEvent {}

  /** A person has to decide before the run can continue. */
  record ApprovalNeeded(Interruption interruption) implements RunEvent {}

  /**
   * The run stops until the calls are decided, and resumes from this state. Sent while the run
   * still holds its session.
   */
  record Interrupted(RunState state) implements RunEvent {}

  /** One agent has handed over to another. */
  record HandedOff(String from, String to) implements RunEvent {}

  /**
   * These items are stored now with these notes; without a session, they are part of the run. The
   * notes of the output of a tool say how the call ended, such as {@code
   * {"outcome":"failed","duration_ms":120}}: {@code done}, {@code failed}, {@code denied} by a
   * person, or {@code not_run}.
   */
  record StepStored(List<Draft> drafts) implements RunEvent {
    /** The items without their notes. */
    public List<Item> items() {
      return drafts.stream().map(Draft::item).toList();
    }
  }

  /**
   * The answer is stored and the history has grown long, so a {@link CompactionSession} compacts it
   * before the run ends; how many items it has. Compactions in the background send no events.
   */
  record CompactionStarted(int items) implements RunEvent {}

  /** The result of a compaction. If it failed, the history is unchanged. */
  record CompactionFinished(CompactionReport report) implements RunEvent {}
}
