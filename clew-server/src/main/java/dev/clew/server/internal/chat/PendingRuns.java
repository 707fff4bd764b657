package dev.clew.server.internal.chat;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.agent.Interruption;
import dev.clew.agent.RunState;
import dev.clew.kit.Contended;
import dev.clew.server.internal.http.Problem;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The runs that wait for a person's decision, at most one per session. Thread-safe. They are
 * documents of the owner, so that any server can continue: {@code run/<digest of the session's id>}
 * holds {@link RunState#toJson}.
 *
 * <p>A run counts only while its calls are unanswered in the last turn of the session; undoing the
 * turn or starting another discards it.
 */
public record PendingRuns(SessionStore store) {
  static final Duration KEPT = Duration.ofDays(30);
  private static final int PAGE = 64;

  /**
   * A run that waits, or that was decided and may continue.
   *
   * @param version of its document
   */
  public record Pending(RunState state, long version) {}

  void keep(SessionKey key, RunState state) {
    put(key, state, OptionalLong.empty());
  }

  private void put(SessionKey key, RunState state, OptionalLong version) {
    store.documents().put(key.owner(), name(key), state.toJson(), version, Optional.of(KEPT));
  }

  public Optional<Pending> get(SessionKey key) {
    return store
        .documents()
        .get(key.owner(), name(key))
        .filter(record -> !record.json().equals("{}"))
        .map(record -> new Pending(RunState.fromJson(record.json()), record.version()))
        .filter(pending -> isCurrent(key, pending.state()));
  }

  void drop(SessionKey key) {
    if (store.documents().get(key.owner(), name(key)).isPresent()) {
      store.documents().delete(key.owner(), name(key));
    }
  }

  /** The run has continued and ended; another one may be waiting now. */
  void settled(SessionKey key, long version) {
    try {
      store
          .documents()
          .put(
              key.owner(),
              name(key),
              "{}",
              OptionalLong.of(version),
              Optional.of(Duration.ofMinutes(1)));
    } catch (ClewException.VersionConflict e) {
      // Dropped, or replaced by another one.
    }
  }

  /**
   * Approves or rejects a call.
   *
   * @param approve whether the decision approves; one that was decided otherwise stays so
   * @return the run with the decision, which may continue if nothing else waits
   */
  public Pending decide(
      SessionKey key, String callId, boolean approve, BiConsumer<RunState, Interruption> decision) {
    return Contended.repeat(
        () -> {
          Pending pending = get(key).orElseThrow(() -> nothingWaits(callId));
          RunState state = pending.state();
          if (state.interruptions().isEmpty()) {
            if (state.isApproved(callId).filter(approved -> approved == approve).isEmpty()) {
              throw nothingWaits(callId);
            }
            return pending; // decided before, and the server died or the decision came twice
          }
          Interruption call =
              state.interruptions().stream()
                  .filter(each -> each.callId().equals(callId))
                  .findFirst()
                  .orElseThrow(() -> nothingWaits(callId));
          decision.accept(state, call);
          put(key, state, OptionalLong.of(pending.version()));
          return get(key).orElseThrow(() -> nothingWaits(callId));
        });
  }

  private static Problem nothingWaits(String callId) {
    return Problem.refused(
        404, "approval_not_found", "call_id", "No call '" + callId + "' waits for a decision.");
  }

  private boolean isCurrent(SessionKey key, RunState state) {
    Set<String> wanted = new HashSet<>();
    state.interruptions().forEach(call -> wanted.add(call.callId()));
    for (Entry entry : Range.latest(PAGE).walk(store.session(key)::entries)) {
      Item item = entry.item();
      if (Window.startsTurn(item)) {
        break;
      }
      if (item.view() instanceof View.FunctionCallOutput output
          && wanted.contains(output.callId())) {
        return false;
      }
      if (item.view() instanceof View.FunctionCall call) {
        wanted.remove(call.callId());
      }
    }
    return wanted.isEmpty();
  }

  private static String name(SessionKey key) {
    return TurnMarks.name("run", key);
  }
}
