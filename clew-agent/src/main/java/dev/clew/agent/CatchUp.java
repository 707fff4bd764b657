package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings a repeated run up to what the history already holds of it, so that nothing is done twice:
 * after a message that was delivered again, or a decision that was sent again. Stateless.
 */
final class CatchUp {
  private CatchUp() {}

  /** Takes over what was stored after what the state knows. */
  static void apply(RunState state, Agent root, List<Item> later) {
    state.step += later.size(); // those steps have used up at most so many numbers
    for (Item item : later) {
      state.newItems.add(item);
      if (item.view() instanceof View.FunctionCall) {
        state.pending.add(item);
      } else if (item.view() instanceof View.FunctionCallOutput output) {
        done(state, root, output.callId());
      }
    }
  }

  private static void done(RunState state, Agent root, String callId) {
    Optional<Item> call =
        state.pending.stream()
            .filter(item -> RunState.call(item).callId().equals(callId))
            .findFirst();
    if (call.isEmpty()) {
      return;
    }
    state.pending.remove(call.get());
    String tool = RunState.call(call.get()).name();
    root.find(state.agent)
        .flatMap(
            agent ->
                agent.handoffs().stream().filter(a -> a.handoffName().equals(tool)).findFirst())
        .ifPresent(target -> state.agent = target.name());
  }

  /** The items of a turn that were stored after those the state knows. */
  static List<Item> later(RunState state, Ledger ledger) {
    Item call = state.pending.get(0);
    List<Item> stored = new ArrayList<>(ledger.read(Optional.of(from(call))));
    if (stored.isEmpty()) {
      throw new ClewException.VersionConflict(
          "the call of '"
              + RunState.call(call).name()
              + "' that was decided about is no longer in the session, so the run cannot continue;"
              + " ask again");
    }
    state
        .newItems
        .subList(state.newItems.lastIndexOf(call), state.newItems.size())
        .forEach(stored::remove);
    return untilNextTurn(stored);
  }

  private static List<Item> untilNextTurn(List<Item> items) {
    for (int i = 0; i < items.size(); i++) {
      if (Window.startsTurn(items.get(i))) {
        return items.subList(0, i);
      }
    }
    return items;
  }

  /** The newest items from this one on, or nothing if it is not there. */
  private static Window from(Item first) {
    return session -> {
      for (int limit = 64;
          ;
          limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2) {
        List<Item> items = session.getItems(limit);
        int start = items.lastIndexOf(first);
        if (start >= 0) {
          return items.subList(start, items.size());
        }
        if (items.size() < limit) {
          return List.of();
        }
      }
    };
  }

  /** Whether these items end with an answer, and not with one that was cut off. */
  static boolean isAnswered(List<Item> items) {
    if (items.isEmpty()) {
      return false;
    }
    Item last = items.get(items.size() - 1);
    return last.view() instanceof View.Message message
        && message.role() == Role.ASSISTANT
        && !"incomplete".equals(Json.string(Json.fields(last.json()).get("status")));
  }

  /** The history up to where the turn begins that these items end, if they end it. */
  static Optional<List<Item>> before(List<Item> history, List<Item> input, List<Item> later) {
    List<Item> turn = new ArrayList<>(input);
    turn.addAll(later);
    int start = history.size() - turn.size();
    return start >= 0 && history.subList(start, history.size()).equals(turn)
        ? Optional.of(history.subList(0, start + input.size()))
        : Optional.empty();
  }
}
