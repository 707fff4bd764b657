package dev.clew.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments as they were typed. Stateless.
 *
 * <p>In a locale without UTF-8, which is what most containers have, the JVM turns every character
 * beyond ASCII in an argument into a question mark, and {@code clew add} would store those. Linux
 * still has the bytes.
 */
final class Arguments {
  private static final Path TYPED = Path.of("/proc/self/cmdline");

  private Arguments() {}

  static String[] asTyped(String[] decoded) {
    if (System.getProperty("sun.jnu.encoding", "UTF-8").equalsIgnoreCase("UTF-8")
        || !Files.isReadable(TYPED)) {
      return decoded;
    }
    try {
      return fromCommandLine(Files.readAllBytes(TYPED), decoded);
    } catch (IOException e) {
      return decoded;
    }
  }

  /** The last arguments of a command line, if they can be those that were decoded badly. */
  static String[] fromCommandLine(byte[] commandLine, String[] decoded) {
    List<byte[]> words = words(commandLine);
    int first = words.size() - decoded.length;
    if (first < 0) {
      return decoded;
    }
    String[] typed = new String[decoded.length];
    for (int i = 0; i < typed.length; i++) {
      byte[] word = words.get(first + i);
      try {
        typed[i] = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(word)).toString();
      } catch (CharacterCodingException e) {
        return decoded;
      }
      if (isAscii(typed[i]) && !typed[i].equals(decoded[i])) {
        return decoded; // not our arguments: the JVM got them from a file or a variable
      }
    }
    return typed;
  }

  private static List<byte[]> words(byte[] commandLine) {
    List<byte[]> words = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < commandLine.length; i++) {
      if (commandLine[i] == 0) {
        words.add(java.util.Arrays.copyOfRange(commandLine, start, i));
        start = i + 1;
      }
    }
    return words;
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
