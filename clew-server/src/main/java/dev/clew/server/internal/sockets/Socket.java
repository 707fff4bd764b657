package dev.clew.server.internal.sockets;

import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.http.Upgrade;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.common.WebSocketSession;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One WebSocket. Thread-safe.
 *
 * <p>Sending never waits: messages are queued and written one after another. Those who send much
 * ask {@link #hasRoom} first. A client that reads nothing for a while is cut off, and so is one
 * that does not answer pings.
 */
public final class Socket implements Session.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Socket.class);
  private static final int ROOM = 64 << 10;
  static final int WRITTEN_AT_ONCE = 32 << 10;

  /** One large message may wait; the client is too slow if much waits besides it. */
  private static final int MOST_QUEUED = 4 << 20;

  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long OPENING_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int LONGEST_REASON = 120; // bytes in a close frame

  private final Upgrade upgrade;
  private final Consumer<Socket> whenOver;
  private final Messages messages;
  private final Inbox inbox;
  private final Writer writer = new Writer();
  private volatile @Nullable Session session;

  // Guarded by this.
  private final Deque<String> queue = new ArrayDeque<>();
  private final Deque<Runnable> waitForRoom = new ArrayDeque<>();
  private long queued;
  private long largest;
  private @Nullable Close close;
  private boolean closeSent;
  private boolean over;
  private boolean pinging;
  private long bytesIn;
  private long bytesOut;
  private long heardAt = System.nanoTime();
  private long wroteAt = heardAt;
  private long pingedAt = heardAt;
  private long closedAt = Long.MAX_VALUE;

  private record Close(int code, String reason) {}

  /** What a route does with a socket. Called by several threads, never with a lock. */
  public interface Messages {
    /**
     * A whole message has arrived; the next one is given when this method has returned. Must not
     * wait.
     *
     * @param done to call once, when the message is not needed any more
     */
    void text(String message, Runnable done);

    /** A message that is not text has arrived, and was dropped. */
    void binary(Runnable done);

    /** Called every second. */
    void look();

    /** The caller's token is no longer valid. */
    void refused();

    /** The server stops: finish what runs, then close. */
    void stop();

    /** The socket is over. Called once. */
    void over();
  }

  Socket(Upgrade upgrade, Function<Socket, Messages> route, Consumer<Socket> whenOver) {
    this.upgrade = upgrade;
    this.whenOver = whenOver;
    this.messages = route.apply(this);
    this.inbox = new Inbox(this, upgrade, messages, Route.LARGE_BODY);
  }

  public Upgrade upgrade() {
    return upgrade;
  }

  Messages messages() {
    return messages;
  }

  // What Jetty calls.

  @Override
  public void onWebSocketOpen(Session opened) {
    session = opened;
    boolean late;
    synchronized (this) {
      late = over;
    }
    if (late) {
      opened.disconnect();
      return;
    }
    opened.demand();
    writer.iterate();
  }

  @Override
  public void onWebSocketPartialText(String piece, boolean last) {
    inbox.text(piece, last);
  }

  @Override
  public void onWebSocketPartialBinary(ByteBuffer piece, boolean last, Callback callback) {
    int length = piece.remaining();
    callback.succeed();
    inbox.binary(length, last);
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    LOG.debug("a socket failed", cause);
    end();
  }

  @Override
  public void onWebSocketClose(int code, @Nullable String reason, Callback callback) {
    end();
    callback.succeed();
  }

  /** Reads on. */
  void demand() {
    Session open = session;
    if (open != null && open.isOpen()) {
      try {
        open.demand();
      } catch (IllegalStateException e) { // it was closed just now
        LOG.debug("no more to read", e);
      }
    }
  }

  /** Sends a message; returns whether the client may still get it. */
  public boolean send(String message) {
    boolean sent = enqueue(message);
    flush();
    return sent;
  }

  /** Sends what is queued. */
  public void flush() {
    writer.iterate();
  }

  /** Queues a message for {@link #flush}, so that several are written at once. */
  public boolean enqueue(String message) {
    boolean tooSlow;
    synchronized (this) {
      if (over || close != null) {
        return false;
      }
      long most = Math.max(largest, message.length());
      tooSlow =
          queued + message.length() - most > MOST_QUEUED
              || !upgrade.outgoing().resize(held(queued + message.length()));
      if (!tooSlow) {
        queue.add(message);
        queued += message.length();
        largest = most;
      }
    }
    if (tooSlow) {
      cut("it reads too slowly");
    }
    return !tooSlow;
  }

  /** The counted size of a queue; small ones are free. */
  private static long held(long size) {
    return size <= ROOM ? 0 : size;
  }

  /**
   * Whether the queue is short.
   *
   * @param later what to run when it is short again, if it is not
   */
  public synchronized boolean hasRoom(Runnable later) {
    if (queued < ROOM && !over) {
      return true;
    }
    if (!over && !waitForRoom.contains(later)) {
      waitForRoom.add(later);
    }
    return false;
  }

  /** Closes the socket when everything was sent; nothing is sent after this. */
  public void close(int code, String reason) {
    synchronized (this) {
      if (over || close != null) {
        return;
      }
      close = new Close(code, reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
      closedAt = System.nanoTime();
    }
    writer.iterate();
  }

  synchronized boolean isClosing() {
    return over || close != null;
  }

  /** The next messages to write at once. */
  private synchronized List<String> next() {
    List<String> messages = new ArrayList<>();
    int size = 0;
    while (!queue.isEmpty() && (size == 0 || size + queue.element().length() <= WRITTEN_AT_ONCE)) {
      messages.add(queue.remove());
      size += messages.get(messages.size() - 1).length();
    }
    largest = messages.isEmpty() ? 0 : largest;
    return messages;
  }

  private void sent(long size) {
    Runnable waiting;
    synchronized (this) {
      queued -= size;
      upgrade.outgoing().resize(held(queued));
      waiting = queued < ROOM ? waitForRoom.poll() : null;
    }
    if (waiting != null) {
      upgrade.executeBriefly(() -> offerRoom(waiting));
    }
  }

  /** Lets those who wait send in turn, as long as there is room. */
  private void offerRoom(Runnable first) {
    Runnable waiting = first;
    while (waiting != null) {
      waiting.run();
      synchronized (this) {
        waiting = queued < ROOM ? waitForRoom.poll() : null;
      }
    }
  }

  /** The socket's own look at its client, every second. */
  void look(long now) {
    String wrong = null;
    boolean ping = false;
    synchronized (this) {
      if (over) {
        return;
      }
      watch(now);
      if (session == null) {
        wrong = now - heardAt > OPENING_NANOS ? "it did not open" : null;
      } else if (now - wroteAt > STUCK_NANOS) {
        wrong = "it reads nothing";
      } else if (now - heardAt > SILENCE_NANOS && inbox.isReading()) {
        wrong = "it does not answer";
      } else if (closeSent && now - closedAt > CLOSING_NANOS) {
        wrong = "it does not close";
      } else if (inbox.isTooSlow(now)) {
        wrong = "it sends too slowly";
      } else if (now - pingedAt > PING_NANOS && !pinging && close == null) {
        pingedAt = now;
        pinging = true;
        ping = true;
      }
    }
    if (wrong != null) {
      cut(wrong);
      return;
    }
    Session open = session;
    if (ping && open != null) {
      open.sendPing(ByteBuffer.allocate(0), Callback.from(this::pinged, failure -> pinged()));
    }
    messages.look();
  }

  private void watch(long now) {
    if (upgrade.bytesIn() != bytesIn) {
      bytesIn = upgrade.bytesIn();
      heardAt = now;
    }
    if (upgrade.bytesOut() != bytesOut || queued == 0) {
      bytesOut = upgrade.bytesOut();
      wroteAt = now;
    }
  }

  private synchronized void pinged() {
    pinging = false;
  }

  /** Drops the connection. */
  void cut(String why) {
    LOG.debug("closed a WebSocket: {}", why);
    Session open = session;
    if (open != null) {
      open.disconnect();
    }
    end();
  }

  private void end() {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      queue.clear();
      waitForRoom.clear();
    }
    upgrade.close();
    inbox.close();
    try {
      messages.over();
    } finally {
      whenOver.accept(this);
    }
  }

  /** Writes what is queued, some messages after others. */
  private final class Writer extends IteratingCallback {
    private long writing;

    @Override
    protected Action process() {
      if (!(session instanceof WebSocketSession open)) {
        return Action.IDLE;
      }
      if (writing > 0) {
        sent(writing);
        writing = 0;
      }
      List<String> next = next();
      if (!next.isEmpty()) {
        for (String message : next) {
          writing += message.length();
        }
        write(open.getCoreSession(), next);
        return Action.SCHEDULED;
      }
      Close last = closing();
      if (last == null) {
        return Action.IDLE;
      }
      open.close(last.code(), last.reason(), Callback.NOOP);
      return Action.SUCCEEDED;
    }

    private void write(CoreSession core, List<String> next) {
      int last = next.size() - 1;
      for (int i = 0; i <= last; i++) {
        org.eclipse.jetty.util.Callback done =
            i == last ? this : org.eclipse.jetty.util.Callback.NOOP;
        core.sendFrame(new Frame(OpCode.TEXT, true, next.get(i)), done, i < last);
      }
    }

    @Override
    protected void onCompleteFailure(Throwable failure) {
      cut("it cannot be written to");
    }
  }

  private synchronized @Nullable Close closing() {
    closeSent = close != null;
    closedAt = closeSent ? System.nanoTime() : closedAt;
    return close;
  }
}
