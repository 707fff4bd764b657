package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import java.util.Optional;
import java.util.stream.Collectors;

/** A piece of an answer that is on its way. Immutable. */
public sealed interface ModelEvent {

  /**
   * The model begins an item. Not every model says so.
   *
   * @param item what is known of it: its type, its id, the name of the tool it calls
   */
  record ItemStarted(Item item) implements ModelEvent {}

  /** An item is complete, and others may follow. Not every model says so. */
  record ItemDone(Item item) implements ModelEvent {}

  /** More text of the message that is being written. */
  record TextDelta(String text) implements ModelEvent {}

  /** More of the model's refusal to answer. */
  record RefusalDelta(String text) implements ModelEvent {}

  /** More of the reasoning that the model shows. */
  record ReasoningDelta(String text) implements ModelEvent {}

  /** More of the arguments of a tool call. */
  record ArgumentsDelta(String callId, String text) implements ModelEvent {}

  /** The text of a whole message, or its refusal, for models that do not stream. */
  static Optional<ModelEvent> ofWhole(Item item) {
    if (!(item.view() instanceof View.Message message)
        || message.role() != Role.ASSISTANT
        || message.text().isEmpty()) {
      return Optional.empty();
    }
    String text =
        message.content().stream()
            .filter(Part.Text.class::isInstance)
            .map(part -> ((Part.Text) part).text())
            .collect(Collectors.joining());
    return Optional.of(text.isEmpty() ? new RefusalDelta(message.text()) : new TextDelta(text));
  }
}
