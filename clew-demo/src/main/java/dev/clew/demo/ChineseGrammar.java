package dev.clew.demo;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Chinese sentences. Stateless. */
final class ChineseGrammar implements Grammar {
  private static final Pattern POLITE =
      Pattern.compile("^(?:请问|请|麻烦你?|帮我|帮忙|给我|能不能|能否|可不可以|可以|那就|那么|好的?，|我想要?|我要|我需要)[，, ]*(?=.)");
  private static final Pattern POLITE_END = Pattern.compile("(?:[，, ]*(?:谢谢你?|好吗|可以吗|行吗|吧|一下))$");

  private static final Map<Intent.Simple, Pattern> SIMPLE =
      Map.of(
          Intent.Simple.GREETING,
          whole("(?:你好|您好|嗨|哈喽|大家好|早上好|上午好|中午好|下午好|晚上好|早|早安)[啊呀]?"),
          Intent.Simple.THANKS,
          whole("(?:谢谢|多谢|感谢|辛苦)(?:你|您|了|啦)?"),
          Intent.Simple.FAREWELL,
          whole("(?:再见|拜拜|回头见|晚安)"),
          Intent.Simple.HELP,
          whole("(?:帮助|你(?:会|能|可以)(?:做|干)?(?:什么|啥|些什么)|你是谁|你是什么|怎么用)"),
          Intent.Simple.NEVER_MIND,
          whole("(?:算了|不用了?|没事了?|不要了?|都不是)"),
          Intent.Simple.ASK_NAME,
          whole("(?:你?(?:还)?(?:知道|记得)?(?:我叫什么(?:名字)?|我的名字(?:是什么|叫什么)?|我是谁)(?:来着)?吗?)"));

  private static final Pattern NAME =
      whole(
          "(?:你好[，,！! ]*)?(?:我叫|我的名字(?:是|叫)|我名叫|以后叫我|叫我)(?!什么|啥|谁)[“\"]?([\\p{L}· .'’-]{1,60}?)[”\"]?");

  private static final List<Pattern> SEARCH =
      List.of(
          whole(
              "(?:搜索|搜一下|搜|查找|查一下|查|找一下|找)(?:一下)?(?:历史记录|聊天记录|历史|对话|记录|消息)?(?:里面|里|中)?(?:关于|有关|提到|说过)? ?[“\"]?(.+?)[”\"]?(?:的(?:记录|内容|对话|消息|聊天记录|聊天))?"),
          whole(
              "我(?:之前|以前|上次)?(?:说过|提过|聊过|讲过)?(?:什么|哪些)?(?:关于|有关)(.+?)(?:的(?:什么|事情|事|话|内容))?(?:说过什么)?"),
          whole("(?:关于|有关)(.+?)[，, ]?我(?:之前|以前|上次)?(?:说过|提过|聊过|讲过)(?:什么|哪些|些什么)"));

  private static final List<Pattern> RENAME =
      List.of(
          whole("(?:把|将)?(.*?)(?:重命名|改名|更名)(?:为|成|叫|到)(.+)"),
          whole("(?:把|将)?(.*?)的?(?:名字|标题|名称|题目)(?:改成|改为|换成|叫)(.+)"),
          whole("(?:把|将)?(.*?)(?:改叫|就叫)(.+)"));
  private static final List<Pattern> CANCEL =
      List.of(
          whole("(?:取消|删除|删掉|去掉)(?:掉|了)?(.*)"),
          whole("(?:把|将)?(.*?)(?:给)?(?:取消|删除|删掉|删|去掉)(?:掉|了)*"),
          whole("(.*?)(?:不开了|不去了|不要了)"));
  private static final Pattern MOVE =
      whole(
          "(?:把|将)?(.*?)(?:的?时间)?(?:改成|改到|改为|改在|改|挪到|移到|推迟到|延期到|延到|延后到|提前到|调到|调整到|调整为|换到|换成|延长到|缩短到)(.+)");
  private static final Pattern SHIFT =
      whole("(?:把|将)?(.*?)((?:推迟|延后|延迟|往后推|往后挪|提前|提早|往前挪)了?" + ChineseTimes.AMOUNT + ")");
  private static final Pattern RATHER = whole("(?:不对?|不是|还是|应该是|错了)[，, ]*(?:是|改成)?(.+)");

