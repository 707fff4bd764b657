package dev.clew.bench;

import dev.clew.Item;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The unit of work: a question, a tool call, its output and an answer, about 270 bytes each, made
 * from a number. Immutable.
 *
 * <p>The same number always gives the same bytes, in every program that takes part in the
 * comparison, so that all of them store the same.
 *
 * @param texts the four items as compact JSON
 * @param items the same as Clew takes them
 * @param crcs the CRC32C of each text
 * @param lines the four texts as lines, for a plain file
 */
record Turn(List<String> texts, List<Item> items, List<Long> crcs, ByteBuffer lines) {
  static final int ITEMS = 4;

  private static final int VARIANTS = 64;
  private static final String[] QUESTIONS = new String[VARIANTS];
  private static final String[] SUBJECTS = new String[VARIANTS];
  private static final String[] OUTPUTS = new String[VARIANTS];
  private static final String[] ANSWERS = new String[VARIANTS];

  static {
    for (int i = 0; i < VARIANTS; i++) {
      QUESTIONS[i] = words(ITEMS * i, 187);
      SUBJECTS[i] = words(ITEMS * i + 1, 52);
      OUTPUTS[i] = words(ITEMS * i + 2, 285);
      ANSWERS[i] = words(ITEMS * i + 3, 187);
    }
  }

  /** Words of seven random letters; the generator is the usual one of Numerical Recipes. */
  private static String words(int seed, int length) {
    int state = seed * 0x9E3779B1 + 12345;
    StringBuilder text = new StringBuilder(length);
    while (text.length() < length) {
      if (text.length() % 8 == 7) {
        text.append(' ');
      } else {
        state = state * 1664525 + 1013904223;
        text.append((char) ('a' + (state >>> 24) % 26));
      }
    }
    return text.toString();
  }

  static Turn of(int number) {
    List<String> texts = texts(number);
    List<Long> crcs = new ArrayList<>(ITEMS);
    ByteArrayOutputStream lines = new ByteArrayOutputStream(2048);
    for (int i = 0; i < ITEMS; i++) {
      byte[] utf8 = texts.get(i).getBytes(StandardCharsets.UTF_8);
      CRC32C crc = new CRC32C();
      crc.update(utf8, 0, utf8.length);
      crcs.add(crc.getValue());
      lines.writeBytes(utf8);
      lines.write('\n');
    }
    return new Turn(
        texts,
        Item.parseAll(texts),
        List.copyOf(crcs),
        ByteBuffer.wrap(lines.toByteArray()).asReadOnlyBuffer());
  }

  static List<String> texts(int number) {
    int variant = number % VARIANTS;
    String digits = digits(number);
    return List.of(
        "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"turn "
            + digits
            + " "
            + QUESTIONS[variant]
            + "\"}]}",
        "{\"type\":\"function_call\",\"call_id\":\"call_"
            + digits
            + "\",\"name\":\"lookup\",\"arguments\":\"{\\\"query\\\":\\\""
            + SUBJECTS[variant]
            + "\\\",\\\"id\\\":\\\""
            + digits
            + "\\\"}\"}",
        "{\"type\":\"function_call_output\",\"call_id\":\"call_"
            + digits
            + "\",\"output\":\"result "
            + digits
            + " "
            + OUTPUTS[variant]
            + "\"}",
        "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"turn "
            + digits
            + " "
            + ANSWERS[variant]
            + "\"}]}");
  }

  /** The number with seven digits. */
  private static String digits(int number) {
    return Integer.toString(10_000_000 + number).substring(1);
  }
}
