package dev.clew.transcript;

import dev.clew.kit.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What commands of TeX stand for, from {@code tex.txt}. Stateless. */
final class MathSymbols {
  private static final Map<String, List<String>> WORDS =
      Resources.text(MathSymbols.class, "tex.txt")
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("# "))
          .map(line -> List.of(line.split(" ", -1)))
          .collect(
              Collectors.groupingBy(
                  line -> line.get(0),
                  Collectors.flatMapping(
                      line -> line.subList(1, line.size()).stream(), Collectors.toList())));

  static final Map<String, String> NAMES = pairs("name");
  static final Map<String, String> OPERATORS = pairs("operator");
  static final Map<String, String> LARGE = pairs("large");
  static final Map<String, String> INTEGRALS = pairs("integral");
  static final Set<String> FUNCTIONS = Set.copyOf(words("function"));
  static final Set<String> LIMITS = Set.copyOf(words("limit"));
  static final Map<String, String> ACCENTS = pairs("accent");
  static final Map<String, String> BELOW = pairs("below");
  static final Map<String, String> SPACES = pairs("space");
  static final Set<String> IGNORED = Set.copyOf(words("ignored"));

  private MathSymbols() {}

  private static List<String> words(String kind) {
    return Objects.requireNonNull(WORDS.get(kind), kind);
  }

  private static Map<String, String> pairs(String kind) {
    Map<String, String> all = new HashMap<>();
    List<String> words = words(kind);
    for (int i = 0; i < words.size(); i += 2) {
      all.put(words.get(i), words.get(i + 1));
    }
    return Map.copyOf(all);
  }

  /** A letter in another alphabet: of {@code mathbb}, {@code mathcal}, {@code mathbf} and so on. */
  static String alphabet(String name, String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().forEach(point -> out.appendCodePoint(letter(name, point)));
    return out.toString();
  }

  private static final Map<Integer, Integer> DOUBLE =
      Map.of(
          (int) 'C', 0x2102, (int) 'H', 0x210D, (int) 'N', 0x2115, (int) 'P', 0x2119, (int) 'Q',
          0x211A, (int) 'R', 0x211D, (int) 'Z', 0x2124);

  private static final Map<Integer, Integer> SCRIPT =
      Map.of(
          (int) 'B', 0x212C, (int) 'E', 0x2130, (int) 'F', 0x2131, (int) 'H', 0x210B, (int) 'I',
          0x2110, (int) 'L', 0x2112, (int) 'M', 0x2133, (int) 'R', 0x211B);

  private static int letter(String name, int point) {
    boolean large = point >= 'A' && point <= 'Z';
    boolean small = point >= 'a' && point <= 'z';
    if (!large && !small) {
      return point;
    }
    int index = large ? point - 'A' : point - 'a' + 26;
    return switch (name) {
      case "mathbb" -> DOUBLE.getOrDefault(point, 0x1D538 + index);
      case "mathcal", "mathscr" -> large ? SCRIPT.getOrDefault(point, 0x1D49C + index) : point;
      case "mathbf", "boldsymbol", "bm" -> 0x1D400 + index;
      default -> point;
    };
  }
}
