package dev.clew.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Reads a whole file or standard input as strict UTF-8. Stateless. */
public final class Utf8Input {
  /** What is read at once becomes one transaction, so there is an end to it. */
  static final int MAX_BYTES = 128 << 20;

  private Utf8Input() {}

  /** The text of a file, or of standard input when the name is {@code -}. */
  public static String read(String name, InputStream standardInput) {
    if (name.equals("-")) {
      try {
        return decode(standardInput, "standard input");
      } catch (IOException e) {
        throw Failure.failed("cannot read standard input: " + Humanize.reason(e));
      }
    }
    try (InputStream file = Files.newInputStream(Path.of(name))) {
      return decode(file, name);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw Failure.notFound("there is no file '" + name + "'");
    } catch (IOException e) {
      throw Failure.failed("cannot read '" + name + "': " + Humanize.reason(e));
    }
  }

  /** Whether a file begins with what the pattern says; not if there is no such file. */
  public static boolean begins(String name, Pattern pattern) {
    try (InputStream file = Files.newInputStream(Path.of(name))) {
      return pattern
          .matcher(new String(file.readNBytes(100), StandardCharsets.ISO_8859_1))
          .lookingAt();
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }

  private static String decode(InputStream in, String name) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw Failure.usage(
          name + " has more than " + Humanize.size(MAX_BYTES) + "; split it and add the pieces");
    }
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer from = ByteBuffer.wrap(bytes);
    CharBuffer to = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(from, to, true);
    if (result.isError()) {
      throw Failure.usage(
          name + " is not valid UTF-8 at byte " + from.position() + "; convert it first");
    }
    String text = to.flip().toString();
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }
}
