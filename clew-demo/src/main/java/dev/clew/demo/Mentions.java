package dev.clew.demo;

import dev.clew.demo.Conversation.Result;
import dev.clew.demo.Conversation.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The events a conversation was about, the newest first. Immutable. Each group was mentioned at
 * once: one event by itself, or those of a list. A group without events is one that was cancelled.
 */
record Mentions(List<List<Event>> groups) {

  /** What was mentioned in these turns. */
  static Mentions in(List<Turn> turns) {
    List<List<Event>> groups = new ArrayList<>();
    for (Turn turn : turns) {
      for (Result result : turn.results()) {
        List<Event> events = result.events();
        switch (result.tool()) {
          case Tools.CREATE, Tools.UPDATE -> {
            forget(groups, events);
            add(groups, events);
          }
          case Tools.LIST -> add(groups, events);
          case Tools.CANCEL -> {
            if (!events.isEmpty()) {
              forget(groups, events);
              groups.add(0, List.of());
            }
          }
          default -> {}
        }
      }
    }
    return new Mentions(List.copyOf(groups));
  }

  private static void add(List<List<Event>> groups, List<Event> events) {
    if (!events.isEmpty()) {
      groups.add(0, List.copyOf(events));
    }
  }

  /** What was known of them is out of date. */
  private static void forget(List<List<Event>> groups, List<Event> events) {
    groups.replaceAll(
        group ->
            group.stream()
                .filter(old -> events.stream().noneMatch(event -> event.id().equals(old.id())))
                .toList());
    groups.removeIf(List::isEmpty);
  }

  /** Those mentioned last. */
  List<Event> last() {
    return groups.isEmpty() ? List.of() : groups.get(0);
  }

  /** Those mentioned last whose title says that they are of a kind, else those mentioned last. */
  List<Event> last(String noun) {
    for (List<Event> group : groups) {
      List<Event> alike = ofKind(group, noun);
      if (!alike.isEmpty()) {
        return alike;
      }
    }
    return last();
  }

  /** Those whose title says that they are of a kind. */
  static List<Event> ofKind(List<Event> events, String noun) {
    List<String> names =
        switch (noun) {
          case "meeting", "会", "会议" -> List.of("meeting", "会");
          case "call" -> List.of("call", "电话");
          default -> List.of();
        };
    return events.stream()
        .filter(
            event -> {
              String title = event.title().toLowerCase(Locale.ROOT);
              return names.stream().anyMatch(title::contains);
            })
        .toList();
  }
}
