package dev.clew.demo;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The answers in Chinese. Stateless. */
final class ChineseVoice implements Voice {
  private static final String CAN =
      "我可以记下日程（“明天下午2点开会”），改时间、改名、取消，列出某天或某周的日程，搜索以前的对话，并在本次对话中记住你的名字。";

  @Override
  public String greeting() {
    return "你好！" + help();
  }

  @Override
  public String thanks() {
    return "不客气。";
  }

  @Override
  public String farewell() {
    return "再见。";
  }

  @Override
  public String help() {
    return "我是 Clew 的离线演示模型（offline demonstration model），只懂一小套语法，不是大语言模型。" + CAN;
  }

  @Override
  public String neverMind() {
    return "好的，什么都没有改。";
  }

  @Override
  public String unknown() {
    return "我听不懂这句话：我是离线演示模型，只懂一小套语法。" + CAN;
  }

  @Override
  public String cannotSee() {
    return "我看不到图片，也读不了文件：我是离线演示模型。";
  }

  @Override
  public String nameNoted(String name) {
    return "很高兴认识你，" + name + "。";
  }

  @Override
  public String name(String name) {
    return "你叫" + name + "。";
  }

  @Override
  public String nameUnknown() {
    return "我不知道：你在这次对话里还没有告诉我你的名字。";
  }

  @Override
  public String created(Event event) {
    return "已记下：" + line(event) + "。";
  }

  @Override
  public String changed(Event event) {
    return "已修改：" + line(event) + "。";
  }

  @Override
  public String renamed(Event event) {
    return "已改名：" + line(event) + "。";
  }

  @Override
  public String cancelled(Event event) {
    return "已取消：" + line(event) + "。";
  }

  @Override
  public String kept(String title) {
    return "没有取消：“" + title + "”保持不变。";
  }

  @Override
  public String listed(@Nullable Days days, String words, List<Event> events) {
    if (events.isEmpty()) {
      return noneFound(words, days);
    }
    return (days == null ? "接下来的日程：" : days(days) + "的日程：") + "\n" + numbered(events);
  }

  @Override
  public String noneFound(String words, @Nullable Days days) {
    String where = days == null ? "" : days(days);
    return words.isEmpty() ? where + "没有日程。" : where + "没有叫“" + words + "”的日程。";
  }

  @Override
  public String nothingToChange() {
    return "我不知道你指的是哪个日程：日程表是空的。";
  }

  @Override
  public String found(String words, Hits hits) {
    if (hits.hits().isEmpty()) {
      return "在以前的对话里没有找到“" + words + "”。";
    }
    StringBuilder text = new StringBuilder("关于“" + words + "”，我找到：");
    for (Hits.Hit hit : hits.hits()) {
      text.append("\n- ").append(hit.text()).append("（会话 ").append(hit.session()).append("）");
    }
    return text + (hits.partial() ? "\n索引还没有跟上，可能还有更多。" : "");
  }

  @Override
  public String past() {
    return "这个时间已经过去了，请说一个以后的时间。";
  }

  @Override
  public String askTitle() {
    return "是什么事？请告诉我名称。";
  }

  @Override
  public String askWhen(String title, Times known, Times.Missing missing) {
    Days days = known.days();
    TimeOfDay start = known.start();
    return switch (missing) {
      case DAY -> "“" + title + "”在" + (days == null ? "" : days(days) + "的") + "哪一天？";
      case TIME -> "“" + title + "”在" + (days == null ? "" : days(days)) + "几点？";
      case HALF ->
          start == null
              ? "是上午还是下午？"
              : String.format(
                  Locale.ROOT,
                  "是 %02d:%02d 还是 %02d:%02d？",
                  start.hour(),
                  start.minute(),
                  start.hour() + 12,
                  start.minute());
      default -> "“" + title + "”是什么时候？请告诉我日期和时间。";
    };
  }

  @Override
  public String askNewTime(Event event) {
    return line(event) + "要改到什么时候？";
  }

  @Override
  public String askWhich(List<Event> events) {
    return "你指的是哪一个？\n" + numbered(events);
  }

  @Override
  public String askWhichOf(List<Event> events) {
    return "你指的是哪个日程？日程表里有：\n" + numbered(events);
  }

  @Override
  public String trouble(String reason) {
    return "没有成功：" + reason;
  }

  @Override
  public String noTool(String tool) {
    return "这里做不到：这个智能体没有工具 " + tool + "。";
  }

  @Override
  public String noClock() {
    return "这里做不到：我的说明里没有写今天是哪天。";
  }

  @Override
  public String line(Event event) {
    return "“" + event.title() + "”，" + when(event);
  }

  private static String when(Event event) {
    LocalDateTime start = event.start();
    String from = day(start.toLocalDate()) + start.toLocalTime();
    return event
        .end()
        .map(
            end ->
                from
                    + "–"
                    + (end.toLocalDate().equals(start.toLocalDate())
                        ? end.toLocalTime().toString()
                        : day(end.toLocalDate()) + end.toLocalTime()))
        .orElse(from);
  }

  private static String days(Days days) {
    return days.isOne() ? day(days.first()) : day(days.first()) + "到" + day(days.last());
  }

  private static String day(LocalDate date) {
    return date.getYear()
        + "年"
        + date.getMonthValue()
        + "月"
        + date.getDayOfMonth()
        + "日（星期"
        + "一二三四五六日".charAt(date.getDayOfWeek().getValue() - 1)
        + "）";
  }
}
