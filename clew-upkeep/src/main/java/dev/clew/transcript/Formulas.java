package dev.clew.transcript;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.CustomNode;
import org.commonmark.parser.beta.InlineContentParser;
import org.commonmark.parser.beta.InlineContentParserFactory;
import org.commonmark.parser.beta.InlineParserState;
import org.commonmark.parser.beta.ParsedInline;
import org.commonmark.parser.beta.Position;
import org.commonmark.parser.beta.Scanner;

/**
 * Finds formulas where the page finds them: alone between {@code $$} or {@code \[ \]}, in a line
 * between {@code $} or {@code \( \)}. Stateless.
 */
final class Formulas implements InlineContentParserFactory {
  private static final int LONGEST = 2_000;

  /** So many places of a text are looked at, however many it has. */
  private static final int MOST = 1_000;

  private static final Pattern ALONE =
      Pattern.compile("\\$\\$(.+?)\\$\\$|\\\\\\[(.+?)\\\\\\]", Pattern.DOTALL);
  private static final Pattern IN_LINE =
      Pattern.compile(
          "\\\\\\((.+?)\\\\\\)|\\$(?![\\s$])([^$\\n]{0,500}?[^$\\s\\\\])\\$(?![\\d$])",
          Pattern.DOTALL);

  /** A formula. Immutable. */
  static final class FormulaNode extends CustomNode {
    final String source;
    final boolean alone;

    FormulaNode(String source, boolean alone) {
      this.source = source;
      this.alone = alone;
    }
  }

  @Override
  public Set<Character> getTriggerCharacters() {
    return Set.of('$', '\\');
  }

  @Override
  public InlineContentParser create() {
    return new InlineContentParser() {
      private int looked;

      @Override
      public ParsedInline tryParse(InlineParserState state) {
        return looked++ < MOST ? find(state.scanner()) : ParsedInline.none();
      }
    };
  }

  private static ParsedInline find(Scanner scanner) {
    Position start = scanner.position();
    String text = ahead(scanner);
    scanner.setPosition(start);
    Matcher alone = ALONE.matcher(text);
    boolean isAlone = alone.lookingAt();
    Matcher found = isAlone ? alone : IN_LINE.matcher(text);
    if (!isAlone && !found.lookingAt()) {
      return ParsedInline.none();
    }
    for (int i = 0; i < found.end(); i++) {
      scanner.next();
    }
    String source = found.group(1) == null ? found.group(2) : found.group(1);
    return ParsedInline.of(new FormulaNode(source.strip(), isAlone), scanner.position());
  }

  private static String ahead(Scanner scanner) {
    StringBuilder text = new StringBuilder();
    while (text.length() < LONGEST && scanner.peek() != Scanner.END) {
      text.append(scanner.peek());
      scanner.next();
    }
    return text.toString();
  }
}