  private static final String THINGS = "(?:日程安排|日程表|日程|安排|行程|会议|会|事情|事|活动|计划)";
  private static final String ASKING = "什么|哪些|啥|几个|吗|么|没有|有空|有时间|忙不忙|查|看|列|显示|告诉";
  private static final Pattern LIST =
      whole(
          "(?:查看|看看|看一下|看下|看|查一下|查查|查|列出|列一下|显示|告诉我)?(?:我)?(?:的)?(?:所有|全部)?(?:的)?(?:都)?(?:还)?(?:有没有|有)?(?:什么|哪些|啥|几个)?(?:的)?"
              + THINGS
              + "(?:吗|么|没有|呢|要做)?|我?(?:有空|有时间|忙|忙不忙|有事)(?:吗|么|不)?|我?(?:有|要做|要干|做)(?:些)?(?:什么|啥)(?:呢)?|(?:列出|显示|查看)(?:所有|全部)(?:的)?");
  private static final Pattern WHEN = whole("(?:我的?)?(.+?)(?:是|在)?(?:什么时候|几点钟?|哪天|哪一天)(?:开始|来着)?");

  private static final Pattern VERB =
      Pattern.compile("^(?:安排|新建|添加|增加|创建|新增|预约|预定|预订|加上?|记下?|定|约)(?:一下|一个|一场|一次|个|场)?");
  private static final Pattern LEAD =
      Pattern.compile("^(?:我?有一?[个场次]|[，,：:的了在要]|一[个场次](?=.)|我(?=.))\\s*");
  private static final Pattern TAIL = Pattern.compile("[，,、：:的]$|到(?:我的)?(?:日程|日历)(?:里|中|上)?$");
  private static final Pattern QUOTED = Pattern.compile("[“\"「《]([^”\"」》]+)[”\"」》]");
  private static final Pattern NO_TITLE = Pattern.compile("什么|怎么|为什么|多少|谁|哪|吗$|呢$|几点|提醒|天气|是否");

  private static final Pattern LAST =
      whole("(?:它|他|那个|这个|那|这|刚才那个|刚才的|刚刚那个|上面那个|那一个|这一个|时间)?(?:的)?");
  private static final Pattern KIND =
      whole("(?:刚才的?|刚刚的?|上面的?|我的)?(?:那个|这个|那场|这场|那次|这次)?(?:的)?(会议|会|日程|安排|活动|约会|事)(?:的)?");
  private static final Pattern ALL =
      whole("(?:所有|全部|一切)(?:的)?" + THINGS + "?|" + THINGS + "?(?:都|全部)|它们");
  private static final Pattern PLACE =
      whole("(?:第)(" + ChineseNumbers.PATTERN + ")[个场项条]?(?:会议|会|日程)?|(最后一个)|([1-9])");
  private static final Pattern FILLER =
      Pattern.compile(
          "^(?:那个|这个|我的|和|跟|与|同)+|(?:的(?:那个)?)?(?:会议|会面|日程|安排|约会|那个|(?<=的)会|(?<=的)事)?(?:的)?$|^[的]|[“”\"]");

  private static Pattern whole(String regex) {
    return Pattern.compile("^(?:" + regex + ")$");
  }

  private static String plain(String sentence) {
    String text = sentence.strip().replaceAll("[。！？.!?…~]+$", "").strip();
    for (int i = 0; i < 3; i++) {
      text = POLITE_END.matcher(POLITE.matcher(text).replaceFirst("")).replaceFirst("");
    }
    return text;
  }

  @Override
  public Intent read(String sentence, LocalDateTime now) {
    String whole = sentence.strip().replaceAll("[。！？.!?…~]+$", "").strip();
    String text = plain(sentence);
    for (Map.Entry<Intent.Simple, Pattern> simple : SIMPLE.entrySet()) {
      if (simple.getValue().matcher(whole).matches() || simple.getValue().matcher(text).matches()) {
        return simple.getKey();
      }
    }
    return name(sentence)
        .<Intent>map(Intent.TellName::new)
        .or(() -> list(text, now))
        .or(() -> search(text))
        .or(() -> change(text, now))
        .or(() -> create(text, now))
        .orElseGet(() -> new Intent.Fragment(text, timeOnly(text, now).times()));
  }

  @Override
  public Optional<String> name(String sentence) {
    Matcher name = NAME.matcher(sentence.strip().replaceAll("[。！？.!?，,]+$", "").strip());
    return name.matches() ? Optional.of(name.group(1).strip()) : Optional.empty();
  }

