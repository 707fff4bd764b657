package dev.clew.server.internal.http;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** How the body of a request is compressed, as its {@code Content-Encoding} says. */
enum ContentCoding {
  GZIP {
    @Override
    InputStream reading(InputStream coded) throws IOException {
      return new Members(coded);
    }
  },
  ZSTD {
    @Override
    InputStream reading(InputStream coded) throws IOException {
      ZstdInputStreamNoFinalizer plain = new ZstdInputStreamNoFinalizer(coded);
      plain.setLongMax(WINDOW_LOG);
      return plain;
    }
  };

  /**
   * The members of a gzip file, one after the other. {@link GZIPInputStream} reads on behind an
   * empty one by calling itself, until the stack ends.
   */
  private static final class Members extends GZIPInputStream {
    private static final int MOST_EMPTY = 100;

    private int empty;

    Members(InputStream coded) throws IOException {
      super(coded);
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
      if (empty == MOST_EMPTY) {
        throw new ZipException("too many empty members");
      }
      empty++;
      try {
        return super.read(bytes, from, most);
      } finally {
        empty--;
      }
    }
  }

  /** 8 MiB, the largest window that RFC 9659 allows; it lies outside of the heap. */
  private static final int WINDOW_LOG = 23;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int FIRST = 8 << 10;

  abstract InputStream reading(InputStream coded) throws IOException;

  /**
   * The coding of a body; empty if it is not compressed.
   *
   * @throws Problem if it is another one
   */
  static Optional<ContentCoding> of(Transfer transfer) {
    List<String> codings =
        transfer.headers("Content-Encoding").stream()
            .map(coding -> coding.toLowerCase(Locale.ROOT))
            .filter(coding -> !coding.equals("identity"))
            .toList();
    if (codings.isEmpty()) {
      return Optional.empty();
    }
    Optional<ContentCoding> coding =
        codings.size() > 1
            ? Optional.empty()
            : switch (codings.get(0)) {
              case "gzip", "x-gzip" -> Optional.of(GZIP);
              case "zstd" -> Optional.of(ZSTD);
              default -> Optional.empty();
            };
    if (coding.isEmpty()) {
      transfer.setHeader("Accept-Encoding", "gzip, zstd");
      throw Problem.refused(
          415,
          "unsupported_content_encoding",
          null,
          "Bodies may have the Content-Encoding 'gzip' or 'zstd', or none, and only one.");
    }
    return coding;
  }

  /**
   * The plain body. It may wait briefly for memory.
   *
   * @param most how long it may be
   * @param memory grows with what was read
   * @throws Problem if it is longer, cannot be read, or there is no memory for it
   */
  byte[] decode(byte[] coded, int most, Budget.Share memory) {
    try (InputStream in = reading(new ByteArrayInputStream(coded))) {
      byte[] plain = new byte[Math.min(FIRST, most)];
      int size = 0;
      for (int read = 0; read >= 0; read = in.read(plain, size, plain.length - size)) {
        size += read;
        if (size == plain.length) {
          if (size == most) {
            return all(in, plain, most);
          }
          int room = (int) Math.min(most, 2L * size);
          reserve(memory, Math.min(most, (long) coded.length + room));
          plain = Arrays.copyOf(plain, room);
        }
      }
      return Arrays.copyOf(plain, size);
    } catch (IOException e) {
      if (e instanceof ZstdIOException zstd
          && zstd.getErrorCode() == Zstd.errFrameParameterWindowTooLarge()) {
        throw Problem.invalid(
            "invalid_body",
            null,
            "The body needs a zstd window of more than 8 MiB, the largest that RFC 9659 allows;"
                + " compress it with a smaller one.");
      }
      throw Problem.invalid(
          "invalid_body", null, "The body is not valid " + name().toLowerCase(Locale.ROOT) + ".");
    }
  }

  private static byte[] all(InputStream in, byte[] plain, int most) throws IOException {
    if (in.read() >= 0) {
      throw Intake.tooLarge(most);
    }
    return plain;
  }

  private static void reserve(Budget.Share memory, long bytes) {
    if (!memory.growNow(bytes, PATIENCE)) {
      throw Intake.busy();
    }
  }
}
