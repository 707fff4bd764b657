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
 * without HTML; tool calls and results are code. In HTML everything is text: nothing that was said
 * can become a script, a link or an image.
 */
public final class TranscriptDocument {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final Pattern FENCES = Pattern.compile("`{3,}");

  private static final String STYLE =
      """
      body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}\
      article{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid #888}\
      article.user{border-color:#36c}article.assistant{border-color:#393}\
      h2{font-size:1rem;margin:0}time{color:#666;font-weight:400}\
      div,pre{white-space:pre-wrap;overflow-wrap:anywhere}""";

  private TranscriptDocument() {}

  /** Who says something in a document, and what: text, or code of a tool. */
  private record Block(String css, String speaker, String text, boolean code) {}

  private static Block block(Item item) {
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

  /** The conversation as a self-contained HTML page. */
  public static String html(SessionInfo info, List<Entry> entries) {
    String title = escaped(title(info));
    StringBuilder out =
        new StringBuilder("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n")
            .append("<meta http-equiv=\"Content-Security-Policy\"")
            .append(" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>")
            .append(title)
            .append("</title>\n<style>")
            .append(STYLE)
            .append("</style></head>\n<body><h1>")
            .append(title)
            .append("</h1>\n");
    for (Entry entry : entries) {
      Block block = block(entry.item());
      String tag = block.code() ? "pre" : "div";
      out.append("<article class=\"").append(block.css()).append("\"><h2>");
      out.append(escaped(block.speaker())).append(" <time>").append(time(entry.addedAt()));
      out.append("</time></h2><").append(tag).append(" dir=\"auto\">");
      out.append(escaped(block.text())).append("</").append(tag).append("></article>\n");
    }
    return out.append("</body></html>\n").toString();
  }

  private static String title(SessionInfo info) {
    return info.title().isEmpty() ? info.key().id() : info.title();
  }

  private static String time(Instant instant) {
    return TIME.format(instant);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R", " ");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
