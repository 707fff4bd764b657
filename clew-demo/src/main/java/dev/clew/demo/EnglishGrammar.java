package dev.clew.demo;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The English sentences. Stateless. */
final class EnglishGrammar implements Grammar {
  private static final Pattern POLITE =
      pattern(
          "^(?:please|ok(?:ay)?|hey|hi|hello|so|then|and|now|well|(?:can|could|would|will) you)[, ]+(?=.*\\w)");
  private static final Pattern POLITE_END = pattern("[, ]+(?:please|thanks|thank you|ok|for me)$");

  private static final Map<Intent.Simple, Pattern> SIMPLE =
      Map.of(
          Intent.Simple.GREETING,
          whole("(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening))(?: there| clew)?"),
          Intent.Simple.THANKS,
          whole(
              "(?:many thanks|thanks(?: a lot| so much)?|thank you(?: very much| so much)?|thx|cheers)"),
          Intent.Simple.FAREWELL,
          whole("(?:bye(?: bye)?|goodbye|see you(?: later| soon)?|good night)"),
          Intent.Simple.HELP,
          whole(
              "(?:help(?: me)?|what can you do|who are you|what are you|are you (?:an? )?(?:real|human|ai|bot|llm|model).*|how does this work)"),
          Intent.Simple.NEVER_MIND,
          whole("(?:never ?mind|forget (?:it|about it)|no|nothing|none(?: of them)?|leave it)"),
          Intent.Simple.ASK_NAME,
          whole(
              "(?:what(?:['’]s| is| was) my name|who am i|do you (?:still )?(?:know|remember) (?:my name|who i am|what my name is)|tell me my name|what did i say my name (?:is|was))(?: again)?"));

  private static final Pattern NAME =
      whole(
          "(?:hi,? |hello,? )?(?:my name is|my name['’]s|i am called|i['’]m called|you can call me) ([\\p{L}][\\p{L}'’. -]{0,59})");
  private static final Pattern CALL_ME =
      whole("call me (\\p{Lu}[\\p{L}'’-]*(?: \\p{Lu}[\\p{L}'’-]*){0,2})");

  private static final List<Pattern> SEARCH =
      List.of(
          whole(
              "(?:search|look)(?: (?:in |through )?(?:my|our|the|all))?(?: (?:chat )?(?:history|conversations?|chats?|messages?))? for (.+)"),
          whole("search (?:history|conversations?|chats?|messages?) (.+)"),
          whole(
              "find (?:messages?|conversations?|chats?|what i said) (?:about|with|mentioning) (.+)"),
          whole("(?:what|when) did (?:i|we) (?:say|talk|mention|discuss|write)(?: about)? (.+)"));

  private static final List<Pattern> RENAME =
      List.of(
          whole("(?:rename|retitle) (.+?) (?:to|as|into) (.+)"),
          whole("change the (?:title|name) of (.+?) to (.+)"),
          whole("change (its|the) (?:title|name) to (.+)"),
          whole("call (it|that|this|that one|the .+?) (.+)"));
  private static final Pattern CANCEL =
      whole("(?:cancel|delete|remove|drop|call off|get rid of)(?: (.+))?");
  private static final Pattern MOVE =
      whole(
          "(?:move|change|reschedule|shift|push|postpone|delay|bring|put|extend|shorten)(?: (.*))?");
  private static final Pattern MAKE =
      whole("(?:let['’]s )?make (it|that|this|that one|the .+?) (.+)");
  private static final Pattern RATHER =
      whole("(?:actually|no|sorry|rather|i mean|better)[, ]+(.+?)(?: instead)?");
  private static final Pattern TO =
      Pattern.compile("\\b(?:to|until|till|for)\\b", CASE_INSENSITIVE);

