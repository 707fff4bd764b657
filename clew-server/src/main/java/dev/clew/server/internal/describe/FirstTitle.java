package dev.clew.server.internal.describe;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.SessionUpdate;
import dev.clew.View;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The title of an untitled session, made from its first message. Stateless. */
public final class FirstTitle {
  private static final int LOOKED_AT = 2_000;
  private static final int LONGEST = 60;
  private static final int SHORTEST_SENTENCE = 12;
  private static final int SHORTEST_CHINESE = 4;

  private static final Pattern CODE = Pattern.compile("```.*?(```|$)", Pattern.DOTALL);
  private static final Pattern MARKS = Pattern.compile("(?m)^#{1,6} +|[*_`>\\[\\]]");
  private static final Pattern SENTENCE = Pattern.compile("^.*?(?:[.!?](?=\\s|$)|([。！？]))");

  private FirstTitle() {}

  public static Optional<String> of(List<Item> items) {
    for (Item item : items) {
      if (item.view() instanceof View.Message message && message.role() == Role.USER) {
        Optional<String> title = of(message.text()).or(() -> fileName(message.content()));
        if (title.isPresent()) {
          return title;
        }
      }
    }
    return Optional.empty();
  }

  public static SessionUpdate with(
      ServerMetadata remembered, Map<String, ?> metadata, List<Item> items) {
    return of(items)
        .map(title -> remembered.titled(title, metadata))
        .orElseGet(() -> SessionUpdate.none().metadata(remembered.with(metadata)));
  }

  private static Optional<String> fileName(List<Part> parts) {
    return parts.stream()
        .filter(Part.File.class::isInstance)
        .flatMap(part -> ((Part.File) part).filename().stream())
        .flatMap(name -> of(name).stream())
        .findFirst();
  }

  private static Optional<String> of(String text) {
    String start = start(Question.in(text), LOOKED_AT);
    String prose = MARKS.matcher(CODE.matcher(start).replaceAll(" ")).replaceAll("").strip();
    String line = line(prose.isEmpty() ? start.strip() : prose);
    Matcher sentence = SENTENCE.matcher(line);
    if (sentence.find() && isLong(sentence)) {
      line = sentence.group();
    }
    return Optional.of(cut(line)).filter(title -> !title.isEmpty());
  }

  /** The start of a text, without half characters. */
  public static String start(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }

  private static boolean isLong(Matcher sentence) {
    int shortest = sentence.group(1) == null ? SHORTEST_SENTENCE : SHORTEST_CHINESE;
    return sentence.end() >= shortest;
  }

  public static String line(String text) {
    String line = text.lines().findFirst().orElse("");
    StringBuilder clean = new StringBuilder(line.length());
    line.codePoints().map(FirstTitle::allowed).forEach(clean::appendCodePoint);
    return clean.toString().strip();
  }

  private static int allowed(int point) {
    if (Character.getType(point) == Character.SURROGATE) { // half of a character
      return '\uFFFD';
    }
    return Character.isISOControl(point) ? ' ' : point;
  }

  /** Shortens a title for lists, between words. */
  public static String cut(String line) {
    if (line.codePointCount(0, line.length()) <= LONGEST) {
      return line.endsWith(".") || line.endsWith("。") ? line.substring(0, line.length() - 1) : line;
    }
    String start = line.substring(0, line.offsetByCodePoints(0, LONGEST - 2));
    int space = start.lastIndexOf(' ');
    return (space > LONGEST / 2 ? start.substring(0, space) : start) + "…";
  }
}
