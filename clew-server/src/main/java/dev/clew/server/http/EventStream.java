package dev.clew.server.http;

import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events to one reader. Thread-safe.
 *
 * <p>Sending never waits: what the reader has not taken yet stands in a bounded queue, and a reader
 * that lets it run full is cut off. It comes back and asks for what it missed.
 */
public final class EventStream implements WriteListener {
  private static final int MAX_QUEUED_BYTES = 1 << 20;
  private static final int ROOM_BYTES = 64 << 10;
  private static final byte[] PING = ": ping\n\n".getBytes(StandardCharsets.UTF_8);

  private final ServletContextRequest request;
  private final ServletOutputStream out;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private int queuedBytes;
  private int largestQueued;
  private @Nullable Runnable onRoom;
  private boolean started;
  private boolean unflushed = true; // the head of the answer, before there is any event
  private boolean ending;
  private volatile boolean waiting; // whether anything is queued; read without the lock

  private EventStream(Context context) throws IOException {
    this.request = ServletContextRequest.getServletContextRequest(context.req());
    this.out = context.res().getOutputStream();
  }

  /** Turns the answer to a request into a stream of events. */
  static EventStream open(Context context) {
    context.contentType("text/event-stream; charset=utf-8");
    context.header("Cache-Control", "no-store");
    context.header("X-Accel-Buffering", "no");
    context.disableCompression();
    try {
      EventStream stream = new EventStream(context);
      Pace.of(stream.request).streams(() -> stream.waiting, System.nanoTime());
      context.future(
          () -> {
            stream.out.setWriteListener(stream);
            return stream.ended;
          });
      return stream;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends an event; whether the reader is still there. */
  public boolean send(String event, String data) {
    return write("event: " + event + "\ndata: " + data + "\n\n");
  }

  /** Sends an event with an id, by which the reader can come back; whether it is still there. */
  public boolean send(String id, String event, String data) {
    return write("id: " + id + "\nevent: " + event + "\ndata: " + data + "\n\n");
  }

  /** Sends data without a name; whether the reader is still there. */
  public boolean sendData(String data) {
    return write("data: " + data + "\n\n");
  }

  private boolean write(String text) {
    return write(text.getBytes(StandardCharsets.UTF_8));
  }

  private synchronized boolean write(byte[] bytes) {
    if (ending || ended.isDone()) {
      return false;
    }
    // One large event may wait: it is the reader's fault only if much waits beside it.
    int largest = Math.max(largestQueued, bytes.length);
    if (queuedBytes + bytes.length - largest > MAX_QUEUED_BYTES) {
      cut(new IOException("the reader is too slow"));
      return false;
    }
    queue.add(bytes);
    waiting = true;
    queuedBytes += bytes.length;
    largestQueued = largest;
    drain();
    return true;
  }

  /** Whether little enough is queued that a reader of a long story should be told more. */
  public synchronized boolean hasRoom() {
    return !ending && queuedBytes < ROOM_BYTES;
  }

  /** Calls back whenever everything queued was taken, but not within {@link #send}. */
  public synchronized void onRoom(Runnable action) {
    onRoom = action;
  }

  /** Shows proxies and the reader that the stream is alive. */
  void ping() {
    write(PING);
  }

  /** Ends the stream after what was sent. */
  public synchronized void end() {
    if (!ending) {
      ending = true;
      drain();
    }
  }

  /** Calls back once, when the stream is over for whatever reason. */
  public void onEnd(Runnable action) {
    var unused = ended.whenComplete((nothing, failure) -> action.run());
  }

  @Override
  public void onWritePossible() {
    Runnable action;
    synchronized (this) {
      started = true;
      drain();
      action = queue.isEmpty() ? onRoom : null;
    }
    if (action != null) {
      action.run();
    }
  }

  @Override
  public void onError(Throwable failure) {
    ended.complete(null);
  }

  /** Writes what is queued until the connection is full; then it calls again. */
  private void drain() {
    if (!started || ended.isDone()) {
      return;
    }
    try {
      while (out.isReady()) {
        byte[] next = queue.poll();
        if (next != null) {
          queuedBytes -= next.length;
          waiting = !queue.isEmpty();
          largestQueued = queue.isEmpty() ? 0 : largestQueued;
          unflushed = true;
          out.write(next);
        } else if (unflushed) {
          unflushed = false;
          out.flush();
        } else {
          if (ending) {
            ended.complete(null);
          }
          return;
        }
      }
    } catch (IOException | RuntimeException e) {
      ended.complete(null);
    }
  }

  private void cut(IOException reason) {
    queue.clear();
    queuedBytes = 0;
    request.getServletChannel().abort(reason);
    // Aborting leaves the connection open while a write is under way, and the reader waiting.
    request.getConnectionMetaData().getConnection().getEndPoint().close(reason);
    ended.complete(null);
  }
}
