package dev.clew.server.http;

import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * An answer that is too long for the buffers of a connection, written as its reader takes it, so
 * that no thread waits for a slow one. Thread-safe.
 */
final class LongAnswer implements WriteListener {
  private static final int LONG = 64 << 10;
  private static final int PIECE = 32 << 10;

  private final ServletOutputStream out;
  private final byte[] bytes;
  private final CompletableFuture<Void> written = new CompletableFuture<>();
  private int next;

  private LongAnswer(ServletOutputStream out, byte[] bytes) {
    this.out = out;
    this.bytes = bytes;
  }

  static boolean isLong(byte[] bytes) {
    return bytes.length > LONG;
  }

  /** Begins to write it; done when it is out, or the reader gone. */
  static CompletableFuture<Void> write(Context context, byte[] bytes) {
    context.res().setContentLength(bytes.length);
    try {
      LongAnswer answer = new LongAnswer(context.res().getOutputStream(), bytes);
      answer.out.setWriteListener(answer);
      return answer.written;
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void onWritePossible() throws IOException {
    while (out.isReady()) {
      if (next == bytes.length) {
        written.complete(null);
        return;
      }
      int length = Math.min(PIECE, bytes.length - next);
      next += length;
      out.write(bytes, next - length, length);
    }
  }

  @Override
  public void onError(Throwable failure) {
    written.complete(null); // the reader is gone
  }
}
