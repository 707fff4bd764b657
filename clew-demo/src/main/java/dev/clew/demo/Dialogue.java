package dev.clew.demo;

import dev.clew.demo.Conversation.Result;
import dev.clew.demo.Conversation.Turn;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do next, from the conversation alone. Used once, by one thread.
 *
 * <p>Nothing is remembered between requests: what was asked, which events were talked about and
 * what the user is called are read from the turns each time, so a session that loses a turn loses
 * what was in it.
 */
final class Dialogue {
  /** How many answers in a row may belong to one question and its follow-ups. */
  private static final int LONGEST_CHAIN = 5;

  /** How far "my schedule" and a search by name look ahead, in days. */
  private static final int AHEAD = 366;

  /** What is longer is no sentence of the grammar, and would take long to find that out. */
  private static final int LONGEST_SENTENCE = 500;

  private final List<Turn> turns;
  private final LocalDateTime now;

  Dialogue(Conversation conversation, LocalDateTime now) {
    this.turns = conversation.turns();
    this.now = now;
  }

  /** The next step in the last turn. */
  Step next() {
    return turns.isEmpty()
        ? new Step.Say(Language.ENGLISH.voice().say("help"))
        : step(turns.size() - 1, 0);
  }

  /** The language of the last sentence. */
  static Language languageOf(Conversation conversation) {
    return new Dialogue(conversation, LocalDateTime.MIN).language(conversation.turns().size() - 1);
  }

  private Step step(int index, int depth) {
    Turn turn = turns.get(index);
    return new Answering(turn, Mentions.in(turns.subList(0, index)), language(index), index)
        .to(intent(index, depth));
  }

  /** The language of the last sentence that has one: "2" is said in every language. */
  private Language language(int index) {
    for (int i = index; i >= 0; i--) {
      String said = turns.get(i).user();
      if (said.chars().anyMatch(Character::isLetter)) {
        return Language.of(said);
      }
    }
    return Language.ENGLISH;
  }

  private Intent intent(int index, int depth) {
    String said = turns.get(index).user();
    Grammar grammar = language(index).grammar();
    if (said.length() > LONGEST_SENTENCE) {
      return new Intent.Fragment("", Times.NONE);
    }
    Intent intent = grammar.read(said, now);
    boolean mayAnswer =
        intent instanceof Intent.Fragment
            || (intent instanceof Intent.Create create && !create.explicit());
    if (!mayAnswer || index == 0 || depth == LONGEST_CHAIN) {
      return intent;
    }
    Optional<Question> open =
        step(index - 1, depth + 1) instanceof Step.Ask ask
            ? Optional.of(ask.question())
            : Optional.empty();
    Intent.Fragment fragment =
        intent instanceof Intent.Fragment already
            ? already
            : new Intent.Fragment(said.strip(), grammar.timeOnly(said, now).times());
    return open.flatMap(question -> question.answer(fragment, grammar, now)).orElse(intent);
  }

  private Optional<String> userName(int upTo) {
    for (int i = upTo; i >= 0; i--) {
      String said = turns.get(i).user();
      Optional<String> name =
          said.length() > LONGEST_SENTENCE
              ? Optional.empty()
              : Language.of(said).grammar().name(said);
      if (name.isPresent()) {
        return name;
      }
    }
    return Optional.empty();
  }

  /** One turn: what was meant, what tools have answered so far, and what to do next. */
  private final class Answering {
    private final Turn turn;
    private final Mentions mentions;
    private final Grammar grammar;
    private final Voice voice;
    private final int index;

    Answering(Turn turn, Mentions mentions, Language language, int index) {
      this.turn = turn;
      this.mentions = mentions;
      this.grammar = language.grammar();
      this.voice = language.voice();
      this.index = index;
    }

    Step to(Intent intent) {
      if (intent instanceof Intent.Simple simple) {
        return new Step.Say(simple(simple));
      } else if (intent instanceof Intent.TellName name) {
        return new Step.Say(voice.say("name-noted", name.name()));
      } else if (intent instanceof Intent.Create create) {
        return create(create);
      } else if (intent instanceof Intent.ListEvents list) {
        return list(list);
      } else if (intent instanceof Intent.Search search) {
        return search(search);
      } else if (intent instanceof Intent.OnEvent event) {
        return onEvent(event);
      }
      Intent.Fragment fragment = (Intent.Fragment) intent;
      if (fragment.times().isOnlyLength() && isOnlyTime(fragment) && mentions.last().size() == 1) {
        return onEvent(new Intent.Change(new Reference.Last(), fragment.times()));
      }
      return fragment.times().hasClock() && isOnlyTime(fragment)
          ? create(new Intent.Create("", fragment.times(), true))
          : new Step.Say(voice.say("unknown"));
    }

