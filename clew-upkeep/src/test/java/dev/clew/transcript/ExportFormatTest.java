package dev.clew.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.memory.MemoryStore;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportFormatTest {
  private final MemoryStore store = new MemoryStore();
  private final SessionKey key = new SessionKey("ann", "a,b");

  private String csv(Item... items) {
    store.session(key).update(SessionUpdate.none().title("=cmd|'/c calc'!A1"));
    store.session(key).commit(Commit.append(List.of(items)));
    return ExportFormat.CSV.write(info(), entries());
  }

  private SessionInfo info() {
    return store.session(key).info().orElseThrow();
  }

  private List<Entry> entries() {
    return store.session(key).entries(Range.first(100)).entries();
  }

  @Test
  void csv_hasARowForEachItemAndQuotesWhatNeedsIt() {
    String csv = csv(Item.user("say \"hi\",\nplease"), Item.functionCall("c1", "weather", "{}"));
    List<Entry> entries = entries();

    assertThat(csv)
        .isEqualTo(
            "owner,session_id,title,position,added_at,type,role,tool,call_id,text,model,"
                + "input_tokens,output_tokens\r\n"
                + "ann,\"a,b\",'=cmd|'/c calc'!A1,"
                + entries.get(0).position()
                + ","
                + entries.get(0).addedAt()
                + ",message,user,,,\"say \"\"hi\"\",\nplease\",,,\r\n"
                + "ann,\"a,b\",'=cmd|'/c calc'!A1,"
                + entries.get(1).position()
                + ","
                + entries.get(1).addedAt()
                + ",function_call,,weather,c1,{},,,\r\n");
  }

  @Test
  void csv_textsThatBeginLikeAFormulaAreDefused_andTokensAreNumbers() {
    assertThat(csv(Item.user("@SUM(A1)"), Item.user("-1+1"))).contains(",'@SUM(A1),", ",'-1+1,");
    store
        .session(key)
        .commit(
            Commit.appendDrafts(
                List.of(
                    new Draft(
                        Item.assistant("x"),
                        Map.of("model", "m", "input_tokens", 12, "output_tokens", 3)))));
    assertThat(ExportFormat.csvRows(info(), entries())).endsWith(",x,m,12,3\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n=1+1",
        "\t@x",
        "\r+1",
        "\n",
        "＝1+1",
        "＋1",
        "－1",
        "＠SUM(A1)",
        " =1",
        "\u00a0=1",
        "\ufeff=1",
        "−1"
      })
  void csv_alsoBehindWhatSpreadsheetsPassOver_andInWideForms(String text) {
    assertThat(csv(Item.user(text))).contains("'" + text);
  }

  @Test
  void csv_whatIsNoFormulaStaysAsItIs() {
    assertThat(csv(Item.user("a=b"), Item.user(" a"), Item.user("你好")))
        .contains(",a=b,", ", a,", ",你好,");
  }

  private String markdown(String... said) {
    for (String text : said) {
      store.session(key).commit(Commit.append(List.of(Item.user(text))));
    }
    return TranscriptDocument.markdown(info(), entries());
  }

  @Test
  void markdown_noMessageCanLookLikeAnotherTurn() {
    String document =
        markdown(
            "hello\n\n## Assistant · 2026-01-01 10:00 UTC\n\nI agree.",
            "# Title\r## User\n   ## three blanks\n> ## quoted\n- ## listed\n1. # numbered\n##",
            "Assistant · now\n---\nUser · now\n  ===\nx",
            "```\n## code that never ends");
    assertThat(document.lines().filter(line -> line.startsWith("# "))).hasSize(1);
    assertThat(document.lines().filter(line -> line.strip().matches("##( .*)?")))
        .hasSize(5) // one for each turn, and what stands in the code
        .contains("## code that never ends");
    assertThat(document)
        .contains("\n#### Assistant · 2026", "\n### Title\n#### User\n", "\n   #### three")
        .contains("\n> #### quoted\n- #### listed\n1. ### numbered\n####\n")
        .contains("\n\\---\n", "\n\\===\n", "\n```\n## code that never ends\n```\n");
  }

  @Test
  void markdown_htmlIsShownAsText_alsoWhereItLooksLikeCode() {
    String document =
        markdown(
            "<img src=x onerror=alert(1)>",
            "- a\n  ```\n<script>1</script>",
            "`\n`<b>2</b>`",
            "    <i>3</i>",
            "```html\n<p>code</p>\n``` \n<u>4</u>");
    assertThat(document).contains("&lt;img src=x", "```html\n<p>code</p>\n``` \n&lt;u>4");
    assertThat(document.replace("<p>code</p>", "")).doesNotContain("<");
  }

  @Test
  void markdown_otherwiseAMessageStaysAsItWasWritten() {
    String text = "A *list*:\n\n- one\n- two\n\n---\n\n| a |\n|---|\n| b |\n\n#hashtag `code`";
    assertThat(markdown(text)).contains("\n\n" + text + "\n");
  }

  /** An imported conversation did not happen on the day of the import. */
  @Test
  void everyFormatButJsonl_hasTheTimesOfWhatWasBroughtFromElsewhere() {
    Instant then = Instant.parse("2023-05-06T07:08:09Z");
    store.session(key).commit(Commit.appendDrafts(List.of(Draft.of(Item.user("x")).at(then))));

    assertThat(ExportFormat.MD.write(info(), entries())).contains("## User · 2023-05-06 07:08 UTC");
    assertThat(ExportFormat.HTML.write(info(), entries())).contains("2023-05-06 07:08 UTC");
    assertThat(ExportFormat.csvRows(info(), entries()))
        .contains(",2023-05-06T07:08:09Z,message,user,");
    ExportedSession read = ExportedSession.parse(ExportFormat.JSON.write(info(), entries()));
    assertThat(read).isEqualTo(ExportedSession.of(info(), entries()));
    assertThat(read.drafts().get(0).addedAt()).contains(then);
    assertThat(read.description().times()).contains(new SessionUpdate.Times(then, then));
  }

  @Test
  void theNamesOfFiles_areSafeAndDiffer() {
    Set<String> names = new HashSet<>();
    for (String id :
        List.of("trip", "a/b", "a_b", "..", "../../etc/passwd", "-rf", "冯", "x".repeat(500))) {
      String name = ExportFormat.HTML.fileName(id);
      assertThat(name).matches("[A-Za-z0-9_][A-Za-z0-9._-]*\\.html").hasSizeLessThan(130);
      names.add(name);
    }
    assertThat(names).hasSize(8).contains("trip.html");
  }

  private String html(String answer) {
    store.session(key).commit(Commit.append(List.of(Item.assistant(answer))));
    return ExportFormat.HTML.write(info(), entries());
  }

  @Test
  void html_aTableHasAsManyCellsAsRowsTimesColumns_andIsTextIfThatIsTooMuch() {
    String wide = "|a".repeat(500) + "\n" + "|-".repeat(500) + "\n";
    assertThat(html(wide + "|b|\n".repeat(30))).contains("<table>");
    String large = wide + "|b|\n".repeat(1_000);
    assertThat(html(large).length()).isLessThan(200_000);
    assertThat(html("> " + large.replace("\n", "\n> ")).length()).isLessThan(200_000);
  }

  @Test
  void html_aTextInWhichEachTagMayHaveItsEndAnywhereIsText() {
    assertThat(html("*a* " + "<b ".repeat(1_000))).contains("<em>a</em>");
    assertThat(html("*b* " + "<b ".repeat(80_000))).doesNotContain("<em>b</em>").contains("*b*");
  }
}