  private static final String THINGS =
      "(?:events?|schedule|calendar|agenda|appointments?|meetings?|plans?|entries)";
  private static final Pattern LIST =
      whole(
          "(?:(?:list|show)(?: me)?(?: all)?(?: of)?(?: my| the)? ?(?:"
              + THINGS
              + "|everything|all|it|them)?(?: (?:i have|for))?"
              + "|what(?:['’]s| is) (?:on(?: (?:my|the) "
              + THINGS
              + ")?|up|planned|coming up|happening|my "
              + THINGS
              + ")(?: for)?"
              + "|what (?:do i have|have i got)(?: on| planned| to do)?(?: (?:in|on) my "
              + THINGS
              + ")?"
              + "|(?:what|which) "
              + THINGS
              + " (?:do i have|are there|have i got)|what are my "
              + THINGS
              + "(?: for)?|what am i doing"
              + "|do i have (?:anything|something|any "
              + THINGS
              + "|an? (?:meeting|appointment|event)|plans)(?: on| planned)?"
              + "|am i (?:free|busy|available)|(?:my|the) "
              + THINGS
              + "(?: for)?|(?:events|meetings|appointments|schedule|calendar|agenda|plans)(?: for)?|anything(?: on| planned)?"
              + "|how does my (?:day|week|schedule|calendar) look|is there anything(?: on)?)");
  private static final Pattern WHEN =
      whole("(?:when|what time) (?:is|was|does|are) (?:my |the |our )?(.+?)(?: start| begin)?");

  private static final Pattern CREATE =
      whole(
          "(?:(?:schedule|add|book|create|plan|arrange|set up|enter|organi[sz]e|make|new)|i(?:['’]ve| have)(?: got)?|there(?:['’]s| is)|put(?: in)?)\\b ?(.*)");
  private static final Pattern QUOTED = Pattern.compile("[\"“”]([^\"“”]+)[\"“”]");
  private static final Pattern LEAD =
      pattern(
          "^(?:an?|the|my|new|event|entry|called|named|titled|is|on|at|for|to|from|in|:|,|-|me|that|about)\\b ?|^[:,–-] ?");
  private static final Pattern TAIL =
      pattern(
          " ?\\b(?:on|at|for|from|to|in|and|by|until|to (?:my|the) (?:calendar|schedule)|(?:in|into|on) (?:my|the) (?:calendar|schedule))$|[,:;–-]$");
  private static final Pattern NO_TITLE =
      pattern(
          "^(?:what|who|whom|whose|how|why|when|where|which|is|are|was|were|do|does|did|can|could|will|would|should|i|i['’]m|you|we|he|she|they|it|my|remind|wake|tell|search|find)\\b.*");

  private static final Pattern LAST =
      whole(
          "(?:it|that|this|that one|this one|the one|that event|this event|its|the|the last one|the latest one|the same)?");
  private static final Pattern KIND =
      whole("(?:the |that |this |my |our )?(meeting|event|appointment|entry|call)");
  private static final Pattern ALL =
      whole(
          "(?:everything|all(?: of (?:it|them))?|all (?:my |the )?(?:"
              + THINGS
              + ")|(?:all )?my (?:events|meetings|appointments)|both(?: of them)?)(?: on| for)?");
  private static final Pattern PLACE =
      whole(
          "(?:the |number |no\\.? ?|#)?(first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|\\d{1,2})(?: one| event| meeting)?");
  private static final List<String> PLACES = List.of("first", "second", "third", "fourth", "fifth");
  private static final Pattern FILLER =
      pattern(
          "\\b(?:the|a|an|my|our|that|this|with|on|at|for|in|of|from|one|meeting|event|appointment|entry)\\b");

  private static Pattern pattern(String regex) {
    return Pattern.compile(regex, CASE_INSENSITIVE);
  }

  private static Pattern whole(String regex) {
    return pattern("^" + regex + "$");
  }

  private static String plain(String sentence) {
    String text = sentence.strip().replaceAll("\\s+", " ").replaceAll("[.!?…]+$", "").strip();
    for (int i = 0; i < 3; i++) {
      text = POLITE_END.matcher(POLITE.matcher(text).replaceFirst("")).replaceFirst("");
    }
    return text;
  }

