package dev.clew.adapter;

import dev.clew.Entry;
import dev.clew.ToolCallPairing;
import dev.clew.ToolCallPairing.Unpaired;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Leaves out tool calls that were never answered, and results without a call, which models refuse.
 * What is stored stays. Stateless.
 */
final class ToolPairs {
  private ToolPairs() {}

  /**
   * The messages as a model accepts them.
   *
   * @param open whether the calls of a turn that may be going on are kept
   */
  static <M> List<Framed<M>> repaired(
      List<Framed<M>> messages, MessageCodec<M> codec, boolean open) {
    ToolCallPairing pairing = new ToolCallPairing();
    for (Framed<M> message : messages) {
      for (Entry entry : message.entries()) {
        pairing.add(entry.position(), entry.item());
      }
    }
    List<Unpaired> unpaired = pairing.unpaired();
    if (unpaired.isEmpty()) {
      return messages;
    }
    long openFrom = open ? openFrom(messages) : Long.MAX_VALUE;
    List<Framed<M>> repaired = new ArrayList<>(messages.size());
    for (Framed<M> message : messages) {
      Set<String> ids = new HashSet<>();
      for (Unpaired one : unpaired) {
        boolean mine = one.position() >= message.first() && one.position() <= message.last();
        if (mine && (one.isOutput() || one.position() < openFrom)) {
          ids.add(one.callId());
        }
      }
      if (ids.isEmpty()) {
        repaired.add(message);
      } else {
        codec.without(message.message(), ids).map(message::showing).ifPresent(repaired::add);
      }
    }
    return repaired;
  }

  /** Where the turn begins that is still going on: only results follow from there. */
  private static <M> long openFrom(List<Framed<M>> messages) {
    long open = Long.MAX_VALUE;
    for (int i = messages.size() - 1; i >= 0; i--) {
      open = messages.get(i).first();
      if (!messages.get(i).entries().get(0).item().type().endsWith("_output")) {
        break;
      }
    }
    return open;
  }
}
