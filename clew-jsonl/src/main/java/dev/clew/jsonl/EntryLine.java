package dev.clew.jsonl;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries as lines. Stateless and thread-safe.
 *
 * <p>A message of one text is written as {@code {"role","content","timestamp"}} if the item can be
 * restored from that exactly; {@code form} says which of a few spellings it had. Every other item
 * is written as it is.
 */
final class EntryLine {
  /** About how many bytes a line adds to the item. */
  private static final int OVERHEAD = 120;

  /**
   * A spelling of a message of one text.
   *
   * @param name its name in a line; empty for the plain one
   * @param before the JSON before the text literal
   * @param after the JSON after it
   */
  private record Form(String name, String role, String before, String after) {}

  private static final List<Form> FORMS = forms();

  private EntryLine() {}

  private static List<Form> forms() {
    List<Form> forms = new ArrayList<>();
    for (String role : List.of("user", "assistant", "system")) {
      String who = "\"role\":\"" + role + "\",\"content\":";
      String part = role.equals("assistant") ? "output_text" : "input_text";
      forms.add(new Form("", role, "{" + who, "}"));
      forms.add(new Form("typed", role, "{\"type\":\"message\"," + who, "}"));
      forms.add(
          new Form(
              "parts",
              role,
              "{\"type\":\"message\"," + who + "[{\"type\":\"" + part + "\",\"text\":",
              "}]}"));
    }
    return List.copyOf(forms);
  }

  /** The line of an entry, without the closing brace. */
  static StringBuilder open(Entry entry) {
    String json = entry.item().json();
    StringBuilder line = new StringBuilder(json.length() + 2 * OVERHEAD);
    Form form = form(json);
    if (form == null) {
      line.append("{\"type\":\"item\",\"data\":").append(json);
      line.append(",\"timestamp\":").append(entry.addedAt().toEpochMilli());
    } else {
      line.append("{\"type\":\"message\",\"data\":{\"role\":\"").append(form.role());
      line.append("\",\"content\":");
      line.append(json, form.before().length(), json.length() - form.after().length());
      line.append(",\"timestamp\":").append(entry.addedAt().toEpochMilli()).append('}');
      if (!form.name().isEmpty()) {
        line.append(",\"form\":\"").append(form.name()).append('"');
      }
    }
    if (!entry.notes().isEmpty()) {
      line.append(",\"notes\":").append(Json.write(entry.notes()));
    }
    return line.append(",\"position\":").append(entry.position());
  }

  private static @Nullable Form form(String json) {
    for (Form form : FORMS) {
      if (json.startsWith(form.before())
          && json.endsWith(form.after())
          && isLiteral(json, form.before().length(), json.length() - form.after().length())) {
        return form;
      }
    }
    return null;
  }

  /** Whether this part of a valid JSON text is one string literal. */
  private static boolean isLiteral(String json, int from, int to) {
    if (to - from < 2 || json.charAt(from) != '"') {
      return false;
    }
    if (json.indexOf('"', from + 1) == to - 1) {
      return true; // the usual case
    }
    for (int i = from + 1; i < to; i++) {
      char c = json.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        return i == to - 1;
      }
    }
    return false;
  }

  static boolean isEntry(Line line) {
    return line.type().equals("message") || line.type().equals("item");
  }

  static Entry parse(Line line) {
    String timestamp = line.fields().get("timestamp");
    String json = line.data();
    if (line.type().equals("message")) {
      Map<String, String> data = Json.fields(json);
      timestamp = data.get("timestamp");
      String name = line.raw("form").map(raw -> raw.substring(1, raw.length() - 1)).orElse("");
      json = spell(name, data.getOrDefault("role", ""), data.getOrDefault("content", ""));
    }
    return new Entry(
        line.number("position"),
        Item.trusted(json),
        Instant.ofEpochMilli(timestamp == null ? 0 : Long.parseLong(timestamp)),
        line.raw("notes").map(Json::readObject).orElse(Map.of()),
        line.flag("archived"));
  }

  private static String spell(String name, String role, String content) {
    for (Form form : FORMS) {
      if (form.name().equals(name) && role.equals('"' + form.role() + '"')) {
        return form.before() + content + form.after();
      }
    }
    throw new IllegalStateException("a line of form '" + name + "' from a later version of Clew");
  }

  /**
   * The entry in a line of another program.
   *
   * @throws ClewException.InvalidItem if it has none
   */
  static Entry parseForeign(Line line, long position, Instant unknownTime) {
    Map<String, String> data = line.isFlat() ? line.fields() : Json.fields(line.data());
    StringBuilder json = new StringBuilder("{");
    data.forEach(
        (name, raw) -> {
          if (!name.equals("timestamp")) {
            json.append(json.length() == 1 ? "" : ",").append(Json.quote(name));
            json.append(':').append(raw);
          }
        });
    Item item = Item.stored(json.append('}').toString());
    return new Entry(
        position, item, Times.parse(data.get("timestamp"), unknownTime), Map.of(), false);
  }

  /** An entry that a compaction replaced. */
  static Entry compacted(Entry entry) {
    return new Entry(entry.position(), entry.item(), entry.addedAt(), entry.notes(), true);
  }

  /** About how many bytes the line of an entry has. */
  static long size(Entry entry) {
    return JsonText.utf8Length(entry.item().json()) + OVERHEAD;
  }
}
