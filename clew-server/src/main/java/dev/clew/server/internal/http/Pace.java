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
 * Detects connections that are too slow. Thread-safe.
 *
 * <p>The head must arrive within {@link #PATIENCE}. A body or an answer must move a minimum of
 * bytes in each such period, and a stream of events must move at all while events wait. Connections
 * may stay open between requests.
 */
final class Pace {
  private static final Logger LOG = LoggerFactory.getLogger(Pace.class);
  private static final String ATTRIBUTE = Pace.class.getName();

  /**
   * The slowest client may stay for three of these: buffers of the system take so much of an answer
   * that it looks fast at first.
   */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** About a kilobyte per second, slower than any usual line. */
  private static final long LEAST_BYTES = PATIENCE.toSeconds() << 10;

  /** A slower body holds memory that others wait for. */
  private static final Duration LONGEST_BODY = Duration.ofMinutes(5);

  private enum Phase {
    /** Before a request, or within its head. */
    HEAD,
    BODY,
    /** The body is not read for want of memory. */
    WAIT,
    /** The request is complete; the answer is being made or sent. */
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

  /** The byte count at the start of the phase and at the last check. */
  private long bytesBefore;

  private long bytesSeen;
  private long since;
  private long begunAt;

  /**
   * A new connection.
   *
   * @param droppable whether this many bytes of a refused body may be read
   */
  Pace(Connection connection, IntPredicate droppable, long now) {
    this.connection = connection;
    this.droppable = droppable;
    this.end = (End) connection.getEndPoint();
    this.since = now;
  }

  static Pace of(Request request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Pace pace) {
      return pace;
    }
    throw new IllegalStateException("this request did not come through the listener");
  }

  synchronized void begin(Request request, long now) {
    request.setAttribute(ATTRIBUTE, this);
    begunAt = now;
    enter(Phase.BODY, now);
  }

  synchronized void call(Transfer one) {
    call = one;
  }

  void reading(long now) {
    enter(Phase.BODY, now);
  }

  /** Whether this many bytes of a refused body may be read. */
  boolean mayDrop(int bytes) {
    return droppable.test(bytes);
  }

  /** Another piece of a body is read that may be of any length. */
  synchronized void readingOn(long now) {
    begunAt = now;
    enter(Phase.BODY, now);
  }

  void waits(long now) {
    enter(Phase.WAIT, now);
  }

  void received(long now) {
    enter(Phase.ANSWER, now);
  }

  /**
   * The answer is a stream of events.
   *
   * @param wait whether events are queued; called with the lock held
   * @param ping sends a comment
   */
  synchronized void streams(BooleanSupplier wait, Runnable ping, long now) {
    eventsWait = wait;
    pings = ping;
    enter(Phase.STREAM, now);
  }

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

  synchronized boolean isIdle() {
    return phase == Phase.HEAD && moved() == bytesBefore;
  }

  /** Whether the client is too slow; called regularly. */
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

  private boolean isFollowed(long moved) {
    return moved != bytesSeen || !eventsWait.getAsBoolean();
  }

  /** A model may think, and a client may keep its connection; a new client must send something. */
  private boolean mayWait(long moved) {
    return switch (phase) {
      case WAIT -> true;
      case ANSWER -> moved == bytesBefore;
      case HEAD -> moved == bytesBefore && !fresh;
      default -> false;
    };
  }

  /**
   * Checks whether the client is still there while nobody reads, and ends its call if not; called
   * regularly.
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
      LOG.error("a call was lost before a thread took it");
      one.abort(new IOException("lost"));
      return;
    }
    switch (end.look()) {
      case THERE -> {}
      case GONE -> one.abort(new EofException("the client left"));
      case SILENT -> {
        boolean there =
            where == Phase.STREAM
                ? ping()
                : where != Phase.ANSWER || !one.mayBeProbed() || end.probe(outBefore);
        if (!there) {
          one.abort(new EofException("the client left"));
        }
      }
    }
  }

  private boolean ping() {
    Runnable ping;
    synchronized (this) {
      ping = pings;
    }
    ping.run(); // without the lock: it may end the call
    return true;
  }

  private synchronized boolean isAnswering() {
    return phase == Phase.ANSWER || phase == Phase.STREAM;
  }

  /** Closes the connection after what was written. */
  void close() {
    connection.getEndPoint().close();
  }

  /** Closes the connection at once and drops unsent data. */
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
