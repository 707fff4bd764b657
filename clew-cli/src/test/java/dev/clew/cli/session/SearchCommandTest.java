package dev.clew.cli.session;

import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionUpdate;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.kit.BackendStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SearchCommandTest {
  private final Shell shell = new Shell();

  @BeforeEach
  void writeSomething() {
    shell.store.session("bridge").addItems(List.of(Item.user("The Golden Gate Bridge\nis red")));
    shell.store.session("bridge").update(SessionUpdate.none().title("Bridges"));
    shell.store.session("kyoto").addItems(List.of(Item.user("京都有哪些值得看的寺庙？")));
  }

  @Test
  void marksTheWordsItFound() {
    Result result = shell.run("search", "golden", "gate");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .startsWith("bridge #")
        .contains("Bridges")
        .contains("[Golden]", "[Gate]", "Bridge is red");
  }

  @Test
  void usesColoursInsteadOfBracketsOnATerminal() {
    assertThat(shell.onTerminal().run("search", "golden").out())
        .contains("\u001b[1;33mGolden\u001b[0m")
        .doesNotContain("[Golden]");
    assertThat(shell.run("search", "golden", "--no-color").out()).contains("[Golden]");
    shell.env.put("NO_COLOR", "1");
    assertThat(shell.run("search", "golden").out()).doesNotContain("\u001b");
  }

  @Test
  void findsAChineseWordOfTwoCharacters() {
    assertThat(shell.run("search", "寺庙").out()).startsWith("kyoto #").contains("[寺庙]");
  }

  @Test
  void asJsonHasHitsAndWhetherTheyAreAll() {
    Result result = shell.run("search", "golden", "--json");
    assertThat(result.json()).containsOnlyKeys("hits", "partial").containsEntry("partial", false);
    assertThat(objects(result.json(), "hits"))
        .singleElement()
        .satisfies(
            hit ->
                assertThat(hit)
                    .containsOnlyKeys(
                        "id",
                        "owner",
                        "title",
                        "position",
                        "added_at",
                        "score",
                        "snippet",
                        "highlights")
                    .containsEntry("id", "bridge"));
  }

  @Test
  void looksOnlyIntoTheSessionItIsTold() {
    assertThat(objects(shell.run("search", "寺", "--session", "bridge", "--json").json(), "hits"))
        .isEmpty();
    assertThat(objects(shell.run("search", "寺", "--session", "kyoto", "--json").json(), "hits"))
        .hasSize(1);
    assertThat(shell.run("search", "寺", "--session", "nowhere").code())
        .isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void findingNothingIsNoError() {
    Result result = shell.run("search", "zeppelin");
    assertThat(result.code()).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("nothing found");
  }

  @Test
  void tellsWhenTheIndexIsStillCatchingUp() {
    shell.opening(
        url ->
            BackendStore.decorate(
                shell.store,
                backend ->
                    new Shell.KeptOpen(backend) {
                      @Override
                      public SearchResult search(SearchQuery query) {
                        return new SearchResult(super.search(query).hits(), true);
                      }
                    }));
    assertThat(shell.run("search", "golden").err()).contains("there may be more");
    assertThat(shell.run("search", "golden", "--json").json()).containsEntry("partial", true);
  }

  @Test
  void saysSoWhenTheStoreCannotSearch() {
    shell.opening(
        url ->
            BackendStore.decorate(
                shell.store,
                backend ->
                    new Shell.KeptOpen(backend) {
                      @Override
                      public SearchResult search(SearchQuery query) {
                        throw new ClewException.NotSupported(
                            "this store cannot search; use another");
                      }
                    }));
    Result result = shell.run("search", "golden");
    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).isEqualTo("clew: this store cannot search; use another\n");
  }

  @Test
  void wantsAWord() {
    assertThat(shell.run("search").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("search", "x", "--limit", "5000").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void filtersContextAndOpen() {
    shell
        .store
        .session("trip")
        .addItems(
            List.of(
                Item.user("first"),
                Item.user("rain in Kyoto?"),
                Item.functionCall("c", "weather", "{}"),
                Item.functionCallOutput("c", "rain at noon"),
                Item.assistant("Take an umbrella.")));

    assertThat(shell.run("search", "rain", "--role", "user").out())
        .contains("[rain] in Kyoto?")
        .doesNotContain("at noon");
    assertThat(shell.run("search", "rain", "--tool", "weather").out())
        .contains("[rain] at noon")
        .doesNotContain("in Kyoto");
    assertThat(shell.run("search", "rain", "--tag", "none").err()).contains("nothing found");
    assertThat(shell.run("search", "rain", "--until", "1h").err()).contains("nothing found");
    assertThat(shell.run("search", "rain", "--since", "1h", "--role", "user", "-C", "1").out())
        .contains("first", "weather")
        .doesNotContain("umbrella");
    assertThat(shell.run("search", "noon", "--open").out()).contains("first", "Take an umbrella.");
    List<Map<String, Object>> hits =
        Shell.objects(shell.run("search", "noon", "-C", "1", "--json").json(), "hits");
    assertThat(Shell.objects(hits.get(0), "context")).hasSize(3);
    assertThat(shell.run("search", "rain", "--role", "nobody").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("search", "rain", "-C", "-1").code()).isEqualTo(ExitCode.USAGE);
  }
}
