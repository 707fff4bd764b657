package dev.clew.transcript;

import static dev.clew.transcript.MarkdownHtml.escaped;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A formula of TeX as MathML, which browsers draw without a script. Used once, by one thread. It
 * knows what people write in conversations; whatever else there is stays as its source.
 */
final class Formula {
  private static final int DEEPEST = 60;
  private static final Set<String> TEXTS =
      Set.of("text", "textrm", "textbf", "textit", "mathrm", "operatorname", "mathsf", "mathtt");
  private static final Set<String> ALPHABETS =
      Set.of("mathbb", "mathcal", "mathscr", "mathbf", "boldsymbol", "bm", "mathit");

  private final String source;
  private final boolean alone;
  private int at;
  private int depth;

  private Formula(String source, boolean alone) {
    this.source = source;
    this.alone = alone;
  }

  /** A part of a formula, and whether its limits stand above and below. */
  private record Part(String html, boolean large) {
    static Part of(String tag, String text) {
      return new Part("<" + tag + ">" + escaped(text) + "</" + tag + ">", false);
    }
  }

  private static final class Unknown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unknown() {
      super(null, null, false, false);
    }
  }

  /** The MathML; empty if the formula has something that this class does not know. */
  static Optional<String> html(String source, boolean alone) {
    try {
      Formula formula = new Formula(source, alone);
      String inside = formula.row("");
      String display = alone ? " display=\"block\"" : "";
      return Optional.of("<math" + display + "><mrow>" + inside + "</mrow></math>");
    } catch (Unknown e) {
      return Optional.empty();
    }
  }

  /** Everything up to what ends it, which is taken: a brace, a word such as {@code \right}. */
  private String row(String end) {
    if (++depth > DEEPEST) {
      throw new Unknown();
    }
    StringBuilder out = new StringBuilder();
    while (!takes(end)) {
      out.append(scripted());
    }
    depth--;
    return out.toString();
  }

  private boolean takes(String end) {
    skipSpace();
    if (end.isEmpty() && at == source.length()) {
      return true;
    }
    int next = at + end.length();
    boolean isThere = !end.isEmpty() && source.startsWith(end, at);
    if (!isThere || (end.length() > 1 && next < source.length() && isAscii(source.charAt(next)))) {
      return false; // or a longer word, as \\rightarrow
    }
    at = next;
    return true;
  }

  private void skipSpace() {
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
  }

  private char peek() {
    if (at >= source.length()) {
      throw new Unknown();
    }
    return source.charAt(at);
  }

  /** Something with what stands above and below it. */
  private String scripted() {
    Part base = peek() == '^' || peek() == '_' ? new Part("<mrow></mrow>", false) : atom();
    String below = "";
    String above = "";
    while (true) {
      skipSpace();
      if (takes("_") && below.isEmpty()) {
        below = argument();
      } else if (takes("'")) {
        above = above + "<mo>′</mo>";
      } else if (takes("^")) {
        above = above + argument();
      } else {
        break;
      }
    }
    above = above.isEmpty() ? "" : "<mrow>" + above + "</mrow>";
    boolean limits = base.large() && alone;
    String name =
        (below.isEmpty() ? "" : limits ? "under" : "sub")
            + (above.isEmpty() ? "" : limits ? "over" : "sup");
    return name.isEmpty() ? base.html() : tag("m" + name, base.html() + below + above);
  }

  private static String tag(String name, String inside) {
    return "<" + name + ">" + inside + "</" + name + ">";
  }

  /** What a command takes: a group, or the next thing. */
  private String argument() {
    skipSpace();
    return peek() == '{' ? atom().html() : tag("mrow", atom().html());
  }

  /** The characters of a group, as they are. */
  private String plain() {
    skipSpace();
    int end = peek() == '{' ? source.indexOf('}', at) : -1;
    if (end < 0) {
      throw new Unknown();
    }
    String text = source.substring(at + 1, end);
    if (text.contains("\\") || text.contains("{") || text.contains("$")) {
      throw new Unknown();
    }
    at = end + 1;
    return text;
  }

  private Part atom() {
    skipSpace();
    char c = peek();
    if (c == '\\') {
      return command();
    }
    at++;
    if (c == '{') {
      return new Part(tag("mrow", row("}")), false);
    }
    if (c == '}' || c == '&' || c == '$' || c == '%' || c == '#') {
      throw new Unknown();
    }
    if (Character.isDigit(c)) {
      int start = at - 1;
      while (at < source.length() && (Character.isDigit(source.charAt(at)) || isPoint())) {
        at++;
      }
      return Part.of("mn", source.substring(start, at));
    }
    if (Character.isLetter(c)) {
      return Part.of("mi", String.valueOf(c));
    }
    if (c == '~') {
      return new Part("<mspace width=\"0.25em\"/>", false);
    }
    if (Character.isSurrogate(c)) {
      throw new Unknown();
    }
    return operator(c == '-' ? "−" : c == '*' ? "∗" : String.valueOf(c));
  }

  private boolean isPoint() {
    return source.charAt(at) == '.'
        && at + 1 < source.length()
        && Character.isDigit(source.charAt(at + 1));
  }

  /** As large as it is written: only what {@code \left} and {@code \right} enclose stretches. */
  private static Part operator(String text) {
    return new Part("<mo stretchy=\"false\">" + escaped(text) + "</mo>", false);
  }

  private String name() {
    int start = ++at;
    while (at < source.length() && isAscii(source.charAt(at))) {
      at++;
    }
    if (at == start) {
      peek();
      at++;
    }
    return source.substring(start, at);
  }

  private static boolean isAscii(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private Part command() {
    String name = name();
    if (MathSymbols.NAMES.containsKey(name)) {
      return Part.of("mi", MathSymbols.NAMES.get(name));
    } else if (MathSymbols.OPERATORS.containsKey(name)) {
      return operator(MathSymbols.OPERATORS.get(name));
    } else if (MathSymbols.LARGE.containsKey(name)) {
      return new Part(tag("mo", MathSymbols.LARGE.get(name)), true);
    } else if (MathSymbols.INTEGRALS.containsKey(name)) {
      return Part.of("mo", MathSymbols.INTEGRALS.get(name));
    } else if (MathSymbols.FUNCTIONS.contains(name)) {
      return new Part(tag("mi", name) + "<mspace width=\"0.17em\"/>", false);
    } else if (MathSymbols.LIMITS.contains(name)) {
      return new Part(tag("mi", name), true);
    } else if (MathSymbols.SPACES.containsKey(name)) {
      return new Part("<mspace width=\"" + MathSymbols.SPACES.get(name) + "em\"/>", false);
    } else if (MathSymbols.IGNORED.contains(name)) {
      return new Part("", false);
    } else if (MathSymbols.ACCENTS.containsKey(name)) {
      return over("mover", MathSymbols.ACCENTS.get(name));
    } else if (MathSymbols.BELOW.containsKey(name)) {
      return over("munder", MathSymbols.BELOW.get(name));
    } else if (TEXTS.contains(name)) {
      return Part.of("mtext", plain());
    } else if (ALPHABETS.contains(name)) {
      return Part.of("mi", MathSymbols.alphabet(name, plain()));
    }
    return built(name);
  }

  private Part over(String tag, String mark) {
    return new Part(tag(tag, argument() + tag("mo", mark)), false);
  }

  /** What is made of several parts. */
  private Part built(String name) {
    return switch (name) {
      case "frac", "dfrac", "tfrac", "cfrac" ->
          new Part(tag("mfrac", argument() + argument()), false);
      case "binom", "dbinom", "tbinom" ->
          new Part(
              "<mrow><mo>(</mo><mfrac linethickness=\"0\">"
                  + argument()
                  + argument()
                  + "</mfrac><mo>)</mo></mrow>",
              false);
      case "sqrt" -> root();
      case "stackrel", "overset" -> {
        String above = argument();
        yield new Part(tag("mover", argument() + above), false);
      }
      case "underset" -> {
        String below = argument();
        yield new Part(tag("munder", argument() + below), false);
      }
      case "left" -> {
        String open = fence();
        String inside = row("\\right");
        yield new Part(tag("mrow", open + inside + fence()), false);
      }
      case "begin" -> table();
      case " " -> new Part("<mspace width=\"0.25em\"/>", false);
      default -> throw new Unknown();
    };
  }

  private Part root() {
    skipSpace();
    if (at < source.length() && source.charAt(at) == '[') {
      at++;
      String degree = tag("mrow", row("]"));
      return new Part(tag("mroot", argument() + degree), false);
    }
    return new Part(tag("msqrt", argument()), false);
  }

  private String fence() {
    skipSpace();
    String sign = String.valueOf(peek());
    if (sign.equals("\\")) {
      sign = MathSymbols.OPERATORS.get(name());
    } else {
      at++;
    }
    if (sign == null) {
      throw new Unknown();
    }
    return sign.equals(".") ? "" : "<mo stretchy=\"true\">" + escaped(sign) + "</mo>";
  }

  private Part table() {
    String kind = plain().replace("*", "");
    if (kind.equals("array")) {
      plain(); // how its columns stand
    }
    String fences =
        switch (kind) {
          case "matrix", "smallmatrix", "array", "aligned", "align", "split", "gathered" -> "";
          case "pmatrix" -> "()";
          case "bmatrix" -> "[]";
          case "vmatrix" -> "||";
          case "cases" -> "{";
          default -> throw new Unknown();
        };
    int end = end(kind);
    String inside = source.substring(at, end);
    at = source.indexOf('}', end) + 1;
    List<String> rows = new ArrayList<>();
    for (String line : cut(inside, "\\\\")) {
      StringBuilder cells = new StringBuilder();
      for (String cell : cut(line, "&")) {
        cells.append(tag("mtd", nested(cell)));
      }
      rows.add(tag("mtr", cells.toString()));
    }
    String open = fences.isEmpty() ? "" : "<mo>" + fences.charAt(0) + "</mo>";
    String close = fences.length() < 2 ? "" : "<mo>" + fences.charAt(1) + "</mo>";
    String style = kind.startsWith("align") || kind.equals("split") ? " class=\"aligned\"" : "";
    return new Part(
        tag("mrow", open + "<mtable" + style + ">" + String.join("", rows) + "</mtable>" + close),
        false);
  }

  /** Where {@code \end} of this begins, behind what begins and ends inside. */
  private int end(String kind) {
    int open = 1;
    for (int i = at; i < source.length(); i++) {
      if (source.startsWith("\\begin{", i)) {
        open++;
      } else if (source.startsWith("\\end{", i) && --open == 0) {
        if (!source.startsWith(kind, i + 5)) {
          throw new Unknown();
        }
        return i;
      }
    }
    throw new Unknown();
  }

  private String nested(String cell) {
    Formula inside = new Formula(cell, alone);
    inside.depth = depth + 1;
    return inside.row("");
  }

  /** The pieces between marks that stand in no group and no table. */
  private static List<String> cut(String text, String mark) {
    List<String> pieces = new ArrayList<>();
    int open = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (open == 0 && text.startsWith(mark, i)) {
        pieces.add(text.substring(start, i));
        i += mark.length() - 1;
        start = i + 1;
      } else if (c == '{' || text.startsWith("\\begin", i)) {
        open++;
      } else if (c == '}' || text.startsWith("\\end", i)) {
        open--;
      } else if (c == '\\') {
        i++; // what is escaped marks nothing
      }
    }
    String last = text.substring(start);
    if (!last.isBlank()) {
      pieces.add(last);
    }
    return pieces;
  }
}
