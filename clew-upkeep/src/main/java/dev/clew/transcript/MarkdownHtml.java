package dev.clew.transcript;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.autolink.AutolinkExtension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.task.list.items.TaskListItemsExtension;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;
import org.commonmark.renderer.html.UrlSanitizer;

/**
 * Markdown as HTML, as the page of the server shows it. Stateless and thread-safe. HTML in it is
 * text, images are links, and links lead to other hosts only: nothing can become a script or load
 * anything.
 */
final class MarkdownHtml {
  /** What is longer is text. */
  private static final int LONGEST = 250_000;

  /** A table has as many cells as rows times columns, however few of them are written. */
  private static final int MOST_CELLS = 20_000;

  /** From each opening angle bracket the parser looks for a closing one, perhaps to the end. */
  private static final long MOST_LOOKS = 500_000_000;

  private static final Pattern COLUMNS = Pattern.compile("[ \\t>*+\\d.)|:-]*");

  private static final Pattern ELSEWHERE = Pattern.compile("(?i)(https?://|mailto:).*");

  private static final List<Extension> EXTENSIONS =
      List.of(
          AutolinkExtension.create(),
          StrikethroughExtension.create(),
          TablesExtension.create(),
          TaskListItemsExtension.create());

  private static final Parser PARSER =
      Parser.builder()
          .extensions(EXTENSIONS)
          .customInlineContentParserFactory(new Formulas())
          .build();

  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder()
          .extensions(EXTENSIONS)
          .escapeHtml(true)
          .sanitizeUrls(true)
          .urlSanitizer(new Elsewhere())
          .softbreak("<br>\n")
          .attributeProviderFactory(
              context ->
                  (node, tag, attributes) -> {
                    if (tag.equals("a")) {
                      attributes.put("rel", "noopener noreferrer nofollow");
                    } else if (tag.equals("input")) { // of a task
                      boolean done = attributes.containsKey("checked");
                      attributes.put("aria-label", done ? "done" : "not done");
                    }
                  })
          .nodeRendererFactory(Ours::new)
          .build();

  private MarkdownHtml() {}

  static String of(String text) {
    if (text.length() <= LONGEST && looks(text) <= MOST_LOOKS && cells(text) <= MOST_CELLS) {
      try {
        return RENDERER.render(PARSER.parse(text));
      } catch (StackOverflowError e) {
        // Nested deeper than anybody can read.
      }
    }
    return "<p class=\"plain\">" + escaped(text) + "</p>\n";
  }

  private static long looks(String text) {
    return text.length() * text.chars().filter(c -> c == '<').count();
  }

  /** At least as many cells as the tables of a text have. */
  private static long cells(String text) {
    long cells = 0;
    long columns = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (line.isBlank()) {
        columns = 0; // it ends a table
      } else if (line.indexOf('-') >= 0 && COLUMNS.matcher(line).matches()) {
        columns = Math.max(columns, line.chars().filter(c -> c == '|').count() + 1);
      }
      cells += columns;
    }
    return cells;
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private static final class Elsewhere implements UrlSanitizer {
    @Override
    public String sanitizeLinkUrl(String url) {
      return ELSEWHERE.matcher(url).matches() ? url : "";
    }

    @Override
    public String sanitizeImageUrl(String url) {
      return sanitizeLinkUrl(url);
    }
  }

  /** What is not as CommonMark has it. Used by one thread. */
  private static final class Ours implements NodeRenderer {
    private final HtmlNodeRendererContext context;
    private final HtmlWriter out;

    Ours(HtmlNodeRendererContext context) {
      this.context = context;
      this.out = context.getWriter();
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
      return Set.of(
          Heading.class,
          Image.class,
          FencedCodeBlock.class,
          IndentedCodeBlock.class,
          Formulas.FormulaNode.class);
    }

    @Override
    public void render(Node node) {
      if (node instanceof Heading heading) {
        heading(heading);
      } else if (node instanceof Image image) {
        image(image);
      } else if (node instanceof FencedCodeBlock code) {
        String language = code.getInfo() == null ? "" : code.getInfo().strip().split("\\s", 2)[0];
        code(language, code.getLiteral());
      } else if (node instanceof IndentedCodeBlock code) {
        code("", code.getLiteral());
      } else if (node instanceof Formulas.FormulaNode formula) {
        out.raw(
            Formula.html(formula.source, formula.alone)
                .orElseGet(() -> "<code>" + escaped(formula.source) + "</code>"));
      }
    }

    /** Below the headings of the document. */
    private void heading(Heading heading) {
      String tag = "h" + Math.min(6, heading.getLevel() + 2);
      out.line();
      out.tag(tag, Map.of("class", "level" + heading.getLevel()));
      children(heading);
      out.tag("/" + tag);
      out.line();
    }

    private void children(Node parent) {
      for (Node child = parent.getFirstChild(); child != null; child = child.getNext()) {
        context.render(child);
      }
    }

    private void image(Image image) {
      String url = context.urlSanitizer().sanitizeImageUrl(image.getDestination());
      StringBuilder alt = new StringBuilder();
      for (Node child = image.getFirstChild(); child != null; child = child.getNext()) {
        if (child instanceof Text text) {
          alt.append(text.getLiteral());
        }
      }
      if (url.isEmpty()) {
        out.text(alt.toString());
        return;
      }
      out.tag("a", Map.of("class", "image", "href", url, "rel", "noopener noreferrer nofollow"));
      out.text((alt.isEmpty() ? "Image" : alt) + " (" + host(url) + ")");
      out.tag("/a");
    }

    private static String host(String url) {
      try {
        String host = URI.create(url).getHost();
        return host == null ? url : host.toLowerCase(Locale.ROOT);
      } catch (IllegalArgumentException e) {
        return url;
      }
    }

    private void code(String language, String text) {
      out.line();
      out.tag("div", Map.of("class", "code"));
      if (!language.isEmpty()) {
        out.tag("span", Map.of("class", "language"));
        out.text(language);
        out.tag("/span");
      }
      out.tag("pre", Map.of("tabindex", "0"));
      out.tag("code");
      out.text(text);
      out.tag("/code");
      out.tag("/pre");
      out.tag("/div");
      out.line();
    }
  }
}
