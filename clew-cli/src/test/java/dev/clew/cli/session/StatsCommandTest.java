package dev.clew.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.View;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.Plot;
import dev.clew.insight.Facts;
import dev.clew.insight.StoreInsight;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code clew stats}, held against counting everything again. */
class StatsCommandTest {
  private final Shell shell = new Shell();

  @BeforeEach
  void fill() {
    Random random = new Random(7);
    for (int session = 0; session < 10; session++) {
      for (int turn = random.nextInt(6); turn >= 0; turn--) {
        List<Draft> drafts = new ArrayList<>();
        drafts.add(Draft.of(Item.user("question " + turn)));
        for (int i = random.nextInt(3); i > 0; i--) {
          String call = "c" + random.nextInt();
          drafts.add(Draft.of(Item.functionCall(call, "tool" + random.nextInt(3), "{}")));
          drafts.add(Draft.of(Item.functionCallOutput(call, "done")));
        }
        drafts.add(
            new Draft(
                Item.assistant("answer"),
                Map.of("input_tokens", random.nextInt(900), "output_tokens", random.nextInt(90))));
        shell
            .store
            .session(new SessionKey("ann", "s" + session))
            .commit(Commit.appendDrafts(drafts));
      }
    }
    shell.store.session("other").addItems(List.of(Item.user("not ann's")));
  }

  private List<SessionInfo> sessions() {
    return shell.store.list(SessionQuery.of("ann").limit(1000)).sessions();
  }

  private List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    for (SessionInfo info : sessions()) {
      all.addAll(shell.store.session(info.key()).entries(Range.first(10_000)).entries());
    }
    return all;
  }

  private long sum(String note) {
    return entries().stream()
        .mapToLong(entry -> entry.notes().get(note) instanceof Number n ? n.longValue() : 0)
        .sum();
  }

  private static long sum(List<Map<String, Object>> days, String field) {
    return days.stream().mapToLong(day -> (Long) day.get(field)).sum();
  }

  @Test
  void everyFigureIsThatOfARecount() {
    Result result = shell.run("stats", "--owner", "ann", "--json");
    assertThat(result.code()).as(result.err()).isZero();
    List<Map<String, Object>> days = Shell.objects(result.json(), "data");
    List<Entry> entries = entries();

    assertThat(sum(days, "sessions")).isEqualTo(10);
    assertThat(sum(days, "messages"))
        .isEqualTo(entries.stream().filter(e -> e.item().view() instanceof View.Message).count());
    assertThat(sum(days, "input_tokens")).isEqualTo(sum("input_tokens"));
    assertThat(sum(days, "output_tokens")).isEqualTo(sum("output_tokens"));
    assertThat(sum(days, "bytes"))
        .isEqualTo(entries.stream().mapToLong(e -> e.item().json().length()).sum());
    assertThat(result.json())
        .containsEntry(
            "tool_calls",
            entries.stream().filter(e -> e.item().view() instanceof View.FunctionCall).count());
    assertThat(Shell.object(result.json(), "storage"))
        .containsEntry("sessions", 10L)
        .containsEntry("items", (long) entries.size())
        .containsEntry("bytes", sessions().stream().mapToLong(SessionInfo::bytes).sum());
    assertThat(Shell.object(result.json(), "counted")).containsEntry("partial", false);
  }

  @Test
  void theFiguresAreThoseOfThePage() {
    Instant first = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(29, ChronoUnit.DAYS);
    StoreInsight page =
        new StoreInsight(shell.store, new Facts(shell.store, Facts.MOST_ITEMS), first);
    page.count("ann");
    Map<String, Object> shown = dev.clew.json.Json.readObject(page.json().toString());
    Map<String, Object> told = shell.run("stats", "--owner", "ann", "--json").json();

    assertThat(shown).isNotEmpty();
    shown.forEach((name, value) -> assertThat(told).containsEntry(name, value));
  }

  @Test
  void weeksBeginOnMonday_andCsvHasTheSameFigures() {
    List<Map<String, Object>> weeks =
        Shell.objects(
            shell.run("stats", "--owner", "ann", "--by", "week", "--json").json(), "data");
    for (Map<String, Object> week : weeks) {
      assertThat(LocalDate.parse(String.valueOf(week.get("date"))).getDayOfWeek().getValue())
          .isEqualTo(1);
    }
    List<String> lines = shell.run("stats", "--owner", "ann", "--csv").out().lines().toList();
    assertThat(lines.get(0)).isEqualTo("date,sessions,messages,input_tokens,output_tokens,bytes");
    long messages = 0;
    for (String line : lines.subList(1, lines.size())) {
      messages += Long.parseLong(line.split(",", -1)[2]);
    }
    assertThat(messages).isEqualTo(sum(weeks, "messages"));
  }

  @Test
  void onATerminal_figuresAreSmallPlots() {
    Result result = shell.onTerminal().wide(100).run("stats", "--owner", "ann", "--no-color");
    assertThat(result.out())
        .contains("sessions ", "█  10 begun", "tool0", " calls", "growth", "kept: 10 sessions");
    assertThat(result.out().lines()).allMatch(line -> Columns.width(line) <= 100);
    assertThat(new Plot(new Paint(false), OptionalInt.of(70)).spark(new long[] {8, 0, 1}))
        .isEqualTo("█ ▁");
    long[] many = new long[1000];
    many[0] = 5; // shown however long ago it is
    assertThat(new Plot(new Paint(false), OptionalInt.of(70)).spark(many))
        .startsWith("█ ")
        .hasSizeBetween(10, 13);
    Result empty = shell.run("stats", "--owner", "nobody");
    assertThat(empty.out()).contains("0 begun", "kept: 0 sessions with 0 items");
    assertThat(shell.run("stats", "--since", "soon").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("stats", "--csv", "--json").code()).isEqualTo(ExitCode.USAGE);
  }
}
