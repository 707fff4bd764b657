package dev.clew.adk;

import com.google.adk.events.Event;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.Part;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Leaves out function calls that were never answered, which models refuse. Stateless.
 *
 * <p>The calls of tools that ADK has marked as long-running stay: their results may still come. An
 * event stays even if nothing of its content is left, for what else it says; ADK shows models no
 * event without parts, and no result without its call.
 */
final class UnansweredCalls {
  private UnansweredCalls() {}

  /** The events as models accept them. */
  static List<Event> leftOut(List<Event> events) {
    Set<String> answered = new HashSet<>();
    for (Event event : events) {
      for (FunctionResponse response : event.functionResponses()) {
        response.id().ifPresent(answered::add);
      }
    }
    return events.stream().map(event -> leftOut(event, answered)).toList();
  }

  private static Event leftOut(Event event, Set<String> answered) {
    Set<String> unanswered = new HashSet<>();
    for (FunctionCall call : event.functionCalls()) {
      call.id().ifPresent(unanswered::add);
    }
    unanswered.removeAll(answered);
    unanswered.removeAll(event.longRunningToolIds().orElse(Set.of()));
    if (unanswered.isEmpty()) {
      return event;
    }
    Content content = event.content().orElseThrow();
    List<Part> left =
        content.parts().orElseThrow().stream()
            .filter(part -> callId(part).filter(unanswered::contains).isEmpty())
            .toList();
    return event.toBuilder().content(content.toBuilder().parts(left).build()).build();
  }

  private static Optional<String> callId(Part part) {
    return part.functionCall().flatMap(FunctionCall::id);
  }
}