  @Override
  public Intent read(String sentence, LocalDateTime now) {
    String whole = sentence.strip().replaceAll("[.!?…]+$", "").strip();
    String text = plain(sentence);
    for (Map.Entry<Intent.Simple, Pattern> simple : SIMPLE.entrySet()) {
      if (simple.getValue().matcher(whole).matches() || simple.getValue().matcher(text).matches()) {
        return simple.getKey();
      }
    }
    return name(sentence)
        .<Intent>map(Intent.TellName::new)
        .or(() -> search(text))
        .or(() -> change(text, now))
        .or(() -> list(text, now))
        .or(() -> create(text, sentence, now))
        .orElseGet(() -> new Intent.Fragment(text, timeOnly(text, now).times()));
  }

  @Override
  public Optional<String> name(String sentence) {
    String text = sentence.strip().replaceAll("[.!?,…]+$", "").strip();
    Matcher name = NAME.matcher(text);
    Matcher callMe = Pattern.compile(CALL_ME.pattern()).matcher(text.replaceFirst("^Call", "call"));
    if (name.matches()) {
      return Optional.of(name.group(1).strip());
    }
    return callMe.matches() ? Optional.of(callMe.group(1)) : Optional.empty();
  }

  private static Optional<Intent> search(String text) {
    for (Pattern pattern : SEARCH) {
      Matcher match = pattern.matcher(text);
      if (match.matches()) {
        return Optional.of(new Intent.Search(match.group(1)));
      }
    }
    return Optional.empty();
  }

  private Optional<Intent> change(String text, LocalDateTime now) {
    for (Pattern pattern : RENAME) {
      Matcher rename = pattern.matcher(text);
      if (rename.matches()) {
        return Optional.of(
            new Intent.Rename(reference(rename.group(1), now), quoted(rename.group(2))));
      }
    }
    Matcher cancel = CANCEL.matcher(text);
    if (cancel.matches()) {
      String which = cancel.group(1) == null ? "" : cancel.group(1);
      return Optional.of(new Intent.Cancel(reference(which, now)));
    }
    Matcher make = MAKE.matcher(text);
    if (make.matches() && timeOnly(make.group(2), now).isOnlyTime()) {
      Times to = timeOnly(make.group(2), now).times();
      return Optional.of(new Intent.Change(reference(make.group(1), now), to));
    }
    Matcher rather = RATHER.matcher(text);
    if (rather.matches() && timeOnly(rather.group(1), now).isOnlyTime()) {
      return Optional.of(
          new Intent.Change(new Reference.Last(), timeOnly(rather.group(1), now).times()));
    }
    Matcher move = MOVE.matcher(text);
    return move.matches()
        ? move(move.group(1) == null ? "" : move.group(1), text, now)
        : Optional.empty();
  }

  /** "X to TIME", where X may have a "to" of its own; or "X TIME later". */
  private Optional<Intent> move(String words, String text, LocalDateTime now) {
    Matcher to = TO.matcher(words);
    while (to.find()) {
      Timed target = timeOnly(words.substring(to.end()), now);
      if (target.isOnlyTime()) {
        Reference which = reference(words.substring(0, to.start()), now);
        return Optional.of(new Intent.Change(which, target.times()));
      }
    }
    Timed timed = EnglishTimes.read(words, now);
    Duration shift = timed.times().shift();
    if (shift != null) {
      boolean forward = text.toLowerCase(Locale.ROOT).contains("forward") && !shift.isNegative();
      Times by = new Times(null, null, null, null, null, null, forward ? shift.negated() : shift);
      String which = timed.rest().replaceAll("(?i) ?\\b(?:forward|back)\\b", "");
      return Optional.of(new Intent.Change(reference(which, now), by));
    }
    boolean put = text.toLowerCase(Locale.ROOT).startsWith("put");
    return put
        ? Optional.empty()
        : Optional.of(new Intent.Change(reference(words, now), Times.NONE));
  }

