package dev.clew.server.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.eclipse.jetty.util.IteratingCallback;

/**
 * Server-sent events to one reader. Thread-safe.
 *
 * <p>Sending never waits: events are queued, and a reader that lets the queue run full is cut off;
 * it can come back and ask for what it missed. Callbacks run without the stream's lock.
 */
public final class EventStream {
  private static final int MAX_QUEUED_BYTES = 1 << 20;
  private static final int ROOM_BYTES = 64 << 10;
  private static final int PIECE_BYTES = 32 << 10;
  private static final byte[] PING = ": ping\n\n".getBytes(StandardCharsets.UTF_8);

  private final Transfer transfer;
  private final Budget.Share memory;
  private final Function<Problem, String> lastWords;
  private final Writer writer = new Writer();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private int queuedBytes;
  private int largestQueued;
  private boolean started;
  private boolean ending;
  private boolean roomWanted;
  private Runnable onRoom = () -> {};
  private volatile boolean waiting; // whether anything is queued; read without the lock

  private EventStream(Transfer transfer, Budget.Share memory, Function<Problem, String> lastWords) {
    this.transfer = transfer;
    this.memory = memory;
    this.lastWords = lastWords;
  }

  static EventStream open(
      Transfer transfer, Budget.Share memory, Function<Problem, String> lastWords) {
    EventStream stream = new EventStream(transfer, memory, lastWords);
    transfer.answer().set(200, "text/event-stream; charset=utf-8", new byte[0]);
    transfer.setHeader("Cache-Control", "no-store");
    transfer.setHeader("X-Accel-Buffering", "no");
    Pace.of(transfer.request()).streams(() -> stream.waiting, stream::ping, System.nanoTime());
    transfer.whenOver(failure -> stream.ended.complete(null));
    transfer.streamedBy(stream::cut);
    transfer.answer().later(stream::start);
    stream.ending = transfer.isHead();
    return stream;
  }

  private void start() {
    synchronized (this) {
      started = true;
    }
    writer.iterate();
  }

  /** Sends an event; returns whether the reader is still there. */
  public boolean send(String event, String data) {
    return write(event(event, data));
  }

  /** The text of an event. */
  public static String event(String event, String data) {
    return "event: " + event + "\n" + data(data);
  }

  /** The text of an event without a name. */
  public static String data(String data) {
    return "data: " + data + "\n\n";
  }

  /** Sends an event with an id from which the reader can resume. */
  public boolean send(String id, String event, String data) {
    return write("id: " + id + "\n" + event(event, data));
  }

  /** Sends data without an event name. */
  public boolean sendData(String data) {
    return write(data(data));
  }

  private boolean write(String text) {
    return write(text.getBytes(StandardCharsets.UTF_8));
  }

  private boolean write(byte[] bytes) {
    boolean tooSlow;
    synchronized (this) {
      if (ending || ended.isDone()) {
        return false;
      }
      // One large event may wait; the reader is too slow only if much waits besides it.
      int largest = Math.max(largestQueued, bytes.length);
      tooSlow =
          queuedBytes + bytes.length - largest > MAX_QUEUED_BYTES
              || !memory.resize(held(queuedBytes + bytes.length));
      if (!tooSlow) {
        queue.add(bytes);
        waiting = true;
        queuedBytes += bytes.length;
        largestQueued = largest;
      }
    }
    if (tooSlow) {
      cut(new IOException("the reader is too slow"));
    } else {
      writer.iterate();
    }
    return !tooSlow;
  }

  /** The counted size of a queue; small ones are free. */
  private static long held(int bytes) {
    return bytes <= Budget.SMALL ? 0 : bytes;
  }

  /** Whether the queue is short enough for a reader that catches up. */
  public synchronized boolean hasRoom() {
    boolean room = !ending && queuedBytes < ROOM_BYTES;
    roomWanted |= !room;
    return room;
  }

  /** Calls back when the queue is empty after {@link #hasRoom} returned false. */
  public synchronized void onRoom(Runnable action) {
    onRoom = action;
  }

  void ping() {
    write(PING);
  }

  public void end() {
    synchronized (this) {
      ending = true;
    }
    writer.iterate();
  }

  /** Ends the stream before it is complete, with its last words, so that the reader knows. */
  void breakOff(Problem why) {
    synchronized (this) {
      if (!ending) {
        // Under the lock, so that they are the last.
        byte[] words = lastWords.apply(why).getBytes(StandardCharsets.UTF_8);
        queue.add(words);
        queuedBytes += words.length;
        waiting = true;
        ending = true;
      }
    }
    writer.iterate();
  }

  /** Calls back once when the stream is over. */
  public void onEnd(Runnable action) {
    var unused = ended.whenComplete((nothing, failure) -> action.run());
  }

  /** Takes a piece of the queue; empty if nothing is queued. */
  private synchronized byte[] take() {
    ByteArrayOutputStream piece = new ByteArrayOutputStream();
    while (!queue.isEmpty() && piece.size() < PIECE_BYTES) {
      piece.writeBytes(queue.remove());
    }
    queuedBytes -= piece.size();
    memory.resize(held(queuedBytes));
    waiting = !queue.isEmpty();
    largestQueued = queue.isEmpty() ? 0 : largestQueued;
    if (piece.size() == 0 && roomWanted && !ending) {
      roomWanted = false;
      // Not here: this may be a sending thread that holds locks.
      transfer.executor().execute(onRoom);
    }
    return piece.toByteArray();
  }

  private synchronized boolean isStarted() {
    return started;
  }

  private synchronized boolean isEnding() {
    return ending;
  }

  private void cut(IOException reason) {
    synchronized (this) {
      ending = true;
      queue.clear();
      queuedBytes = 0;
      waiting = false;
    }
    // First, because a pending write keeps the connection open and the reader waiting.
    transfer.closeConnection(reason);
    writer.abort(reason);
  }

  /** Writes what is queued, one piece after another. */
  private final class Writer extends IteratingCallback {
    private ByteBuffer taken = ByteBuffer.allocate(0);
    private boolean begun;
    private boolean last;

    @Override
    protected Action process() {
      if (last) {
        return Action.SUCCEEDED;
      }
      if (!isStarted()) {
        return Action.IDLE;
      }
      boolean end = isEnding(); // read first: nothing is queued after it
      if (!taken.hasRemaining()) {
        taken = ByteBuffer.wrap(take());
      }
      if (!taken.hasRemaining() && begun && !end) {
        return Action.IDLE;
      }
      begun = true; // the head is sent before any event
      int length = Math.min(PIECE_BYTES, taken.remaining());
      ByteBuffer piece = taken.slice(taken.position(), length);
      taken.position(taken.position() + length);
      last = end && !waiting && !taken.hasRemaining();
      transfer.response().write(last, piece, this);
      return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
      transfer.finish(null);
    }

    @Override
    protected void onCompleteFailure(Throwable failure) {
      transfer.finish(failure);
    }
  }
}
