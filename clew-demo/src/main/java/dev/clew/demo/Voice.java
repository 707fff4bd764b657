package dev.clew.demo;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the assistant says, in one language. Immutable. */
record Voice(Table table) {
  /** A sentence about events, days, words or nothing. */
  String say(String sentence, @Nullable Object... about) {
    Object[] words = Stream.of(about).map(this::words).toArray();
    return String.format(Locale.ROOT, table.sentence(sentence), words);
  }

  private Object words(@Nullable Object about) {
    if (about instanceof Event event) {
      return line(event);
    } else if (about instanceof Days days) {
      return days.isOne()
          ? say("on-day", day(days.first()))
          : say("on-days", day(days.first()), day(days.last()));
    } else if (about instanceof List<?> events) {
      return IntStream.range(0, events.size())
          .mapToObj(i -> i + 1 + ". " + words(events.get(i)))
          .collect(Collectors.joining("\n"));
    }
    return about == null ? "" : about;
  }

  /** Events that were asked for. */
  String listed(@Nullable Days days, String words, List<Event> events) {
    return events.isEmpty()
        ? noneFound(words, days)
        : say(days == null ? "listed" : "listed-on", events, days);
  }

  String noneFound(String words, @Nullable Days days) {
    return say(
        "none" + (words.isEmpty() ? "" : "-like") + (days == null ? "" : "-on"), words, days);
  }

  String found(String words, Hits hits) {
    if (hits.hits().isEmpty()) {
      return say("found-nothing", words);
    }
    String lines =
        hits.hits().stream()
            .map(hit -> say("hit", hit.text(), hit.session()))
            .collect(Collectors.joining());
    return say("found", words, lines) + (hits.partial() ? say("partial") : "");
  }

  String askWhen(String title, Times known, Times.Missing missing) {
    TimeOfDay start = known.start();
    if (missing == Times.Missing.HALF) {
      return start == null
          ? say("ask-morning")
          : say(
              "ask-half",
              time(start.hour(), start.minute()),
              time(start.hour() + 12, start.minute()));
    }
    String sentence = "ask-" + missing.name().toLowerCase(Locale.ROOT);
    return say(known.days() == null ? sentence : sentence + "-on", title, known.days());
  }

  private static String time(int hour, int minute) {
    return String.format(Locale.ROOT, "%02d:%02d", hour, minute);
  }

  private String line(Event event) {
    LocalDateTime start = event.start();
    String from = moment(start);
    String when =
        event
            .end()
            .map(
                end ->
                    from
                        + "–"
                        + (end.toLocalDate().equals(start.toLocalDate())
                            ? end.toLocalTime()
                            : moment(end)))
            .orElse(from);
    return say("line", event.title(), when);
  }

  private String moment(LocalDateTime moment) {
    return say("moment", day(moment.toLocalDate()), moment.toLocalTime());
  }

  private String day(LocalDate date) {
    return say(
        "day",
        name("weekdays", date.getDayOfWeek().getValue()),
        date.getDayOfMonth(),
        name("months", date.getMonthValue()),
        String.valueOf(date.getYear()));
  }

  /* Spelled out here: what a JDK calls a weekday in a locale changes from version to version. */
  private String name(String names, int number) {
    return table.sentence(names).split(" ", -1)[number - 1];
  }
}
