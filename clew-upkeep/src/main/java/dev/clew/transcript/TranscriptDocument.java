package dev.clew.transcript;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.View;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A conversation as a document for people: Markdown, or a page of HTML. Stateless and thread-safe.
 *
 * <p>In Markdown, messages keep their own Markdown, with headings below those of the document and
 * without HTML; tool calls and results are code. In HTML it looks as on the page of the server, see
 * {@link TranscriptPage}.
 */
public final class TranscriptDocument {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final Pattern FENCES = Pattern.compile("`{3,}");

  private TranscriptDocument() {}

  /** Who says something in a document, and what: text, or code of a tool. */
  record Block(String css, String speaker, String text, boolean code) {}

  static Block block(Item item) {
    View view = item.view();
    if (view instanceof View.Message message) {
      return new Block(message.role().wire(), name(message.role()), message.text(), false);
    }
    if (view instanceof View.FunctionCall call) {
      return new Block("tool", "Tool call: " + oneLine(call.name()), call.arguments(), true);
    }
    if (view instanceof View.FunctionCallOutput output) {
      return new Block("tool", "Tool result", output.text(), true);
    }
    if (view instanceof View.Reasoning reasoning) {
      return new Block("reasoning", "Reasoning", reasoning.text(), false);
    }
    if (view instanceof View.Compaction compaction) {
      return new Block(
          "compaction",
          "Summary of what was said before",
          compaction.summary().orElse("(encrypted)"),
          false);
    }
    return new Block("other", oneLine(item.type()), item.json(), true);
  }

  private static String name(Role role) {
    String wire = role.wire();
    return Character.toUpperCase(wire.charAt(0)) + wire.substring(1);
  }

  /** The conversation in Markdown. */
  public static String markdown(SessionInfo info, List<Entry> entries) {
    StringBuilder out = new StringBuilder("# ").append(markdownLine(title(info))).append("\n");
    for (Entry entry : entries) {
      Block block = block(entry.item());
      out.append("\n## ").append(markdownLine(block.speaker())).append(" · ");
      out.append(time(entry.addedAt())).append("\n\n");
      if (block.code()) {
        String fence = fence(block.text());
        out.append(fence).append('\n').append(block.text()).append('\n').append(fence).append('\n');
      } else {
        out.append(MarkdownText.of(block.text()));
      }
    }
    return out.toString();
  }

  /** Longer than any in the text, so that the text cannot end the block. */
  private static String fence(String text) {
    int longest = 2;
    Matcher fences = FENCES.matcher(text);
    while (fences.find()) {
      longest = Math.max(longest, fences.end() - fences.start());
    }
    return "`".repeat(longest + 1);
  }

  private static String markdownLine(String text) {
    return oneLine(text).replaceAll("([\\\\`*_\\[\\]<>#|])", "\\\\$1");
  }

  /** The conversation as a self-contained HTML page, with headings in English. */
  public static String html(SessionInfo info, List<Entry> entries) {
    return TranscriptPage.html(info, entries, "en");
  }

  /**
   * The conversation as a self-contained HTML page.
   *
   * @param language of its headings: {@code en}, {@code zh}, {@code de} or {@code es}
   */
  public static String html(SessionInfo info, List<Entry> entries, String language) {
    return TranscriptPage.html(info, entries, language);
  }

  static String title(SessionInfo info) {
    return info.title().isEmpty() ? info.key().id() : info.title();
  }

  static String time(Instant instant) {
    return TIME.format(instant);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R", " ");
  }
}