    private boolean isOnlyTime(Intent.Fragment fragment) {
      boolean number = fragment.text().matches("\\d+");
      return !number && grammar.timeOnly(fragment.text(), now).isOnlyTime();
    }

    private String simple(Intent.Simple intent) {
      return switch (intent) {
        case GREETING -> voice.say("greeting");
        case THANKS -> voice.say("thanks");
        case FAREWELL -> voice.say("farewell");
        case HELP -> voice.say("help");
        case NEVER_MIND -> voice.say("never-mind");
        case ASK_NAME ->
            userName(index)
                .map(name -> voice.say("name", name))
                .orElseGet(() -> voice.say("name-unknown"));
      };
    }

    private Step create(Intent.Create create) {
      Optional<Result> done = turn.result(Tools.CREATE);
      if (done.isPresent()) {
        return new Step.Say(
            one(done.get())
                .map(event -> voice.say("created", event))
                .orElseGet(() -> trouble(done.get())));
      }
      Times.Start start = create.times().start(now);
      if (create.title().isEmpty()) {
        return new Step.Ask(voice.say("ask-title"), new Question.Title(create));
      }
      LocalDateTime moment = start.moment();
      if (moment == null) {
        Times.Missing missing = java.util.Objects.requireNonNull(start.missing());
        return missing == Times.Missing.PAST
            ? new Step.Say(voice.say("past"))
            : new Step.Ask(
                voice.askWhen(create.title(), create.times(), missing), new Question.When(create));
      }
      Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
      arguments.put("title", create.title());
      arguments.put("start", moment.toString());
      arguments.put(
          "minutes", create.times().lengthFrom(moment).map(Duration::toMinutes).orElse(null));
      return use(Tools.CREATE, arguments);
    }

    private Step list(Intent.ListEvents list) {
      Optional<Result> done = turn.result(Tools.LIST);
      if (done.isEmpty()) {
        return lookup(new Reference.Like(list.words(), list.times()));
      }
      if (done.get().json().isEmpty()) {
        return new Step.Say(trouble(done.get()));
      }
      Reference.Like like = new Reference.Like(list.words(), list.times());
      List<Event> events =
          done.get().events().stream().filter(event -> Question.isLike(event, like)).toList();
      return new Step.Say(voice.listed(list.times().days(), list.words(), events));
    }

    private Step lookup(Reference.Like like) {
      Days days = like.times().days();
      LocalDate today = now.toLocalDate();
      Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
      arguments.put("from", (days == null ? today : days.first()).toString());
      arguments.put("to", (days == null ? today.plusDays(AHEAD) : days.last()).toString());
      arguments.put("query", like.words().isEmpty() ? null : like.words());
      return use(Tools.LIST, arguments);
    }

    private Step search(Intent.Search search) {
      Optional<Result> done = turn.result(Tools.SEARCH);
      if (done.isEmpty()) {
        return use(Tools.SEARCH, Map.of("query", search.words()));
      }
      return new Step.Say(
          done.get()
              .json()
              .map(answer -> voice.found(search.words(), Hits.of(answer)))
              .orElseGet(() -> trouble(done.get())));
    }

    private Step onEvent(Intent.OnEvent intent) {
      String tool = intent instanceof Intent.Cancel ? Tools.CANCEL : Tools.UPDATE;
      List<Result> done = turn.results(tool);
      if (!done.isEmpty()) {
        return new Step.Say(
            intent instanceof Intent.Cancel ? cancelled(done) : updated(intent, done));
      }
      Reference which = intent.which();
      if (which.lookup() != null) {
        return lookedUp(intent, java.util.Objects.requireNonNull(which.lookup()));
      }
      List<Event> meant = meant(which);
      if (meant.size() == 1) {
        return act(intent, meant);
      }
      if (meant.isEmpty()) {
        return offer(intent);
      }
      return new Step.Ask(voice.say("ask-which", meant), new Question.Which(intent, meant));
    }

    private List<Event> meant(Reference which) {
      if (which instanceof Reference.Picked picked) {
        return List.of(picked.event());
      } else if (which instanceof Reference.Kind kind) {
        return mentions.last(kind.noun());
      } else if (which instanceof Reference.Place place) {
        List<Event> listed = mentions.last();
        int number = place.number() < 0 ? listed.size() : place.number();
        return number >= 1 && number <= listed.size() ? List.of(listed.get(number - 1)) : List.of();
      }
      return mentions.last();
    }

