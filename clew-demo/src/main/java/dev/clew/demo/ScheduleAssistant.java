package dev.clew.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.clew.agent.Agent;
import dev.clew.agent.RunContext;
import dev.clew.agent.Tool;
import java.time.Clock;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An agent that keeps a schedule: enters, moves, renames, lists and cancels events, and searches
 * earlier conversations. Thread-safe.
 *
 * <p>Events belong to the owner of the session and are kept in the records of its store, so all of
 * the owner's sessions share them and they are erased with the owner. Cancelling needs a person's
 * approval. It is made for {@link OfflineModel} and works with any model that can call tools.
 */
public final class ScheduleAssistant {
  private static final int LONGEST_TITLE = 200;
  private static final int MOST_LISTED = 50;
  private static final int MOST_MINUTES = 31 * 24 * 60;

  private final Clock clock;
  private final ZoneId zone;
  private final EventBooks books = new EventBooks();

  private ScheduleAssistant(Clock clock, ZoneId zone) {
    this.clock = clock;
    this.zone = zone;
  }

  /**
   * The agent.
   *
   * @param clock tells the time
   * @param zone where the person is who speaks of "tomorrow at 2pm"
   */
  public static Agent agent(Clock clock, ZoneId zone) {
    ScheduleAssistant assistant = new ScheduleAssistant(clock, zone);
    return Agent.builder()
        .name("ScheduleAssistant")
        .description("Keeps the user's schedule.")
        .instructions(run -> assistant.instructions())
        .tools(
            Tool.inRun(
                Tools.CREATE,
                "Enter an event into the schedule. The start is a local time; minutes may be null.",
                Create.class,
                assistant::create),
            Tool.inRun(
                Tools.UPDATE,
                "Change an event: only what is not null. The start is a local time.",
                Update.class,
                assistant::update),
            Tool.inRun(
                Tools.LIST,
                "The events from one day to another, both included; with a query only those that have"
                    + " its words in the title.",
                ListEvents.class,
                assistant::list),
            Tool.inRun(
                    Tools.CANCEL,
                    "Take an event out of the schedule. The title must be the event's.",
                    Cancel.class,
                    assistant::cancel)
                .needingApproval(),
            Tool.inRun(
                Tools.SEARCH,
                "Search the user's earlier conversations for words.",
                Search.class,
                (search, run) -> HistorySearch.search(search.query(), run)))
        .build();
  }

  private LocalDateTime now() {
    return LocalDateTime.now(clock.withZone(zone)).truncatedTo(ChronoUnit.MINUTES);
  }

  private String instructions() {
    LocalDateTime now = now();
    return String.format(
        "You keep the user's schedule with the tools you have. Answer in the user's "
            + "language, shortly. Never make up an event: what is in the schedule only the tools "
            + "know. If it is not clear which event or which time is meant, ask. To change or "
            + "cancel an event you need its id: take it from this conversation, or list the events "
            + "first. Before an event is cancelled the user is asked for approval anyway, so do "
            + "not ask yourself; if it is not given, the event stays. What was said in other "
            + "conversations you find with %s. It is %s on a %s in %s; all times are local times "
            + "there.",
        Tools.SEARCH, now, now.getDayOfWeek().name().toLowerCase(Locale.ROOT), zone.getId());
  }

  record Create(String title, LocalDateTime start, @Nullable Integer minutes) {}

  record Update(
      @JsonProperty("event_id") String eventId,
      @Nullable LocalDateTime start,
      @Nullable Integer minutes,
      @Nullable String title) {}

  record ListEvents(LocalDate from, LocalDate to, @Nullable String query) {}

  record Cancel(@JsonProperty("event_id") String eventId, String title) {}

  record Search(String query) {}

  record Listed(List<Event> events) {}

  private Event create(Create create, RunContext run) {
    OffsetDateTime start = toCome(create.start());
    String title = title(create.title());
    Integer minutes = minutes(create.minutes());
    return books.change(
        run,
        book -> {
          EventBook.Changed<EventBook.Entry> added = book.add(title, start, minutes);
          return new EventBook.Changed<>(added.book(), added.answer().in(zone));
        });
  }

  private Event update(Update update, RunContext run) {
    @Nullable OffsetDateTime start = update.start() == null ? null : toCome(update.start());
    @Nullable String title = update.title() == null ? null : title(update.title());
    @Nullable Integer minutes = minutes(update.minutes());
    return books.change(
        run,
        book -> {
          EventBook.Entry old = book.get(update.eventId());
          EventBook.Entry changed =
              new EventBook.Entry(
                  old.id(),
                  title == null ? old.title() : title,
                  start == null ? old.start() : start,
                  minutes == null ? old.minutes() : minutes);
          return new EventBook.Changed<>(book.with(changed), changed.in(zone));
        });
  }

  private Listed list(ListEvents list, RunContext run) {
    String words = Optional.ofNullable(list.query()).orElse("").toLowerCase(Locale.ROOT).strip();
    return new Listed(
        books.read(run).entries().stream()
            .map(entry -> entry.in(zone))
            .filter(event -> !event.start().toLocalDate().isBefore(list.from()))
            .filter(event -> !event.start().toLocalDate().isAfter(list.to()))
            .filter(event -> event.hasWords(words))
            .limit(MOST_LISTED)
            .toList());
  }

  /** What a person agreed to is what was shown, so another title means another decision. */
  private Event cancel(Cancel cancel, RunContext run) {
    return books.change(
        run,
        book -> {
          EventBook.Entry entry = book.get(cancel.eventId());
          if (!entry.title().equals(cancel.title())) {
            throw new IllegalArgumentException(
                "event " + entry.id() + " is called \"" + entry.title() + "\" now; ask again");
          }
          return new EventBook.Changed<>(book.without(entry.id()), entry.in(zone));
        });
  }

  private OffsetDateTime toCome(LocalDateTime start) {
    if (!start.isAfter(now())) {
      throw new IllegalArgumentException(start + " is in the past");
    }
    return start.atZone(zone).toOffsetDateTime();
  }

  private static String title(String title) {
    String stripped = title.strip();
    if (stripped.isEmpty() || stripped.length() > LONGEST_TITLE) {
      throw new IllegalArgumentException("a title has 1 to " + LONGEST_TITLE + " characters");
    }
    return stripped;
  }

  private static @Nullable Integer minutes(@Nullable Integer minutes) {
    if (minutes != null && (minutes < 1 || minutes > MOST_MINUTES)) {
      throw new IllegalArgumentException("an event takes 1 minute to 31 days");
    }
    return minutes;
  }
}
