package dev.clew.server.internal.http;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How fast one connection gets on with its request, or with reading the answer. Thread-safe.
 *
 * <p>A head has to come whole within the patience. A body, or an answer that is being read, has to
 * move by some bytes in each span of that length. A stream of events has to move at all while
 * events wait. A connection may wait between two requests.
 */
final class Pace {
  private static final Logger LOG = LoggerFactory.getLogger(Pace.class);
  private static final String ATTRIBUTE = Pace.class.getName();

  /**
   * Three times this, and the time between two looks, is how long the slowest may stay: buffers of
   * the system may take so much of an answer that its reader looks fast at first.
   */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** About a thousand a second: slower than any line in use, and dearer than a trickle. */
  private static final long LEAST_BYTES = PATIENCE.toSeconds() << 10;

  /** A body that takes longer holds memory that others wait for. */
  private static final Duration LONGEST_BODY = Duration.ofMinutes(5);

  private enum Phase {
    /** Before a request, or within its head. */
    HEAD,
    BODY,
    /** We do not read the body, for want of memory. */
    WAIT,
    /** The request is whole; the answer is thought about or written. */
    ANSWER,
    STREAM
  }

  private final Connection connection;
  private final IntPredicate droppable;
  private final End end;
  private Phase phase = Phase.HEAD;
  private boolean fresh = true;
  private BooleanSupplier eventsWait = () -> false;
  private Runnable pings = () -> {};
  private @Nullable Transfer call;

  /** Where the count of bytes stood when the phase began, and when it was looked at last. */
  private long bytesBefore;

  private long bytesSeen;
  private long since;
  private long begunAt;

  /**
   * Of a new connection.
   *
   * @param droppable whether so many bytes of a refused body may be read
   */
  Pace(Connection connection, IntPredicate droppable, long now) {
    this.connection = connection;
    this.droppable = droppable;
    this.end = (End) connection.getEndPoint();
    this.since = now;
  }

  /** The pace of the connection that a request came by. */
  static Pace of(Request request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Pace pace) {
      return pace;
    }
    throw new IllegalStateException("this request did not come through the listener");
  }

  /** The head of a request is there. */
  synchronized void begin(Request request, long now) {
    request.setAttribute(ATTRIBUTE, this);
    begunAt = now;
    enter(Phase.BODY, now);
  }

  /** The call that the request is. */
  synchronized void call(Transfer one) {
    call = one;
  }

  /** The body is read, again. */
  void reading(long now) {
    enter(Phase.BODY, now);
  }

  /** Whether so many bytes of a body may be read that was refused. */
  boolean mayDrop(int bytes) {
    return droppable.test(bytes);
  }

  /** The body is not read for a while. */
  void waits(long now) {
    enter(Phase.WAIT, now);
  }

  /** The whole request is there. */
  void received(long now) {
    enter(Phase.ANSWER, now);
  }

  /**
   * The answer is a stream of events.
   *
   * @param wait whether there are some that the connection has not taken; asked while we are locked
   * @param ping sends something that says nothing
   */
  synchronized void streams(BooleanSupplier wait, Runnable ping, long now) {
    eventsWait = wait;
    pings = ping;
    enter(Phase.STREAM, now);
  }

  /** The answer is out. */
  synchronized void end(long now) {
    call = null;
    enter(Phase.HEAD, now);
  }

  private synchronized void enter(Phase next, long now) {
    phase = next;
    fresh = false;
    bytesBefore = moved();
    bytesSeen = bytesBefore;
    since = now;
  }

  private long moved() {
    return isAnswering() ? end.bytesOut() : end.bytesIn();
  }

  /** Whether nothing is under way, so that nobody misses the connection. */
  synchronized boolean isIdle() {
    return phase == Phase.HEAD && moved() == bytesBefore;
  }

  /** Whether it has been too slow; asked from time to time. */
  synchronized boolean isTooSlow(long now) {
    long moved = moved();
    if (phase == Phase.BODY && now - begunAt > LONGEST_BODY.toNanos()) {
      return true;
    }
    if (phase == Phase.STREAM ? isFollowed(moved) : mayWait(moved)) {
      bytesSeen = moved;
      since = now;
      return false;
    }
    if (now - since < PATIENCE.toNanos()) {
      return false;
    }
    if (phase == Phase.HEAD || phase == Phase.STREAM || moved - bytesSeen < LEAST_BYTES) {
      return true;
    }
    bytesSeen = moved;
    since = now;
    return false;
  }

  /** Whether the reader of a stream takes what there is. */
  private boolean isFollowed(long moved) {
    return moved != bytesSeen || !eventsWait.getAsBoolean();
  }

  /** A model may think, and a client may keep its connection; a stranger has to say something. */
  private boolean mayWait(long moved) {
    return switch (phase) {
      case WAIT -> true;
      case ANSWER -> moved == bytesBefore;
      case HEAD -> moved == bytesBefore && !fresh;
      default -> false;
    };
  }

  /**
   * Looks whether the caller is still there while nobody reads what it sends, and ends its call if
   * it is not; asked from time to time.
   */
  void lookForCaller(long now) {
    Transfer one;
    Phase where;
    long outBefore;
    synchronized (this) {
      one = call;
      where = phase;
      outBefore = bytesBefore;
    }
    if (one == null || where == Phase.HEAD || where == Phase.BODY) {
      return;
    }
    if (one.isLost(now)) {
      LOG.error("a call was lost before a thread took it up");
      one.abort(new IOException("lost"));
      return;
    }
    switch (end.look()) {
      case THERE -> {}
      case GONE -> one.abort(new EofException("the caller has gone"));
      case SILENT -> {
        boolean there =
            where == Phase.STREAM
                ? ping()
                : where != Phase.ANSWER || !one.mayBeProbed() || end.probe(outBefore);
        if (!there) {
          one.abort(new EofException("the caller has gone"));
        }
      }
    }
  }

  private boolean ping() {
    Runnable ping;
    synchronized (this) {
      ping = pings;
    }
    ping.run(); // not under our lock: it may end the call
    return true;
  }

  private synchronized boolean isAnswering() {
    return phase == Phase.ANSWER || phase == Phase.STREAM;
  }

  /** Ends the connection behind what was written. */
  void close() {
    connection.getEndPoint().close();
  }

  /** Ends the connection at once; what its reader has not taken is dropped, by the system too. */
  void cut() {
    if (connection.getEndPoint().getTransport() instanceof SocketChannel channel) {
      try {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException e) {
        LOG.debug("closed already", e);
      }
    }
    Transfer one;
    synchronized (this) {
      one = phase == Phase.HEAD ? null : call;
    }
    if (one == null) {
      connection.close();
    } else {
      one.abort(new IOException("too slow"));
    }
  }
}