    /** The conversation does not say which: shows what there is. */
    private Step offer(Intent.OnEvent intent) {
      Optional<Result> looked = turn.result(Tools.LIST);
      if (looked.isEmpty()) {
        return lookup(new Reference.Like("", Times.NONE));
      }
      if (looked.get().json().isEmpty()) {
        return new Step.Say(trouble(looked.get()));
      }
      List<Event> events = looked.get().events();
      if (intent.which() instanceof Reference.Kind kind) {
        List<Event> alike = Mentions.ofKind(events, kind.noun());
        if (alike.size() == 1) {
          return act(intent, alike);
        }
        events = alike.isEmpty() ? events : alike;
      }
      return events.isEmpty()
          ? new Step.Say(voice.say("nothing-to-change"))
          : new Step.Ask(voice.say("ask-which-of", events), new Question.Which(intent, events));
    }

    private Step lookedUp(Intent.OnEvent intent, Reference.Like like) {
      Optional<Result> looked = turn.result(Tools.LIST);
      if (looked.isEmpty()) {
        return lookup(like);
      }
      if (looked.get().json().isEmpty()) {
        return new Step.Say(trouble(looked.get()));
      }
      List<Event> found =
          looked.get().events().stream().filter(event -> Question.isLike(event, like)).toList();
      boolean all = intent.which() instanceof Reference.All && intent instanceof Intent.Cancel;
      if (found.isEmpty()) {
        return new Step.Say(voice.noneFound(like.words(), like.times().days()));
      }
      return found.size() == 1 || all
          ? act(intent, found)
          : new Step.Ask(voice.say("ask-which", found), new Question.Which(intent, found));
    }

    private Step act(Intent.OnEvent intent, List<Event> events) {
      if (intent instanceof Intent.Cancel) {
        List<Step.Call> calls = new ArrayList<>();
        for (Event event : events) {
          Map<String, Object> arguments = new LinkedHashMap<>();
          arguments.put("event_id", event.id());
          arguments.put("title", event.title());
          calls.add(new Step.Call(Tools.CANCEL, arguments));
        }
        return new Step.Use(calls);
      }
      Event event = events.get(0);
      return intent instanceof Intent.Rename rename
          ? update(event, null, null, rename.title())
          : move((Intent.Change) intent.with(new Reference.Picked(event)), event);
    }

    private Step move(Intent.Change change, Event event) {
      Times to = change.to();
      if (to.isEmpty()) {
        return new Step.Ask(voice.say("ask-new-time", event), new Question.NewTime(change));
      }
      boolean onlyLength = to.isOnlyLength();
      LocalDateTime start =
          onlyLength ? event.start() : to.startInsteadOf(event.start()).orElse(null);
      if (start == null) {
        return new Step.Ask(
            voice.askWhen(event.title(), to, Times.Missing.DAY), new Question.NewTime(change));
      }
      if (!onlyLength && !start.isAfter(now)) {
        return new Step.Say(voice.say("past"));
      }
      Integer minutes = to.lengthFrom(start).map(length -> (int) length.toMinutes()).orElse(null);
      return update(event, onlyLength ? null : start, minutes, null);
    }

    private Step update(
        Event event,
        @Nullable LocalDateTime start,
        @Nullable Integer minutes,
        @Nullable String title) {
      Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
      arguments.put("event_id", event.id());
      arguments.put("start", start == null ? null : start.toString());
      arguments.put("minutes", minutes);
      arguments.put("title", title);
      return use(Tools.UPDATE, arguments);
    }

    private String updated(Intent.OnEvent intent, List<Result> done) {
      Result last = done.get(done.size() - 1);
      return one(last)
          .map(event -> voice.say(intent instanceof Intent.Rename ? "renamed" : "changed", event))
          .orElseGet(() -> trouble(last));
    }

    private String cancelled(List<Result> done) {
      List<String> lines = new ArrayList<>();
      for (Result result : done) {
        String title = String.valueOf(result.arguments().get("title"));
        lines.add(
            one(result)
                .map(event -> voice.say("cancelled", event))
                .orElseGet(() -> result.failed() ? trouble(result) : voice.say("kept", title)));
      }
      return String.join("\n", lines);
    }

    private Step use(String tool, Map<String, ?> arguments) {
      return new Step.Use(List.of(new Step.Call(tool, arguments)));
    }

    private Optional<Event> one(Result result) {
      return result.events().stream().findFirst();
    }

    private String trouble(Result result) {
      String told = result.output().replaceFirst("^Error: (?:tool '[^']*' failed: )?", "");
      return voice.say("trouble", told);
    }
  }
}
