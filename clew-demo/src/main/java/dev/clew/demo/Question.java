package dev.clew.demo;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A question of the assistant that waits for an answer. Immutable. */
sealed interface Question {
  /** What a fragment means as the answer; nothing if it is no answer. */
  Optional<Intent> answer(Intent.Fragment said, Grammar grammar, LocalDateTime now);

  /** When a new event is. */
  record When(Intent.Create create) implements Question {
    @Override
    public Optional<Intent> answer(Intent.Fragment said, Grammar grammar, LocalDateTime now) {
      Timed timed = grammar.timeOnly(said.text(), now);
      return timed.isOnlyTime()
          ? Optional.of(new Intent.Create(create.title(), create.times().and(timed.times()), true))
          : Optional.empty();
    }
  }

  /** The title of a new event. */
  record Title(Intent.Create create) implements Question {
    @Override
    public Optional<Intent> answer(Intent.Fragment said, Grammar grammar, LocalDateTime now) {
      String title = grammar.title(said.text());
      return title.isEmpty() || !said.times().isEmpty()
          ? Optional.empty()
          : Optional.of(new Intent.Create(title, create.times(), true));
    }
  }

  /** The new time of an event. */
  record NewTime(Intent.Change change) implements Question {
    @Override
    public Optional<Intent> answer(Intent.Fragment said, Grammar grammar, LocalDateTime now) {
      Timed timed = grammar.timeOnly(said.text(), now);
      return timed.isOnlyTime()
          ? Optional.of(new Intent.Change(change.which(), change.to().and(timed.times())))
          : Optional.empty();
    }
  }

  /** Which of several events is meant. */
  record Which(Intent.OnEvent intent, List<Event> candidates) implements Question {
    @Override
    public Optional<Intent> answer(Intent.Fragment said, Grammar grammar, LocalDateTime now) {
      if (candidates.size() == 1 && grammar.isYes(said.text())) {
        return picked(candidates);
      }
      Reference meant = grammar.reference(said.text(), now);
      if (meant instanceof Reference.Place place) {
        int index = place.number() < 0 ? candidates.size() - 1 : place.number() - 1;
        return index >= 0 && index < candidates.size()
            ? picked(List.of(candidates.get(index)))
            : Optional.empty();
      }
      if (meant instanceof Reference.All && intent instanceof Intent.Cancel) {
        return Optional.of(intent.with(meant));
      }
      return meant instanceof Reference.Like like
          ? picked(candidates.stream().filter(event -> isLike(event, like)).toList())
          : Optional.empty();
    }

    private Optional<Intent> picked(List<Event> events) {
      return events.size() == 1
          ? Optional.of(intent.with(new Reference.Picked(events.get(0))))
          : Optional.empty();
    }
  }

  /** Whether an event has these words in its title and is at that time. */
  static boolean isLike(Event event, Reference.Like like) {
    if (!event.hasWords(like.words().toLowerCase(Locale.ROOT))) {
      return false;
    }
    Days days = like.times().days();
    TimeOfDay start = like.times().start();
    LocalDateTime begins = event.start();
    boolean sameDay =
        days == null
            || (!begins.toLocalDate().isBefore(days.first())
                && !begins.toLocalDate().isAfter(days.last()));
    return sameDay
        && (start == null
            || start.minutesLike(begins.getHour()) == begins.getHour() * 60 + begins.getMinute());
  }
}
