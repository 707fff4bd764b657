package dev.clew.cli.session;

import dev.clew.SessionStore;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Plot;
import dev.clew.cli.terminal.Progress;
import dev.clew.cli.terminal.SafeText;
import dev.clew.insight.Storage;
import dev.clew.insight.StoreInsight;
import dev.clew.insight.StoreInsight.Day;
import dev.clew.insight.ToolTimes.Tool;
import dev.clew.json.JsonObject;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew stats}: what happened in an owner's sessions. Used once, by one thread. */
@Command(name = "stats")
public final class StatsCommand extends StoreAction {
  private static final int TOOLS_SHOWN = 10;

  enum By {
    DAY,
    WEEK
  }

  @Option(names = "--since", paramLabel = "TIME")
  String since = "29d";

  @Option(names = "--by", paramLabel = "day|week")
  By by = By.DAY;

  @Option(names = "--csv")
  boolean csv;

  private Instant start = Instant.EPOCH;

  @Override
  protected void beforeOpening() {
    if (csv && clew.json) {
      throw Failure.usage("--csv and --json cannot be combined");
    }
    // From the beginning of the first day, as the page does.
    start =
        period(day(PointInTime.parse("--since", since, Instant.now())))
            .atStartOfDay(ZoneOffset.UTC)
            .toInstant();
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  private LocalDate period(LocalDate day) {
    return by == By.DAY ? day : day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
  }

  @Override
  protected int run(SessionStore store) {
    Storage storage = Storage.of(store, clew.owner(), Integer.MAX_VALUE);
    StoreInsight insight = StoreInsight.unlimited(store, start, this::period);
    try (Progress progress = Progress.of(clew.surroundings(), "items")) {
      progress.planned(storage.items());
      insight.count(clew.owner(), progress::at);
    }
    if (insight.damaged() > 0) {
      clew.note(
          Humanize.count(insight.damaged(), "session")
              + " cannot be read and not counted; 'clew doctor' names them");
    }
    if (csv) {
      writeCsv(insight);
      return ExitCode.OK;
    }
    if (clew.json) {
      clew.answer(
          insight
              .json()
              .put("owner", clew.owner())
              .put("since", start.toString())
              .put("by", Humanize.word(by))
              .put("storage", storage.fields(new JsonObject())));
    } else {
      show(insight, storage);
    }
    return ExitCode.OK;
  }

  private void writeCsv(StoreInsight insight) {
    clew.out().print("date,sessions,messages,input_tokens,output_tokens,bytes\r\n");
    List<LocalDate> dates = new ArrayList<>(insight.days().keySet());
    for (int i = dates.size() - 1; i >= 0; i--) {
      Day day = day(insight, dates.get(i));
      clew.out()
          .print(
              String.format(
                  "%s,%s,%s,%s,%s,%s\r\n",
                  dates.get(i),
                  day.sessions(),
                  day.messages(),
                  day.inputTokens(),
                  day.outputTokens(),
                  day.bytes()));
    }
  }

  private static Day day(StoreInsight insight, LocalDate date) {
    return insight.days().getOrDefault(date, new Day(0, 0, 0, 0, 0));
  }

  private void show(StoreInsight insight, Storage storage) {
    List<LocalDate> dates = new ArrayList<>();
    LocalDate last = period(day(Instant.now()));
    for (LocalDate date = day(start);
        !date.isAfter(last);
        date = by == By.DAY ? date.plusDays(1) : date.plusWeeks(1)) {
      dates.add(date);
    }
    Output out = clew.out();
    out.line(
        clew.paint().bold(day(start) + " to " + day(Instant.now()))
            + clew.paint().dim(", by " + Humanize.word(by) + " of UTC"));
    Plot plot = new Plot(clew.paint(), clew.width());
    List<Day> days = dates.stream().map(date -> day(insight, date)).toList();
    out.line(line(plot, "sessions", dates, days, Day::sessions, " begun"));
    out.line(line(plot, "messages", dates, days, Day::messages, ""));
    out.line(line(plot, "tokens in", dates, days, Day::inputTokens, ""));
    out.line(line(plot, "tokens out", dates, days, Day::outputTokens, ""));
    long[] bytes = days.stream().mapToLong(Day::bytes).toArray();
    String added = "  " + Humanize.size(LongStream.of(bytes).sum()) + " added";
    out.line(plot.label("growth") + plot.spark(bytes) + added);
    List<Tool> tools = insight.tools().busiest();
    if (!tools.isEmpty()) {
      out.line("");
    }
    for (Tool tool : tools.subList(0, Math.min(TOOLS_SHOWN, tools.size()))) {
      out.line(tool(plot, tool, tools.get(0).calls()));
    }
    if (tools.size() > TOOLS_SHOWN) {
      out.line(clew.paint().dim("and " + (tools.size() - TOOLS_SHOWN) + " other tools"));
    }
    out.line("")
        .line(
            String.format(
                "kept: %s with %s, %s",
                Humanize.count(storage.sessions(), "session"),
                Humanize.count(storage.items(), "item"),
                Humanize.size(storage.bytes())));
  }

  private static String line(
      Plot plot,
      String name,
      List<LocalDate> dates,
      List<Day> days,
      ToLongFunction<Day> figure,
      String what) {
    long[] values = days.stream().mapToLong(figure).toArray();
    long sum = 0;
    int most = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[i];
      most = values[i] > values[most] ? i : most;
    }
    return plot.label(name)
        + plot.spark(values)
        + String.format(Locale.ROOT, "  %,d%s", sum, what)
        + (sum == 0
            ? ""
            : String.format(Locale.ROOT, ", most on %s: %,d", dates.get(most), values[most]));
  }

  private static String tool(Plot plot, Tool tool, long most) {
    String time =
        tool.answered() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d ms on average", tool.millis() / tool.answered());
    return plot.label(SafeText.line(tool.name()))
        + plot.bar(tool.calls(), most)
        + "  "
        + Humanize.count(tool.calls(), "call")
        + time;
  }
}
