package dev.clew.openai;

import com.openai.client.OpenAIClient;
import com.openai.core.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;

/**
 * One call of the API: what goes out as it is, and what comes back as a stream of bytes. Read by
 * one thread, while another does the waiting.
 *
 * <p>Blocking on a socket cannot be interrupted, so a thread of its own blocks, and the caller
 * waits for what that thread hands over. A caller that is interrupted ends the call at once.
 */
final class Exchange extends InputStream {
  private static final ThreadLocal<@Nullable Exchange> CURRENT = new ThreadLocal<>();
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "clew-openai-" + COUNT.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });

  /** How long an answer that was read may take to say that it is over, to keep its connection. */
  private static final long LAST_WORDS_MILLIS = 100;

  private static final byte[] END = new byte[0];

  /** What the thread hands over: the head, then pieces of the body, then the end or a failure. */
  private record Head(String contentType) {}

  private final byte @Nullable [] body;
  private final boolean repeatable;
  private final BlockingQueue<Object> incoming = new ArrayBlockingQueue<>(64);
  private @Nullable Future<?> work;
  private @Nullable Call call;
  private boolean cancelled;
  private @Nullable Head head;
  private byte[] piece = END;
  private int next;
  private boolean ended;

  private Exchange(@Nullable String body, boolean repeatable) {
    this.body = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
    this.repeatable = repeatable;
  }

  /**
   * Starts a call.
   *
   * @param body JSON text that is sent instead of what the client would send
   * @param repeatable whether the call may be sent again when its outcome is not known
   */
  static Exchange start(
      @Nullable String body, boolean repeatable, OpenAIClient client, Api.Service service) {
    Exchange exchange = new Exchange(body, repeatable);
    exchange.work = THREADS.submit(() -> exchange.run(client, service));
    return exchange;
  }

  /** The call that this thread is making. */
  static Optional<Exchange> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  Optional<byte[]> body() {
    return Optional.ofNullable(body);
  }

  boolean isRepeatable() {
    return repeatable;
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Tells what to cancel when the caller is interrupted. */
  synchronized void calling(Call newCall) {
    call = newCall;
    if (cancelled) {
      newCall.cancel();
    }
  }

  private void run(OpenAIClient client, Api.Service service) {
    CURRENT.set(this);
    try {
      try (HttpResponse response = service.call(client)) {
        incoming.put(
            new Head(
                response.headers().values("Content-Type").stream()
                    .findFirst()
                    .orElse("")
                    .toLowerCase(Locale.ROOT)));
        InputStream in = response.body();
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          incoming.put(Arrays.copyOf(buffer, n));
        }
        incoming.put(END);
      } catch (InterruptedException e) {
        throw e;
      } catch (Throwable e) { // an error too: the reader waits for the end
        incoming.put(e);
      }
    } catch (InterruptedException e) {
      // Cancelled: nobody waits for the rest.
    } finally {
      CURRENT.remove();
    }
  }

  /** Whether the answer is a stream of events. Waits for the head of the answer. */
  boolean isEventStream() throws IOException {
    while (head == null) {
      fetch();
    }
    return head.contentType().startsWith("text/event-stream");
  }

  @Override
  public int read() throws IOException {
    return available() == 0 && !fill() ? -1 : piece[next++] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (available() == 0 && !fill()) {
      return -1;
    }
    int n = Math.min(length, available());
    System.arraycopy(piece, next, target, offset, n);
    next += n;
    return n;
  }

  @Override
  public int available() {
    return piece.length - next;
  }

  private boolean fill() throws IOException {
    while (!ended && available() == 0) {
      fetch();
    }
    return !ended;
  }

  /** Takes the next thing that was handed over. */
  private void fetch() throws IOException {
    Object thing;
    try {
      thing = incoming.take();
    } catch (InterruptedException e) {
      cancel();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the thread was interrupted");
    }
    take(thing);
  }

  private void take(Object thing) throws IOException {
    if (thing instanceof Head newHead) {
      head = newHead;
    } else if (thing instanceof byte[] bytes) {
      ended = bytes == END;
      piece = bytes;
      next = 0;
    } else {
      ended = true;
      rethrow((Throwable) thing);
    }
  }

  private static void rethrow(Throwable thrown) throws IOException {
    if (thrown instanceof IOException e) {
      throw e;
    } else if (thrown instanceof RuntimeException e) {
      throw e;
    } else if (thrown instanceof Error e) {
      throw e;
    }
    throw new IOException(thrown);
  }

  /** The answer was read to where its reader wants it, so its connection may be used again. */
  void finish() {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_WORDS_MILLIS);
    try {
      while (!ended) {
        Object thing = incoming.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (thing == null) {
          cancel();
          return;
        }
        take(thing);
      }
    } catch (InterruptedException e) {
      cancel();
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      // It was cut behind its end, which is no loss.
    }
  }

  /** Ends the call if it is not over. */
  @Override
  public void close() {
    if (!ended) {
      cancel();
    }
  }

  private synchronized void cancel() {
    ended = true;
    cancelled = true;
    if (call != null) {
      call.cancel();
    }
    if (work != null) {
      work.cancel(true);
    }
  }
}
