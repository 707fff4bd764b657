package dev.clew.cli.terminal;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Part;
import dev.clew.View;
import java.util.List;
import java.util.OptionalInt;

/**
 * A conversation as text: who said what, tools as notes of one line. Not thread-safe. Nothing is
 * left out unless it was asked to be short.
 */
public final class Transcript {
  private static final int SHORT = 160;
  private static final int LONGEST_ADDRESS = 80;
  private static final String INDENT = "  ";

  private final Output out;
  private final Paint paint;
  private final OptionalInt width;
  private final boolean positions;
  private final boolean cut;
  private boolean afterNote;

  public Transcript(Output out, Paint paint, OptionalInt width, boolean positions, boolean cut) {
    this.out = out;
    this.paint = paint;
    this.width = width;
    this.positions = positions;
    this.cut = cut;
  }

  public void add(Entry entry) {
    String place = positions ? paint.dim(" #" + entry.position()) : "";
    String state = entry.compacted() ? paint.dim(" (compacted)") : "";
    add(entry.item(), place + state);
  }

  public void add(Item item) {
    add(item, "");
  }

  private void add(Item item, String place) {
    View view = item.view();
    if (view instanceof View.Message message) {
      said(role(message), place, parts(message.content()));
    } else if (view instanceof View.Reasoning reasoning) {
      said(paint.dim("reasoning"), place, reasoning(reasoning));
    } else if (view instanceof View.FunctionCall call) {
      note("→ " + paint.yellow(SafeText.line(call.name())), place, call.arguments());
    } else if (view instanceof View.FunctionCallOutput output) {
      note("←", place, parts(output.output()));
    } else if (view instanceof View.Compaction compaction) {
      note(paint.dim("⋯ compacted history"), place, compaction.summary().orElse(""));
    } else {
      note("· " + paint.yellow(SafeText.line(item.type())), place, item.json());
    }
  }

  /** One item on one line, for a question or a receipt. */
  public static String preview(Item item, int columns) {
    View view = item.view();
    String text;
    if (view instanceof View.Message message) {
      text = message.role().wire() + ": " + parts(message.content());
    } else if (view instanceof View.FunctionCall call) {
      text = "call of " + call.name() + " " + call.arguments();
    } else if (view instanceof View.FunctionCallOutput output) {
      text = "tool output: " + parts(output.output());
    } else {
      text = item.type().isEmpty() ? "an item" : item.type();
    }
    return Columns.cut(SafeText.line(text), columns);
  }

  private String role(View.Message message) {
    String name = message.role().wire();
    return switch (message.role()) {
      case USER -> paint.green(name);
      case ASSISTANT -> paint.cyan(name);
      case SYSTEM, DEVELOPER -> paint.bold(name);
    };
  }

  private void said(String who, String place, String text) {
    out.line("").line(who + place);
    String shown = cut ? Columns.cut(SafeText.line(text), SHORT) : SafeText.text(text);
    OptionalInt columns =
        width.isPresent()
            ? OptionalInt.of(Math.max(20, width.getAsInt() - INDENT.length()))
            : width;
    for (String line : Columns.wrap(shown, columns)) {
      out.line(line.isEmpty() ? "" : INDENT + line);
    }
    afterNote = false;
  }

  private void note(String what, String place, String text) {
    if (!afterNote) {
      out.line("");
    }
    String line = SafeText.line(text);
    out.line((what + place + " " + (cut ? Columns.cut(line, SHORT) : line)).stripTrailing());
    afterNote = true;
  }

  private static String reasoning(View.Reasoning reasoning) {
    String text = reasoning.text();
    return text.isEmpty() && reasoning.encryptedContent().isPresent() ? "[encrypted]" : text;
  }

  private static String parts(List<Part> parts) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Part.Text plain) {
        text.append(plain.text());
      } else {
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? "" : "\n");
        text.append(attachment(part)).append('\n');
      }
    }
    return text.toString().stripTrailing();
  }

  private static String attachment(Part part) {
    if (part instanceof Part.Refusal refusal) {
      return "[refusal] " + refusal.refusal();
    }
    if (part instanceof Part.Image image) {
      return bracket("image", image.url().or(image::fileId).orElse(""));
    }
    if (part instanceof Part.Audio audio) {
      return bracket("audio", audio.transcript().or(audio::url).or(audio::format).orElse(""));
    }
    if (part instanceof Part.File file) {
      return bracket("file", file.filename().or(file::url).or(file::fileId).orElse(""));
    }
    return bracket(part.type().isEmpty() ? "part" : part.type(), "");
  }

  /** Addresses may hold the whole file; the first characters say which kind. */
  private static String bracket(String kind, String what) {
    return "[" + (kind + " " + Columns.cut(what, LONGEST_ADDRESS)).strip() + "]";
  }
}
