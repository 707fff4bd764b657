package dev.clew.demo;

import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** What the sentences of a language mean. Immutable. */
record Grammar(Table table) {
  private static final String END = "[。！？.!?…~，,]+$";

  /** What a sentence means; a fragment if it is none of ours. */
  Intent read(String sentence, LocalDateTime now) {
    String whole = Phrase.tidy(sentence.strip().replaceAll(END, ""));
    String text = table.without("polite", whole);
    for (Intent.Simple simple : Intent.Simple.values()) {
      String phrases = simple.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (table.matches(phrases, whole) || table.matches(phrases, text)) {
        return simple;
      }
    }
    return name(sentence)
        .<Intent>map(Intent.TellName::new)
        .or(() -> list(text, now))
        .or(() -> search(text))
        .or(() -> change(text, now))
        .or(() -> create(text, sentence.strip().endsWith("?"), now))
        .orElseGet(() -> new Intent.Fragment(text, timeOnly(text, now).times()));
  }

  /** The name that the user gives in a sentence. */
  Optional<String> name(String sentence) {
    return table
        .match("name", sentence.strip().replaceAll(END, "").strip())
        .map(found -> found.need("name").strip());
  }

  private Optional<Intent> list(String text, LocalDateTime now) {
    Timed timed = time(text, now);
    boolean asks = !timed.times().hasClock() || table.find("asking", timed.rest()).isPresent();
    if (asks && table.matches("list", timed.rest())) {
      return Optional.of(new Intent.ListEvents(timed.times(), ""));
    }
    return table
        .match("when", timed.rest())
        .map(when -> new Intent.ListEvents(timed.times(), telling(when.need("words"))));
  }

  private Optional<Intent> search(String text) {
    return table.match("search", text).map(found -> new Intent.Search(found.need("words").strip()));
  }

  private Optional<Intent> change(String text, LocalDateTime now) {
    return table
        .match("rename", text)
        .map(found -> rename(found, now))
        .or(() -> table.match("cancel", text).map(found -> new Intent.Cancel(which(found, now))))
        .or(() -> table.match("make", text).flatMap(found -> moveTo(found, now)))
        .or(() -> table.match("rather", text).flatMap(found -> moveTo(found, now)))
        .or(() -> table.match("move", text).flatMap(found -> move(found, text, now)))
        .or(
            () ->
                table
                    .match("retitle", text)
                    .filter(found -> timeOnly(found.need("title"), now).times().isEmpty())
                    .map(found -> rename(found, now)));
  }

  private Intent rename(Phrase.Found found, LocalDateTime now) {
    String title = found.need("title").strip();
    String unquoted = table.match("quoted", title).map(quote -> quote.need("title")).orElse(title);
    return new Intent.Rename(which(found, now), unquoted);
  }

  private Reference which(Phrase.Found found, LocalDateTime now) {
    return reference(Objects.requireNonNullElse(found.get("which"), ""), now);
  }

  private Optional<Intent> moveTo(Phrase.Found found, LocalDateTime now) {
    Timed to = timeOnly(found.need("to"), now);
    return to.isOnlyTime()
        ? Optional.of(new Intent.Change(which(found, now), to.times()))
        : Optional.empty();
  }

  /** "X to TIME", where X may have a "to" of its own; or "X TIME later". */
  private Optional<Intent> move(Phrase.Found found, String text, LocalDateTime now) {
    String what = Objects.requireNonNullElse(found.get("what"), "");
    Optional<Intent> moved =
        new Cutter(what)
            .take(
                table.phrases("move-to"),
                to -> {
                  Timed target = timeOnly(what.substring(to.end()), now);
                  return target.isOnlyTime()
                      ? Optional.of(
                          new Intent.Change(
                              reference(what.substring(0, to.start()), now), target.times()))
                      : Optional.empty();
                });
    if (moved.isPresent()) {
      return moved;
    }
    Cutter words = new Cutter(what);
    Optional<Duration> shift = TimeReader.takeShift(table, words);
    if (shift.isPresent()) {
      boolean forward = table.matches("forward", text) && !shift.get().isNegative();
      Duration by = forward ? shift.get().negated() : shift.get();
      Reference which = reference(table.without("direction", words.rest()), now);
      return Optional.of(new Intent.Change(which, Times.NONE.withShift(by)));
    }
    return found.has("alone")
        ? Optional.of(new Intent.Change(reference(what, now), Times.NONE))
        : Optional.empty();
  }

  private Optional<Intent> create(String text, boolean question, LocalDateTime now) {
    Optional<Phrase.Found> quoted = table.find("quoted", text);
    Timed timed =
        time(
            quoted
                .map(q -> text.substring(0, q.start()) + " " + text.substring(q.end()))
                .orElse(text),
            now);
    Times times = timed.times();
    String said = timed.rest();
    Optional<Phrase.Found> verb =
        table
            .find("create", said)
            .or(() -> table.find("have", said).filter(unused -> !times.isEmpty()));
    String title =
        quoted
            .map(quote -> quote.need("title"))
            .orElseGet(() -> title(verb.map(v -> said.substring(v.end())).orElse(said)));
    if (verb.isPresent()) {
      return Optional.of(new Intent.Create(title, times, true));
    }
    boolean asks = table.find("no-title", question ? said + "?" : said).isPresent();
    return asks || title.isEmpty() || !times.saysWhen()
        ? Optional.empty()
        : Optional.of(new Intent.Create(title, times, false));
  }

  /** Words that are a title. */
  String title(String words) {
    return table.without("around", words.strip());
  }

  /** Which event words mean. */
  Reference reference(String words, LocalDateTime now) {
    String text = words.strip();
    if (table.matches("last", text)) {
      return new Reference.Last();
    }
    Optional<Phrase.Found> which = table.match("which", text);
    if (which.isPresent()) {
      return new Reference.Place(table.number("place", which.get().need("place")));
    }
    Timed timed = time(text, now);
    if (table.matches("all", timed.rest())) {
      return new Reference.All(timed.times());
    }
    return table
        .match("kind", text)
        .<Reference>map(kind -> new Reference.Kind(kind.need("kind").toLowerCase(Locale.ROOT)))
        .orElseGet(() -> new Reference.Like(telling(timed.rest()), timed.times()));
  }

  /** The words that tell one event from another. */
  private String telling(String words) {
    return table.without("filler", words);
  }

  private Timed time(String text, LocalDateTime now) {
    return TimeReader.read(table, text, now);
  }

  /** A time where nothing else is expected. */
  Timed timeOnly(String words, LocalDateTime now) {
    Timed timed = TimeReader.readOnly(table, words, now);
    return new Timed(timed.times(), title(timed.rest()));
  }

  boolean isYes(String words) {
    return table.matches("yes", words.strip());
  }
}
