package dev.clew.server.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.util.IteratingCallback;

/**
 * Server-sent events to one reader. Thread-safe.
 *
 * <p>Sending never waits: what the reader has not taken yet stands in a bounded queue, and a reader
 * that lets it run full is cut off. It comes back and asks for what it missed. Nobody is called
 * back under the lock of the stream.
 */
public final class EventStream {
  private static final int MAX_QUEUED_BYTES = 1 << 20;
  private static final int ROOM_BYTES = 64 << 10;
  private static final int PIECE_BYTES = 32 << 10;
  private static final byte[] PING = ": ping\n\n".getBytes(StandardCharsets.UTF_8);

  private final Transfer transfer;
  private final Budget.Share memory;
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

  private EventStream(Transfer transfer, Budget.Share memory) {
    this.transfer = transfer;
    this.memory = memory;
  }

  /** Turns the answer to a request into a stream of events. */
  static EventStream open(Transfer transfer, Budget.Share memory) {
    EventStream stream = new EventStream(transfer, memory);
    transfer.answer(200, "text/event-stream; charset=utf-8", new byte[0]);
    transfer.setHeader("Cache-Control", "no-store");
    transfer.setHeader("X-Accel-Buffering", "no");
    Pace.of(transfer.request()).streams(() -> stream.waiting, stream::ping, System.nanoTime());
    transfer.whenOver(failure -> stream.ended.complete(null));
    transfer.streamedBy(stream::cut);
    transfer.answerLater(stream::start);
    stream.ending = transfer.isHead();
    return stream;
  }

  private void start() {
    synchronized (this) {
      started = true;
    }
    writer.iterate();
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

  private boolean write(byte[] bytes) {
    boolean tooSlow;
    synchronized (this) {
      if (ending || ended.isDone()) {
        return false;
      }
      // One large event may wait: it is the reader's fault only if much waits beside it.
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

  /** What is counted of a queue: a little costs nothing worth counting. */
  private static long held(int bytes) {
    return bytes <= Budget.SMALL ? 0 : bytes;
  }

  /** Whether little enough is queued that a reader of a long story should be told more. */
  public synchronized boolean hasRoom() {
    boolean room = !ending && queuedBytes < ROOM_BYTES;
    roomWanted |= !room;
    return room;
  }

  /** Calls back when everything was taken after {@link #hasRoom} said no. */
  public synchronized void onRoom(Runnable action) {
    onRoom = action;
  }

  /** Shows proxies and the reader that the stream is alive. */
  void ping() {
    write(PING);
  }

  /** Ends the stream after what was sent. */
  public void end() {
    synchronized (this) {
      ending = true;
    }
    writer.iterate();
  }

  /** Calls back once, when the stream is over for whatever reason. */
  public void onEnd(Runnable action) {
    var unused = ended.whenComplete((nothing, failure) -> action.run());
  }

  /** What is queued, as much of it as goes out at once; nothing if there is none. */
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
      // Not here: this may be a thread that sends, with locks of its own.
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
    // First, because the connection stays open while a write is under way, and the reader waiting.
    transfer.closeConnection(reason);
    writer.abort(reason);
  }

  /** Writes what is queued, one piece after the other, whichever thread comes. */
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
      boolean end = isEnding(); // before we look: nothing is queued behind it
      if (!taken.hasRemaining()) {
        taken = ByteBuffer.wrap(take());
      }
      if (!taken.hasRemaining() && begun && !end) {
        return Action.IDLE;
      }
      begun = true; // the head of the answer goes out before there is any event
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
