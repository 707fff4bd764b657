package dev.clew.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of a JSON array of any length one by one, as raw text. Not thread-safe. A
 * document that is not an array is its only element.
 *
 * <p>Memory is bounded by {@code mostChars}; larger elements are skipped.
 */
public final class JsonElements implements Closeable {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final CountedStream bytes;
  private final KeptReader text;
  private final JsonParser parser;
  private final int maxDepth;
  private boolean started;
  private boolean inArray;
  private boolean ended;

  /**
   * @param mostChars longer elements come without their text
   * @param maxDepth deeper documents are refused
   */
  public JsonElements(InputStream in, int mostChars, int maxDepth) throws IOException {
    this.bytes = new CountedStream(in);
    this.maxDepth = maxDepth;
    this.text =
        new KeptReader(
            new InputStreamReader(
                withoutMark(bytes),
                StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)),
            mostChars);
    this.parser = JsonFactories.make(maxDepth, NO_LIMIT, NO_LIMIT).createParser(text);
  }

  /** Some programs begin a file with U+FEFF. */
  private static InputStream withoutMark(InputStream in) throws IOException {
    PushbackInputStream start = new PushbackInputStream(in, 3);
    byte[] first = start.readNBytes(3);
    boolean mark =
        first.length == 3
            && first[0] == (byte) 0xEF
            && first[1] == (byte) 0xBB
            && first[2] == (byte) 0xBF;
    if (!mark) {
      start.unread(first);
    }
    return start;
  }

  /**
   * One element. Immutable.
   *
   * @param text its JSON; null if it is too large
   * @param index its number in the array, from 0
   * @param line where it begins, from 1
   */
  public record Element(@Nullable String text, long index, long line) {}

  private long index;

  /**
   * The next element, or null at the end.
   *
   * @throws Json.Malformed naming line and column of what is not JSON
   */
  public @Nullable Element next() throws IOException, Json.Malformed {
    if (ended) {
      return null;
    }
    try {
      JsonToken token = parser.nextToken();
      if (!started) {
        started = true;
        inArray = token == JsonToken.START_ARRAY;
        token = inArray ? parser.nextToken() : token;
      }
      if (token == null || token == JsonToken.END_ARRAY || (!inArray && index > 0)) {
        return end(token);
      }
      return element();
    } catch (StreamConstraintsException e) {
      throw new Json.Malformed(
          "nested deeper than " + maxDepth + " levels" + place(parser.currentLocation()));
    } catch (JsonProcessingException e) {
      throw new Json.Malformed(Json.problem(e) + place(e.getLocation()));
    } catch (CharacterCodingException e) {
      throw new Json.Malformed("not valid UTF-8" + place(parser.currentLocation()));
    }
  }

  private Element element() throws IOException {
    JsonLocation start = parser.currentTokenLocation();
    text.keepFrom(start.getCharOffset());
    parser.finishToken();
    parser.skipChildren();
    JsonToken last = parser.currentToken();
    long end =
        last.isNumeric()
            ? start.getCharOffset() + parser.getTextLength()
            : parser.currentLocation().getCharOffset();
    return new Element(text.kept(start.getCharOffset(), end), index++, start.getLineNr());
  }

  private @Nullable Element end(@Nullable JsonToken token) throws IOException, Json.Malformed {
    ended = true;
    if (token == null && (inArray || index == 0)) {
      throw new Json.Malformed(
          (index == 0 ? "there is no JSON in it" : "the array is not closed")
              + place(parser.currentLocation()));
    }
    if (inArray ? parser.nextToken() != null : token != null) {
      throw new Json.Malformed("text after the end" + place(parser.currentTokenLocation()));
    }
    return null;
  }

  private static String place(@Nullable JsonLocation location) {
    return location == null
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  /** How many bytes were read so far. */
  public long bytesRead() {
    return bytes.count;
  }

  @Override
  public void close() throws IOException {
    parser.close();
    text.close();
  }

  /** Counts what is read, for a bar that shows how far it is. */
  private static final class CountedStream extends java.io.FilterInputStream {
    private long count;

    CountedStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      count += Math.max(0, read);
      return read;
    }
  }

  /** Remembers the chars since the element in work began. */
  private static final class KeptReader extends Reader {
    /** How far the parser may read ahead; it asks for more when its buffer was used before. */
    private static final int AHEAD = 4096;

    private final Reader in;
    private final int most;
    private StringBuilder kept = new StringBuilder();
    private long first;
    private boolean overflown;

    KeptReader(Reader in, int most) {
      this.in = in;
      this.most = most;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
      int read = in.read(buffer, offset, Math.min(length, AHEAD));
      if (read > 0) {
        if (kept.length() + read > most + AHEAD) {
          overflown = true;
          first += kept.length();
          kept = new StringBuilder();
        }
        kept.append(buffer, offset, read);
      }
      return read;
    }

    void keepFrom(long from) {
      int drop = (int) Math.max(0, Math.min(kept.length(), from - first));
      kept.delete(0, drop);
      first += drop;
      overflown = false;
    }

    @Nullable String kept(long from, long to) {
      if (overflown || to - from > most) {
        return null;
      }
      return kept.substring((int) (from - first), (int) (to - first));
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
