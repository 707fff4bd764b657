package dev.clew.cli.session;

import static dev.clew.cli.Shell.object;
import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Range;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionsCommandsTest {
  private final Shell shell = new Shell();
  private StoredSession trip;

  @BeforeEach
  void makeATrip() {
    trip = shell.store.session("trip");
    trip.addItems(
        List.of(
            Item.user("Is it foggy?"),
            Item.functionCall("c1", "get_weather", "{\"city\":\"Kyoto\"}"),
            Item.functionCallOutput("c1", "fog\n14 °C"),
            Item.assistant("Yes.")));
    trip.update(SessionUpdate.none().title("京都 trip").tags(Set.of("travel")));
  }

  @Test
  void list_showsIdItemsAndTitle() {
    Result result = shell.run("sessions", "list");
    assertThat(result.code()).isZero();
    assertThat(result.out().lines().toList())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("trip")
        .contains(" 4 ", "just now", "京都 trip", "[travel]");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void list_asJsonHasStableFieldsAndTheCursorOfTheNextPage() {
    shell.store.session("second").addItems(List.of(Item.user("hello")));
    Result first = shell.run("sessions", "list", "--limit", "1", "--json");
    assertThat(first.json()).containsOnlyKeys("sessions", "next");
    assertThat(objects(first.json(), "sessions"))
        .singleElement()
        .satisfies(
            session ->
                assertThat(session)
                    .containsOnlyKeys(
                        "id",
                        "owner",
                        "title",
                        "items",
                        "bytes",
                        "version",
                        "created_at",
                        "updated_at",
                        "tags",
                        "archived",
                        "older",
                        "pinned",
                        "metadata",
                        "time_to_live_seconds",
                        "parent"));
    String cursor = (String) first.json().get("next");
    Result rest = shell.run("sessions", "list", "--limit", "1", "--cursor", cursor, "--json");
    assertThat(rest.json().get("next")).isNull();
    assertThat(List.of(id(first), id(rest))).containsExactlyInAnyOrder("trip", "second");
  }

  private static Object id(Result result) {
    return objects(result.json(), "sessions").get(0).get("id");
  }

  @Test
  void list_saysHowToGetTheNextPage() {
    shell.store.session("second").addItems(List.of(Item.user("hello")));
    assertThat(shell.run("sessions", "list", "--limit", "1").err()).contains("--cursor ");
  }

  @Test
  void list_filtersByTagTitleAndArchive() {
    shell.store.session("old").update(SessionUpdate.none().archived(true));
    assertThat(ids("--tag", "travel")).containsExactly("trip");
    assertThat(ids("--tag", "work")).isEmpty();
    assertThat(ids("--title", "TRIP")).containsExactly("trip");
    assertThat(ids()).containsExactly("trip");
    assertThat(ids("--archived")).containsExactly("old");
  }

  @Test
  void list_ordersByTitle() {
    shell.store.session("a").update(SessionUpdate.none().title("zebra"));
    shell.store.session("b").update(SessionUpdate.none().title("apple"));
    assertThat(ids("--order", "title")).containsSubsequence("b", "a");
  }

  private List<Object> ids(String... options) {
    List<String> args = new ArrayList<>(List.of("sessions", "list", "--json"));
    args.addAll(List.of(options));
    Result result = shell.run(args.toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
    return objects(result.json(), "sessions").stream().map(session -> session.get("id")).toList();
  }

  @Test
  void list_ofAnEmptyStoreSaysHowToBegin() {
    Result result = shell.run("--owner", "nobody", "sessions", "list");
    assertThat(result.code()).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("clew --owner nobody add");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--tag work", "--title zebra", "--archived"})
  void list_withAFilterThatFindsNothing_saysNothingElse(String filter) {
    Result result = shell.run(("sessions list " + filter).split(" "));
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEqualTo("no such sessions\n");
  }

  @Test
  void list_refusesALimitThatIsNone() {
    assertThat(shell.run("sessions", "list", "--limit", "0").code()).isEqualTo(ExitCode.USAGE);
    Result word = shell.run("sessions", "list", "--limit", "many");
    assertThat(word.code()).isEqualTo(ExitCode.USAGE);
    assertThat(word.err()).contains("--limit", "many");
  }

  @Test
  void list_refusesAnOrderThatIsNone() {
    Result result = shell.run("sessions", "list", "--order", "size");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("size").containsIgnoringCase("updated");
  }

  @Test
  void globalOptionsWorkBeforeAndAfterTheCommand() {
    StoredSession hers = shell.store.session(new SessionKey("ada", "hers"));
    hers.addItems(List.of(Item.user("hi")));
    assertThat(shell.run("--owner", "ada", "sessions", "list").out()).contains("hers");
    assertThat(shell.run("sessions", "--owner", "ada", "list").out()).contains("hers");
    assertThat(shell.run("sessions", "list", "--owner", "ada").out())
        .contains("hers")
        .doesNotContain("trip");
  }

  @Test
  void anOptionGivenBeforeAndAfterTheCommandCountsOnce() {
    assertThat(shell.run("--json", "sessions", "--json", "list", "--json").json())
        .containsKey("sessions");
    assertThat(shell.run("--owner", "ada", "sessions", "list", "--owner", "", "--json").out())
        .contains("trip");
    assertThat(shell.onTerminal().run("--no-color", "sessions", "list", "--no-color").out())
        .doesNotContain("\u001b");
    assertThat(shell.run("--json", "sessions", "list").json()).containsKey("sessions");
  }

  @Test
  void show_printsWhoSaidWhatAndToolsOnOneLine() {
    Result result = shell.run("sessions", "show", "trip");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("京都 trip  trip · 4 items")
        .endsWith(
            """

            user
              Is it foggy?

            → get_weather {"city":"Kyoto"}
            ← fog 14 °C

            assistant
              Yes.
            """);
  }

  @Test
  void show_asJsonHasEveryItemAsItWasGiven() {
    String odd = "{\"type\":\"new_thing\",\"n\":0.10,\"big\":1e400,\"s\":\"\\u0041\"}";
    trip.addItems(List.of(Item.parse(odd)));
    Result result = shell.run("sessions", "show", "trip", "--json", "--limit", "1");
    assertThat(result.out()).contains("\"item\":" + odd + "}");
    String json = result.out().replace("1e400", "1");
    Result readable = new Result(0, json, "");
    assertThat(readable.json()).containsOnlyKeys("session", "entries", "has_more");
    assertThat(readable.json()).containsEntry("has_more", true);
    assertThat(objects(readable.json(), "entries").get(0))
        .containsOnlyKeys("position", "added_at", "compacted", "notes", "item");
    assertThat(object(readable.json(), "session")).containsEntry("id", "trip");
  }

  @Test
  void show_limitsToTheNewestAndTellsThatThereAreMore() {
    Result result = shell.run("sessions", "show", "trip", "--limit", "1");
    assertThat(result.out()).contains("Yes.").doesNotContain("foggy");
    assertThat(result.err()).contains("--all");
    assertThat(shell.run("sessions", "show", "trip").err()).isEmpty();
    for (String few : List.of("-1", "0")) {
      for (String command : List.of("sessions show trip", "sessions list", "search x")) {
        String[] words = (command + " --limit " + few).split(" ", -1);
        Result refused = shell.run(words);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("--limit is " + few + "; it must be ");
        assertThat(refused.out()).isEmpty();
      }
    }
  }

  @Test
  void show_allReadsPastOnePage() {
    List<Item> many = new ArrayList<>();
    for (int i = 0; i < 1203; i++) {
      many.add(Item.user("number " + i));
    }
    shell.store.session("long").addItems(many);
    Result result = shell.run("sessions", "show", "long", "--all", "--json");
    assertThat(objects(result.json(), "entries")).hasSize(1203);
    assertThat(result.json()).containsEntry("has_more", false);
    assertThat(shell.run("sessions", "show", "long", "--all").out())
        .contains("number 0\n", "number 1202\n");
  }

  @Test
  void show_beforeAPositionGoesBack() {
    long last = trip.entries(Range.latest(1)).entries().get(0).position();
    Result result = shell.run("sessions", "show", "trip", "--before", "" + last, "--limit", "1");
    assertThat(result.out()).contains("← fog").doesNotContain("Yes.");
    assertThat(shell.run("sessions", "show", "trip", "--all", "--before", "1").code())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void show_positionsAreThoseThatForkTakes() {
    long first = trip.entries(Range.first(1)).entries().get(0).position();
    assertThat(shell.run("sessions", "show", "trip", "--positions").out())
        .contains("user #" + first + "\n");
    shell.run("sessions", "fork", "trip", "half", "--at", "" + first);
    assertThat(shell.store.session("half").getItems()).containsExactly(Item.user("Is it foggy?"));
  }

  @Test
  void show_compactedShowsWhatACompactionReplaced() {
    long last = trip.entries(Range.latest(1)).entries().get(0).position();
    trip.commit(
        Commit.replacePrefix(
            last, List.of(Item.parse("{\"type\":\"compaction\",\"summary\":\"fog\"}"))));
    assertThat(shell.run("sessions", "show", "trip").out())
        .contains("compacted history")
        .doesNotContain("foggy");
    assertThat(shell.run("sessions", "show", "trip", "--compacted").out())
        .contains("user (compacted)\n  Is it foggy?");
  }

  @Test
  void show_cutsLongTextOnlyWhenAsked() {
    String longText = "long ".repeat(500).strip();
    trip.addItems(List.of(Item.user(longText)));
    assertThat(shell.run("sessions", "show", "trip").out()).contains(longText);
    assertThat(shell.run("sessions", "show", "trip", "--short").out())
        .doesNotContain(longText)
        .contains("long long")
        .contains("…");
  }

  @Test
  void show_wrapsToTheTerminal() {
    trip.addItems(List.of(Item.user("words and more words ".repeat(20) + "寺".repeat(100))));
    String out = shell.onTerminal().wide(40).run("sessions", "show", "trip", "--limit", "1").out();
    assertThat(out.lines().skip(1))
        .allSatisfy(l -> assertThat(Columns.width(l)).isLessThanOrEqualTo(40));
  }

  @Test
  void show_doesNotLetStoredTextControlTheTerminal() {
    trip.addItems(List.of(Item.user("\u001b]0;owned\u0007\u001b[2J\u009b31m")));
    trip.update(SessionUpdate.none().title("plain"));
    assertThat(shell.run("sessions", "show", "trip").out())
        .doesNotContain("\u001b", "\u0007", "\u009b")
        .contains("␛]0;owned␇");
  }

  @Test
  void show_namesWhatIsNotText() {
    trip.addItems(
        List.of(
            Item.message(
                Role.USER,
                List.of(
                    Part.inputText("look"),
                    Part.image("https://example.org/a.png", null),
                    Part.image("data:image/png;base64," + "A".repeat(5000), null),
                    Part.parse("{\"type\":\"input_file\",\"filename\":\"a.pdf\"}"),
                    Part.parse("{\"type\":\"smell\"}"))),
            Item.parse("{\"type\":\"web_search_call\",\"status\":\"done\"}"),
            Item.parse(
                "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\","
                    + "\"text\":\"think\"}]}")));
    assertThat(shell.run("sessions", "show", "trip").out())
        .contains("[image https://example.org/a.png]", "[image data:image/png;base64,AAA")
        .contains("[file a.pdf]", "[smell]", "· web_search_call {", "reasoning\n  think")
        .doesNotContain("A".repeat(100));
  }

  @Test
  void show_ofAnUnknownSessionIsNotFoundAndMakesNone() {
    Result result = shell.run("sessions", "show", "nowhere");
    assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("nowhere", "sessions list").hasLineCount(1);
    assertThat(shell.store.session("nowhere").info()).isEmpty();
  }

  @Test
  void show_doesNotFindAnotherOwnersSession() {
    assertThat(shell.run("--owner", "ada", "sessions", "show", "trip").code())
        .isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void rename_setsAndRemovesTheTitle() {
    assertThat(shell.run("sessions", "rename", "trip", "Fog 雾").out()).contains("Fog 雾");
    assertThat(trip.info().map(SessionInfo::title)).hasValue("Fog 雾");
    Result json = shell.run("sessions", "rename", "trip", "", "--json");
    assertThat(object(json.json(), "session")).containsEntry("title", "");
    assertThat(trip.info().map(SessionInfo::title)).hasValue("");
  }

  @Test
  void rename_ofAnUnknownSessionIsNotFoundAndMakesNone() {
    assertThat(shell.run("sessions", "rename", "nowhere", "x").code())
        .isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.store.session("nowhere").info()).isEmpty();
  }

  @Test
  void rename_withATitleThatIsNoneIsRefused() {
    Result result = shell.run("sessions", "rename", "trip", "x\u0007");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("title");
  }

  @Test
  void fork_copiesEverythingAndSaysFromWhere() {
    Result result = shell.run("sessions", "fork", "trip", "copy", "--json");
    assertThat(object(result.json(), "session")).containsEntry("items", 4L);
    long last = trip.entries(Range.latest(1)).entries().get(0).position();
    assertThat(object(object(result.json(), "session"), "parent"))
        .containsEntry("id", "trip")
        .containsEntry("position", last);
    assertThat(shell.store.session("copy").getItems()).isEqualTo(trip.getItems());
  }

  @Test
  void fork_ontoAnExistingSessionIsAConflict() {
    shell.store.session("there").addItems(List.of(Item.user("hi")));
    Result result = shell.run("sessions", "fork", "trip", "there");
    assertThat(result.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(shell.store.session("there").getItems()).hasSize(1);
  }

  @Test
  void fork_ofAnUnknownSessionIsNotFound() {
    assertThat(shell.run("sessions", "fork", "nowhere", "x").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void delete_withoutATerminalWantsYes() {
    Result result = shell.run("sessions", "delete", "trip");
    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err()).contains("--yes");
    assertThat(trip.info()).isPresent();
    assertThat(shell.run("sessions", "delete", "trip", "--yes").out()).contains("deleted 'trip'");
    assertThat(trip.info()).isEmpty();
  }

  @Test
  void delete_onATerminalAsksAndTakesOnlyAYes() {
    Result no = shell.onTerminal("").run("sessions", "delete", "trip");
    assertThat(no.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(no.err()).contains("Delete 'trip' (4 items)?");
    assertThat(shell.run("sessions", "delete", "trip").code()).isEqualTo(ExitCode.REFUSED);
    assertThat(trip.info()).isPresent();
    assertThat(shell.onTerminal("Y").run("sessions", "delete", "trip").code()).isZero();
    assertThat(trip.info()).isEmpty();
  }

  @Test
  void delete_deletesTheOthersWhenOneIsMissingAndSaysSo() {
    Result result = shell.run("sessions", "delete", "nowhere", "trip", "--yes", "--json");
    assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(result.json())
        .containsEntry("deleted", List.of("trip"))
        .containsEntry("missing", List.of("nowhere"));
    assertThat(result.error()).containsEntry("code", "not_found");
  }

  @Test
  void fork_atAPositionWhereNothingIs_isNotFound() {
    shell.store.session("s").addItems(List.of(Item.user("one"), Item.user("two")));
    for (String at : List.of("77", "0", "-1")) {
      Result result = shell.run("sessions", "fork", "s", "t", "--at=" + at);
      assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(result.err()).contains("no item at position " + at, "--positions");
    }
    long first = shell.store.session("s").entries(Range.first(1)).entries().get(0).position();
    assertThat(shell.run("sessions", "fork", "s", "t", "--at=" + first).code()).isZero();
  }
}
