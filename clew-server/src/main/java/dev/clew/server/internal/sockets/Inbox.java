package dev.clew.server.internal.sockets;

import dev.clew.server.internal.http.Upgrade;
import dev.clew.server.internal.sockets.Socket.Messages;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.StatusCode;

/**
 * Puts the messages of a client together. Used by one thread at a time, except where it says so.
 *
 * <p>What it keeps is first counted against a budget. While the budget is used up, or too many
 * messages wait to be answered, nothing is read.
 */
final class Inbox {
  /** Parsing a longer message would delay other connections. */
  private static final int SHORT = 64 << 10;

  /** How many messages may wait or be answered at the same time. */
  static final int MOST_MESSAGES = 80;

  /** How much of a message that is too large is read at most. */
  private static final long MOST_DROPPED = 128 << 20;

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final Socket socket;
  private final Upgrade upgrade;
  private final Messages messages;
  private final int limit;
  private StringBuilder pieces = new StringBuilder();
  private long size;
  private boolean dropping;

  // Guarded by this.
  private long reserved;
  private long kept;
  private int waiting;
  private boolean full;
  private boolean reading = true;
  private boolean begun;
  private long begunAt;

  Inbox(Socket socket, Upgrade upgrade, Messages messages, int limit) {
    this.socket = socket;
    this.upgrade = upgrade;
    this.messages = messages;
    this.limit = limit;
  }

  /** Whether the client's silence means something. Thread-safe. */
  synchronized boolean isReading() {
    return reading;
  }

  /** Whether a message has taken too long. Thread-safe. */
  synchronized boolean isTooSlow(long now) {
    return begun && reading && now - begunAt > LONGEST_NANOS;
  }

  void text(String piece, boolean last) {
    size += bytes(piece);
    if (size > limit || dropping || socket.isClosing()) {
      drop(last);
      return;
    }
    begin();
    pieces.append(piece);
    long need = size > SHORT ? Math.min(limit, size * 2) : size;
    if (last) {
      reserve(size, this::whole);
    } else {
      reserve(need, this::next);
    }
  }

  void binary(int length, boolean last) {
    size += length;
    if (size > limit || dropping || socket.isClosing()) {
      drop(last);
    } else if (last) {
      size = 0;
      hand(messages::binary, 0);
    } else {
      next();
    }
  }

  /** Drops the rest of a message: a client that still writes would not see why it is closed. */
  private void drop(boolean last) {
    dropping = true;
    pieces = new StringBuilder();
    if (last || size > MOST_DROPPED) {
      socket.close(
          StatusCode.MESSAGE_TOO_LARGE, "A message may have " + limit + " bytes; send less.");
    }
    next();
  }

  private synchronized void begin() {
    if (!begun) {
      begun = true;
      begunAt = System.nanoTime();
    }
  }

  private static int bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  /** Counts the message that arrives against the budget, then goes on. */
  private void reserve(long bytes, Runnable then) {
    long all;
    synchronized (this) {
      if (bytes <= reserved) {
        all = -1;
      } else {
        reserved = bytes;
        all = kept + reserved;
      }
    }
    if (all < 0) {
      then.run();
      return;
    }
    var room = upgrade.incoming().grow(all);
    if (room.isDone()) {
      granted(room.join(), then);
      return;
    }
    setReading(false);
    var unused = room.thenAccept(granted -> upgrade.executeBriefly(() -> granted(granted, then)));
  }

  private void granted(boolean room, Runnable then) {
    setReading(true);
    if (room) {
      then.run();
    } else {
      socket.close(
          StatusCode.TRY_AGAIN_LATER, "The server is receiving as much as it can; try again.");
      drop(false);
    }
  }

  private synchronized void setReading(boolean value) {
    reading = value;
  }

  private void whole() {
    String message = pieces.toString();
    pieces = new StringBuilder();
    long held = size;
    size = 0;
    synchronized (this) {
      begun = false;
      reserved = 0;
      kept += held;
    }
    if (held > SHORT) {
      upgrade.executeBriefly(() -> hand(done -> messages.text(message, done), held));
    } else {
      hand(done -> messages.text(message, done), held);
    }
  }

  private void hand(Consumer<Runnable> message, long held) {
    synchronized (this) {
      waiting++;
    }
    AtomicBoolean once = new AtomicBoolean();
    message.accept(
        () -> {
          if (once.compareAndSet(false, true)) {
            release(held);
          }
        });
    synchronized (this) {
      full = waiting >= MOST_MESSAGES;
      reading = !full;
      if (full) {
        return; // goes on when one of them is answered
      }
    }
    next();
  }

  private void release(long bytes) {
    boolean more;
    synchronized (this) {
      kept -= bytes;
      waiting--;
      more = full && waiting < MOST_MESSAGES;
      if (more) {
        full = false;
        reading = true;
      }
      upgrade.incoming().resize(kept + reserved);
    }
    if (more) {
      next();
    }
  }

  private void next() {
    socket.demand();
  }

  /** Thread-safe. */
  synchronized void close() {
    reading = false;
  }
}
