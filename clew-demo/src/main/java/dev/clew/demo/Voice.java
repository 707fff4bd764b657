package dev.clew.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the assistant says, in one language. Implementations are stateless. */
interface Voice {
  /** An event and when it is. */
  String line(Event event);

  /** Events on a line each, with the number by which one can be picked. */
  default String numbered(List<Event> events) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < events.size(); i++) {
      lines.append(i == 0 ? "" : "\n").append(i + 1).append(". ").append(line(events.get(i)));
    }
    return lines.toString();
  }

  String greeting();

  String thanks();

  String farewell();

  /** What this is and what it can do. */
  String help();

  String neverMind();

  /** It is outside the grammar. */
  String unknown();

  /** Something was attached that is not text. */
  String cannotSee();

  String nameNoted(String name);

  String name(String name);

  String nameUnknown();

  String created(Event event);

  String changed(Event event);

  String renamed(Event event);

  String cancelled(Event event);

  /** A person said no. */
  String kept(String title);

  String listed(@Nullable Days days, String words, List<Event> events);

  String noneFound(String words, @Nullable Days days);

  String nothingToChange();

  String found(String words, Hits hits);

  String past();

  String askTitle();

  String askWhen(String title, Times known, Times.Missing missing);

  String askNewTime(Event event);

  /** Several fit. */
  String askWhich(List<Event> events);

  /** The conversation does not say; these there are. */
  String askWhichOf(List<Event> events);

  /** A tool has failed. */
  String trouble(String reason);

  /** The agent does not have the tool that this needs. */
  String noTool(String tool);

  /** The instructions do not say what time it is. */
  String noClock();
}
