package dev.clew.transcript;

import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Items as rows of CSV (RFC 4180). Stateless.
 *
 * <p>A text that begins like a formula gets an apostrophe in front: spreadsheets run formulas, and
 * the text may be anybody's.
 */
final class CsvRows {
  static final String HEADER =
      "owner,session_id,title,position,added_at,type,role,tool,call_id,text,model,"
          + "input_tokens,output_tokens\r\n";

  /** Also in the wide and small forms that some programs take for the plain ones. */
  private static final String FORMULA_STARTS = "=+-@＝＋－＠﹦﹢﹣﹫−";

  private CsvRows() {}

  static String of(SessionInfo info, List<Entry> entries) {
    StringBuilder rows = new StringBuilder();
    for (Entry entry : entries) {
      add(rows, info, entry);
    }
    return rows.toString();
  }

  private static void add(StringBuilder rows, SessionInfo info, Entry entry) {
    String role = "";
    String tool = "";
    String call = "";
    String text = "";
    View view = entry.item().view();
    if (view instanceof View.Message message) {
      role = message.role().wire();
      text = message.text();
    } else if (view instanceof View.FunctionCall asked) {
      tool = asked.name();
      call = asked.callId();
      text = asked.arguments();
    } else if (view instanceof View.FunctionCallOutput answered) {
      call = answered.callId();
      text = answered.text();
    } else if (view instanceof View.Reasoning reasoning) {
      text = reasoning.text();
    } else if (view instanceof View.Compaction compaction) {
      text = compaction.summary().orElse("");
    }
    text(rows, info.key().owner()).append(',');
    text(rows, info.key().id()).append(',');
    text(rows, info.title()).append(',');
    rows.append(entry.position()).append(',').append(entry.addedAt()).append(',');
    for (String field : List.of(entry.item().type(), role, tool, call, text)) {
      text(rows, field).append(',');
    }
    text(rows, entry.notes().get("model") instanceof String model ? model : "").append(',');
    number(rows, entry.notes().get("input_tokens")).append(',');
    number(rows, entry.notes().get("output_tokens")).append("\r\n");
  }

  private static StringBuilder text(StringBuilder rows, String text) {
    String safe = isFormula(text) ? "'" + text : text;
    boolean quoted = safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return rows.append(quoted ? '"' + safe.replace("\"", "\"\"") + '"' : safe);
  }

  /** Whether a spreadsheet might take a text for a formula, behind what it may pass over. */
  private static boolean isFormula(String text) {
    if (text.isEmpty()) {
      return false;
    }
    int first = 0;
    while (first < text.length() && isPassedOver(text.charAt(first))) {
      first++;
    }
    return "\t\r\n".indexOf(text.charAt(0)) >= 0
        || (first < text.length() && FORMULA_STARTS.indexOf(text.charAt(first)) >= 0);
  }

  private static boolean isPassedOver(char c) {
    return Character.isWhitespace(c)
        || Character.isSpaceChar(c)
        || Character.isISOControl(c)
        || Character.getType(c) == Character.FORMAT;
  }

  private static StringBuilder number(StringBuilder rows, @Nullable Object note) {
    return note instanceof Number number ? rows.append(number) : rows;
  }
}
