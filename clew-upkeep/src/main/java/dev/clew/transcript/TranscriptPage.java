package dev.clew.transcript;

import static dev.clew.transcript.MarkdownHtml.escaped;

import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.kit.Resources;
import java.util.List;
import java.util.Map;

/**
 * A conversation as a self-contained page of HTML, in the look of the server's page, light and
 * dark. Stateless and thread-safe. It has no scripts and loads nothing.
 */
final class TranscriptPage {
  private static final String STYLE = Resources.text(TranscriptPage.class, "transcript.css");

  /** The names of who speaks, in the languages of the page. */
  private static final Map<String, Map<String, String>> NAMES =
      Map.of(
          "zh",
          Map.of("User", "用户", "Assistant", "助手", "System", "指令", "Developer", "指令"),
          "de",
          Map.of("User", "Nutzer", "Assistant", "Assistent", "System", "Anweisungen"),
          "es",
          Map.of("User", "Usuario", "Assistant", "Asistente", "System", "Instrucciones"));

  private TranscriptPage() {}

  static String html(SessionInfo info, List<Entry> entries, String language) {
    String title = escaped(TranscriptDocument.title(info));
    StringBuilder out =
        new StringBuilder("<!DOCTYPE html>\n<html lang=\"")
            .append(NAMES.containsKey(language) ? language : "en")
            .append("\"><head><meta charset=\"utf-8\">\n")
            .append("<meta http-equiv=\"Content-Security-Policy\"")
            .append(" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
            .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
            .append("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
            .append(title)
            .append("</title>\n<style>")
            .append(STYLE)
            .append("</style></head>\n<body><main><h1 dir=\"auto\">")
            .append(title)
            .append("</h1>\n");
    for (Entry entry : entries) {
      article(out, TranscriptDocument.block(entry.item()), entry, language);
    }
    return out.append("</main></body></html>\n").toString();
  }

  private static void article(
      StringBuilder out, TranscriptDocument.Block block, Entry entry, String language) {
    String speaker =
        NAMES.getOrDefault(language, Map.of()).getOrDefault(block.speaker(), block.speaker());
    out.append("<article class=\"").append(block.css()).append("\"><h2>");
    out.append(escaped(speaker)).append(" <time>");
    out.append(TranscriptDocument.time(entry.addedAt())).append("</time></h2>");
    if (block.code()) {
      out.append("<pre tabindex=\"0\" dir=\"auto\">").append(escaped(block.text()));
      out.append("</pre></article>\n");
    } else if (block.css().equals("user")) { // as it was typed
      out.append("<div class=\"plain\" dir=\"auto\">").append(escaped(block.text()));
      out.append("</div></article>\n");
    } else {
      out.append("<div class=\"markdown\" dir=\"auto\">").append(MarkdownHtml.of(block.text()));
      out.append("</div></article>\n");
    }
  }
}
