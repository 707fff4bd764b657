package dev.clew.demo;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The answers in English. Stateless. */
final class EnglishVoice implements Voice {
  private static final String CAN =
      "I can enter events (\"meeting tomorrow at 2pm\"), move, rename and cancel them, list a day"
          + " or a week, search earlier conversations and remember your name in this one.";

  @Override
  public String greeting() {
    return "Hello! " + help();
  }

  @Override
  public String thanks() {
    return "You are welcome.";
  }

  @Override
  public String farewell() {
    return "Goodbye.";
  }

  @Override
  public String help() {
    return "I am Clew's offline demonstration model, a small grammar and no language model. " + CAN;
  }

  @Override
  public String neverMind() {
    return "All right, nothing was changed.";
  }

  @Override
  public String unknown() {
    return "I do not understand that: I am an offline demonstration model with a small grammar. "
        + CAN;
  }

  @Override
  public String cannotSee() {
    return "I cannot see images or read files: I am an offline demonstration model.";
  }

  @Override
  public String nameNoted(String name) {
    return "Nice to meet you, " + name + ".";
  }

  @Override
  public String name(String name) {
    return "Your name is " + name + ".";
  }

  @Override
  public String nameUnknown() {
    return "I do not know: you have not told me your name in this conversation.";
  }

  @Override
  public String created(Event event) {
    return "Entered: " + line(event) + ".";
  }

  @Override
  public String changed(Event event) {
    return "Changed: " + line(event) + ".";
  }

  @Override
  public String renamed(Event event) {
    return "Renamed: " + line(event) + ".";
  }

  @Override
  public String cancelled(Event event) {
    return "Cancelled: " + line(event) + ".";
  }

  @Override
  public String kept(String title) {
    return "Not cancelled: \"" + title + "\" stays.";
  }

  @Override
  public String listed(@Nullable Days days, String words, List<Event> events) {
    if (events.isEmpty()) {
      return noneFound(words, days);
    }
    String heading = days == null ? "Coming up:" : "On your schedule " + days(days) + ":";
    return heading + "\n" + numbered(events);
  }

  @Override
  public String noneFound(String words, @Nullable Days days) {
    String where = days == null ? "" : " " + days(days);
    return words.isEmpty()
        ? "There is nothing on your schedule" + where + "."
        : "There is no event like \"" + words + "\" on your schedule" + where + ".";
  }

  @Override
  public String nothingToChange() {
    return "I do not know which event you mean: there is nothing on your schedule.";
  }

  @Override
  public String found(String words, Hits hits) {
    if (hits.hits().isEmpty()) {
      return "I found nothing about \"" + words + "\" in your earlier conversations.";
    }
    StringBuilder text = new StringBuilder("About \"" + words + "\" I found:");
    for (Hits.Hit hit : hits.hits()) {
      text.append("\n- ").append(hit.text()).append(" (session ").append(hit.session()).append(')');
    }
    return text + (hits.partial() ? "\nThe index is catching up, there may be more." : "");
  }

  @Override
  public String past() {
    return "That is in the past; name a time to come.";
  }

  @Override
  public String askTitle() {
    return "What is it? Tell me a title for it.";
  }

  @Override
  public String askWhen(String title, Times known, Times.Missing missing) {
    Days days = known.days();
    TimeOfDay start = known.start();
    return switch (missing) {
      case DAY ->
          days == null
              ? "On which day shall \"" + title + "\" be?"
              : "On which day " + days(days) + " shall \"" + title + "\" be?";
      case TIME ->
          "At what time" + (days == null ? "" : " " + days(days)) + " is \"" + title + "\"?";
      case HALF ->
          start == null
              ? "In the morning or in the afternoon?"
              : String.format(
                  Locale.ROOT,
                  "Do you mean %02d:%02d or %02d:%02d?",
                  start.hour(),
                  start.minute(),
                  start.hour() + 12,
                  start.minute());
      default -> "When is \"" + title + "\"? Tell me the day and the time.";
    };
  }

  @Override
  public String askNewTime(Event event) {
    return "To when shall I move " + line(event) + "?";
  }

  @Override
  public String askWhich(List<Event> events) {
    return "Which one do you mean?\n" + numbered(events);
  }

  @Override
  public String askWhichOf(List<Event> events) {
    return "Which event do you mean? On your schedule:\n" + numbered(events);
  }

  @Override
  public String trouble(String reason) {
    return "That did not work: " + reason;
  }

  @Override
  public String noTool(String tool) {
    return "I cannot do that here: this agent has no tool " + tool + ".";
  }

  @Override
  public String noClock() {
    return "I cannot do that here: my instructions do not say what day it is.";
  }

  @Override
  public String line(Event event) {
    return "\"" + event.title() + "\", " + when(event);
  }

  private static String when(Event event) {
    LocalDateTime start = event.start();
    String from = day(start.toLocalDate()) + ", " + start.toLocalTime();
    return event
        .end()
        .map(
            end ->
                from
                    + "–"
                    + (end.toLocalDate().equals(start.toLocalDate())
                        ? end.toLocalTime().toString()
                        : day(end.toLocalDate()) + ", " + end.toLocalTime()))
        .orElse(from);
  }

  private static String days(Days days) {
    return days.isOne()
        ? "on " + day(days.first())
        : "from " + day(days.first()) + " to " + day(days.last());
  }

  /* Spelled out here: what a JDK calls a weekday in a locale changes from version to version. */
  private static String day(LocalDate date) {
    String weekday = date.getDayOfWeek().name();
    String month = date.getMonth().name();
    return capital(weekday)
        + " "
        + date.getDayOfMonth()
        + " "
        + capital(month)
        + " "
        + date.getYear();
  }

  private static String capital(String word) {
    return word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT);
  }
}
