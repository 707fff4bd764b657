package dev.clew.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.HistoryTransaction;
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

class ExportFormatTest {
  private final MemoryStore store = new MemoryStore();
  private final SessionKey key = new SessionKey("ann", "a,b");

  private String csv(Item... items) {
    store.update(key, SessionUpdate.none().title("=cmd|'/c calc'!A1"));
    store.apply(key, HistoryTransaction.append(List.of(items)));
    return ExportFormat.CSV.write(info(), entries());
  }

  private SessionInfo info() {
    return store.info(key).orElseThrow();
  }

  private List<Entry> entries() {
    return store.read(key, Range.first(100)).entries();
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
    store.apply(
        key,
        HistoryTransaction.appendDrafts(
            List.of(
                new Draft(
                    Item.assistant("x"),
                    Map.of("model", "m", "input_tokens", 12, "output_tokens", 3)))));
    assertThat(ExportFormat.csvRows(info(), entries())).endsWith(",x,m,12,3\r\n");
  }

  /** An imported conversation did not happen on the day of the import. */
  @Test
  void everyFormatButJsonl_hasTheTimesOfWhatWasBroughtFromElsewhere() {
    Instant then = Instant.parse("2023-05-06T07:08:09Z");
    store.apply(key, HistoryTransaction.appendDrafts(List.of(Draft.of(Item.user("x")).at(then))));

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
}
