package dev.clew.demo;

import dev.clew.demo.Conversation.Result;
import dev.clew.demo.Conversation.Turn;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
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

  /** The language of the last sentence that tells: "2" and "Ann" belong to every language. */
  private Language language(int index) {
    boolean named = false;
    for (int i = index; i >= 0; i--) {
      String said = turns.get(i).user();
      Optional<Language> told = Language.told(said);
      if (told.isPresent()) {
        return named && told.get().equals(Language.CHINESE) ? Language.ENGLISH : told.get();
      }
      named |= said.chars().anyMatch(Character::isLetter);
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
          : say("unknown");
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
        return new Step.Say(outcome("created", done.get()));
      }
      if (create.title().isEmpty()) {
        return new Step.Ask(voice.say("ask-title"), new Question.Title(create));
      }
      Times.Start start = create.times().start(now);
      LocalDateTime moment = start.moment();
      if (moment == null) {
        Times.Missing missing = Objects.requireNonNull(start.missing());
        return missing == Times.Missing.PAST
            ? say("past")
            : new Step.Ask(
                voice.askWhen(create.title(), create.times(), missing), new Question.When(create));
      }
      return use(
          Tools.CREATE,
          "title",
          create.title(),
          "start",
          moment.toString(),
          "minutes",
          create.times().lengthFrom(moment).map(Duration::toMinutes).orElse(null));
    }

    private Step list(Intent.ListEvents list) {
      return withEvents(
          new Reference.Like(list.words(), list.times()),
          events -> new Step.Say(voice.listed(list.times().days(), list.words(), events)));
    }

    /** Continues with the matching events, after the schedule was asked for them. */
    private Step withEvents(Reference.Like like, Function<List<Event>, Step> next) {
      Optional<Result> looked = turn.result(Tools.LIST);
      if (looked.isEmpty()) {
        Days days = like.times().days();
        LocalDate today = now.toLocalDate();
        return use(
            Tools.LIST,
            "from",
            (days == null ? today : days.first()).toString(),
            "to",
            (days == null ? today.plusDays(AHEAD) : days.last()).toString(),
            "query",
            like.words().isEmpty() ? null : like.words());
      }
      return looked.get().json().isEmpty()
          ? new Step.Say(trouble(looked.get()))
          : next.apply(
              looked.get().events().stream()
                  .filter(event -> Question.isLike(event, like))
                  .toList());
    }

    private Step search(Intent.Search search) {
      Optional<Result> done = turn.result(Tools.SEARCH);
      if (done.isEmpty()) {
        return use(Tools.SEARCH, "query", search.words());
      }
      return new Step.Say(
          done.get()
              .json()
              .map(answer -> voice.found(search.words(), Hits.of(answer)))
              .orElseGet(() -> trouble(done.get())));
    }

    private Step onEvent(Intent.OnEvent intent) {
      boolean cancels = intent instanceof Intent.Cancel;
      List<Result> done = turn.results(cancels ? Tools.CANCEL : Tools.UPDATE);
      if (!done.isEmpty()) {
        String updated = intent instanceof Intent.Rename ? "renamed" : "changed";
        return new Step.Say(
            cancels ? cancelled(done) : outcome(updated, done.get(done.size() - 1)));
      }
      Reference which = intent.which();
      Reference.Like like = which.lookup();
      if (like != null) {
        return withEvents(like, found -> lookedUp(intent, like, found));
      }
      List<Event> meant = meant(which);
      if (meant.isEmpty()) {
        return withEvents(new Reference.Like("", Times.NONE), events -> offer(intent, events));
      }
      return meant.size() == 1 ? act(intent, meant) : which("ask-which", intent, meant);
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
    private Step offer(Intent.OnEvent intent, List<Event> all) {
      List<Event> events = all;
      if (intent.which() instanceof Reference.Kind kind) {
        List<Event> alike = Mentions.ofKind(all, kind.noun());
        if (alike.size() == 1) {
          return act(intent, alike);
        }
        events = alike.isEmpty() ? all : alike;
      }
      return events.isEmpty() ? say("nothing-to-change") : which("ask-which-of", intent, events);
    }

    private Step lookedUp(Intent.OnEvent intent, Reference.Like like, List<Event> found) {
      boolean all = intent.which() instanceof Reference.All && intent instanceof Intent.Cancel;
      if (found.isEmpty()) {
        return new Step.Say(voice.noneFound(like.words(), like.times().days()));
      }
      return found.size() == 1 || all ? act(intent, found) : which("ask-which", intent, found);
    }

    private Step which(String sentence, Intent.OnEvent intent, List<Event> events) {
      return new Step.Ask(voice.say(sentence, events), new Question.Which(intent, events));
    }

    private Step act(Intent.OnEvent intent, List<Event> events) {
      Event event = events.get(0);
      if (intent instanceof Intent.Cancel) {
        return new Step.Use(
            events.stream()
                .map(each -> call(Tools.CANCEL, "event_id", each.id(), "title", each.title()))
                .toList());
      }
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
        return say("past");
      }
      Integer minutes = to.lengthFrom(start).map(length -> (int) length.toMinutes()).orElse(null);
      return update(event, onlyLength ? null : start.toString(), minutes, null);
    }

    private Step update(
        Event event, @Nullable String start, @Nullable Integer minutes, @Nullable String title) {
      return use(
          Tools.UPDATE, "event_id", event.id(), "start", start, "minutes", minutes, "title", title);
    }

    private String cancelled(List<Result> done) {
      return done.stream()
          .map(
              result ->
                  result.events().isEmpty() && !result.failed()
                      ? voice.say("kept", result.arguments().get("title"))
                      : outcome("cancelled", result))
          .collect(Collectors.joining("\n"));
    }

    /** What a tool did to an event, or why it did not. */
    private String outcome(String sentence, Result result) {
      return result.events().stream()
          .findFirst()
          .map(event -> voice.say(sentence, event))
          .orElseGet(() -> trouble(result));
    }

    private String trouble(Result result) {
      return voice.say(
          "trouble", result.output().replaceFirst("^Error: (?:tool '[^']*' failed: )?", ""));
    }

    private Step say(String sentence) {
      return new Step.Say(voice.say(sentence));
    }

    private static Step use(String tool, @Nullable Object... arguments) {
      return new Step.Use(List.of(call(tool, arguments)));
    }

    /** A call with arguments, each after its name. */
    private static Step.Call call(String tool, @Nullable Object... arguments) {
      Map<String, @Nullable Object> named = new LinkedHashMap<>();
      for (int i = 0; i < arguments.length; i += 2) {
        named.put(String.valueOf(arguments[i]), arguments[i + 1]);
      }
      return new Step.Call(tool, named);
    }
  }
}