  private static Optional<Intent> list(String text, LocalDateTime now) {
    Timed timed = EnglishTimes.read(text, now);
    if (LIST.matcher(timed.rest()).matches()
        && !timed.times().hasClock()
        && !timed.rest().isEmpty()) {
      return Optional.of(new Intent.ListEvents(timed.times(), ""));
    }
    Matcher when = WHEN.matcher(timed.rest());
    if (when.matches()) {
      return Optional.of(new Intent.ListEvents(timed.times(), words(when.group(1))));
    }
    return Optional.empty();
  }

  private Optional<Intent> create(String text, String sentence, LocalDateTime now) {
    Matcher verb = CREATE.matcher(text);
    Matcher quoted = QUOTED.matcher(verb.matches() ? verb.group(1) : text);
    String quote = quoted.find() ? quoted.group(1) : "";
    if (verb.matches()) {
      Timed timed = EnglishTimes.read(quoted.replaceFirst(" "), now);
      boolean stated = text.toLowerCase(Locale.ROOT).matches("^(?:i|there|make|put|new)\\b.*");
      if (stated && timed.times().isEmpty()) {
        return Optional.empty(); // "I have a dog" is not about the schedule
      }
      return Optional.of(
          new Intent.Create(quote.isEmpty() ? title(timed.rest()) : quote, timed.times(), true));
    }
    Timed timed = EnglishTimes.read(quoted.replaceFirst(" "), now);
    String title = quote.isEmpty() ? title(timed.rest()) : quote;
    boolean asks = sentence.strip().endsWith("?") || NO_TITLE.matcher(timed.rest()).matches();
    return asks || title.isEmpty() || !timed.times().saysWhen()
        ? Optional.empty()
        : Optional.of(new Intent.Create(title, timed.times(), false));
  }

  private static String quoted(String words) {
    Matcher quoted = QUOTED.matcher(words);
    return quoted.matches() ? quoted.group(1) : words.strip();
  }

  @Override
  public String title(String words) {
    String title = words.strip();
    String before;
    do {
      before = title;
      title = LEAD.matcher(TAIL.matcher(title).replaceFirst("").strip()).replaceFirst("").strip();
    } while (!title.equals(before));
    return title;
  }

  @Override
  public Reference reference(String words, LocalDateTime now) {
    String text = words.strip();
    Matcher place = PLACE.matcher(text);
    if (LAST.matcher(text).matches()) {
      return new Reference.Last();
    }
    if (place.matches()) {
      return new Reference.Place(place(place.group(1).toLowerCase(Locale.ROOT)));
    }
    Timed timed = EnglishTimes.read(text, now);
    Matcher kind = KIND.matcher(text);
    if (ALL.matcher(timed.rest()).matches()) {
      return new Reference.All(timed.times());
    }
    return kind.matches()
        ? new Reference.Kind(kind.group(1).toLowerCase(Locale.ROOT))
        : new Reference.Like(words(timed.rest()), timed.times());
  }

  private static int place(String word) {
    if (word.equals("last")) {
      return -1;
    }
    int named = PLACES.indexOf(word);
    return named >= 0 ? named + 1 : Integer.parseInt(word.replaceAll("\\D", ""));
  }

  /** The words that tell one event from another. */
  private static String words(String text) {
    String telling = FILLER.matcher(text).replaceAll(" ").replaceAll("[\"“”]|['’]s\\b", " ");
    return telling.strip().replaceAll("\\s+", " ");
  }

  @Override
  public Timed timeOnly(String words, LocalDateTime now) {
    Timed timed = EnglishTimes.readOnly(words, now);
    return new Timed(timed.times(), title(timed.rest()));
  }

  @Override
  public boolean isYes(String words) {
    return words
        .strip()
        .toLowerCase(Locale.ROOT)
        .matches("(?:yes|yeah|yep|sure|right|exactly|ok(?:ay)?)[.!]*");
  }
}