  private static Optional<Intent> search(String text) {
    for (Pattern pattern : SEARCH) {
      Matcher match = pattern.matcher(text);
      if (match.matches()) {
        return Optional.of(new Intent.Search(match.group(1).strip()));
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
    for (Pattern pattern : CANCEL) {
      Matcher cancel = pattern.matcher(text);
      if (cancel.matches()) {
        return Optional.of(new Intent.Cancel(reference(cancel.group(1), now)));
      }
    }
    Matcher shift = SHIFT.matcher(text);
    if (shift.matches()) {
      Times by = ChineseTimes.read(shift.group(2), now).times();
      return Optional.of(new Intent.Change(reference(shift.group(1), now), by));
    }
    Matcher move = MOVE.matcher(text);
    if (move.matches()) {
      Timed to = timeOnly(move.group(2), now);
      Reference which = reference(move.group(1), now);
      if (to.isOnlyTime()) {
        return Optional.of(new Intent.Change(which, to.times()));
      }
      if (to.times().isEmpty()) {
        return Optional.of(new Intent.Rename(which, quoted(move.group(2))));
      }
    }
    Matcher rather = RATHER.matcher(text);
    if (rather.matches() && timeOnly(rather.group(1), now).isOnlyTime()) {
      return Optional.of(
          new Intent.Change(new Reference.Last(), timeOnly(rather.group(1), now).times()));
    }
    return Optional.empty();
  }

  private static Optional<Intent> list(String text, LocalDateTime now) {
    Timed timed = ChineseTimes.read(text, now);
    String rest = timed.rest().replaceFirst("^的", "");
    boolean asks = Pattern.compile(ASKING).matcher(rest).find();
    if (LIST.matcher(rest).matches() && (asks || !timed.times().hasClock())) {
      return Optional.of(new Intent.ListEvents(timed.times(), ""));
    }
    Matcher when = WHEN.matcher(rest);
    return when.matches()
        ? Optional.of(new Intent.ListEvents(timed.times(), words(when.group(1))))
        : Optional.empty();
  }

  private Optional<Intent> create(String text, LocalDateTime now) {
    Matcher quoted = QUOTED.matcher(text);
    String quote = quoted.find() ? quoted.group(1) : "";
    Timed timed = ChineseTimes.read(quoted.replaceFirst(" "), now);
    Matcher verb = VERB.matcher(timed.rest());
    boolean explicit = verb.find();
    String title = quote.isEmpty() ? title(explicit ? verb.replaceFirst("") : timed.rest()) : quote;
    boolean stated = !timed.times().isEmpty() && timed.rest().matches("^我?有一?[个场次].*");
    if (explicit || stated) {
      return Optional.of(new Intent.Create(title, timed.times(), true));
    }
    return title.isEmpty() || !timed.times().saysWhen() || NO_TITLE.matcher(text).find()
        ? Optional.empty()
        : Optional.of(new Intent.Create(title, timed.times(), false));
  }

  private static String quoted(String words) {
    Matcher quoted = QUOTED.matcher(words.strip());
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
      String number = place.group(1) == null ? place.group(3) : place.group(1);
      return new Reference.Place(number == null ? -1 : ChineseNumbers.parse(number));
    }
    Timed timed = ChineseTimes.read(text, now);
    Matcher kind = KIND.matcher(text);
    if (ALL.matcher(timed.rest().replaceFirst("^的", "")).matches()) {
      return new Reference.All(timed.times());
    }
    return kind.matches()
        ? new Reference.Kind(kind.group(1))
        : new Reference.Like(words(timed.rest()), timed.times());
  }

  /** The words that tell one event from another. */
  private static String words(String text) {
    String telling = text.strip();
    String before;
    do {
      before = telling;
      telling = FILLER.matcher(telling).replaceAll("").strip();
    } while (!telling.equals(before));
    return telling.equals("会") || telling.equals("事") || telling.equals("的会") ? "" : telling;
  }

  @Override
  public Timed timeOnly(String words, LocalDateTime now) {
    Timed timed = ChineseTimes.readOnly(words, now);
    return new Timed(timed.times(), title(timed.rest()));
  }

  @Override
  public boolean isYes(String words) {
    return words.strip().matches("(?:是|是的|对|对的|好|好的|没错|嗯)[。！!]*");
  }
}
