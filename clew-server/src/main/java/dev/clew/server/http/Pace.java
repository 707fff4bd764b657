package dev.clew.server.http;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;
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

  private enum Phase {
    /** Before a request, or within its head. */
    HEAD,
    BODY,
    /** The request is whole; the answer is thought about or written. */
    ANSWER,
    STREAM
  }

  private final Connection connection;
  private Phase phase = Phase.HEAD;
  private boolean fresh = true;
  private BooleanSupplier eventsWait = () -> false;
  private volatile Runnable giveUpBody = () -> {};
  private volatile boolean cut;

  /** Where the count of bytes stood when the phase began, and when it was looked at last. */
  private long bytesBefore;

  private long bytesSeen;
  private long since;

  Pace(Connection connection, long now) {
    this.connection = connection;
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
  void begin(Request request, long now) {
    request.setAttribute(ATTRIBUTE, this);
    enter(Phase.BODY, now);
  }

  /** Somebody waits for the body; whom to tell if it does not come. */
  void awaitBody(Runnable giveUp) {
    giveUpBody = giveUp;
  }

  /** The whole request is there. */
  void received(long now) {
    enter(Phase.ANSWER, now);
  }

  /**
   * The answer is a stream of events.
   *
   * @param wait whether there are some that the connection has not taken; asked while we are locked
   */
  synchronized void streams(BooleanSupplier wait, long now) {
    eventsWait = wait;
    enter(Phase.STREAM, now);
  }

  /** The answer is out. */
  void end(long now) {
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
    return isAnswering() ? connection.getBytesOut() : connection.getBytesIn();
  }

  /** Whether nothing is under way, so that nobody misses the connection. */
  synchronized boolean isIdle() {
    return phase == Phase.HEAD && moved() == bytesBefore;
  }

  /** Whether it has been too slow; asked from time to time. */
  synchronized boolean isTooSlow(long now) {
    long moved = moved();
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
    return moved == bytesBefore && (phase == Phase.ANSWER || (phase == Phase.HEAD && !fresh));
  }

  /** Whether it was cut, so that what came of its request is not all. */
  boolean isCut() {
    return cut;
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
    cut = true;
    if (connection.getEndPoint().getTransport() instanceof SocketChannel channel) {
      try {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException e) {
        LOG.debug("closed already", e);
      }
    }
    if (isIn(Phase.HEAD)) {
      connection.close();
      return;
    }
    boolean body = isIn(Phase.BODY);
    connection.getEndPoint().close(new IOException("too slow"));
    if (body) { // closing wakes a call that writes, but not one that waits for its body
      giveUpBody.run();
    }
  }

  private synchronized boolean isIn(Phase which) {
    return phase == which;
  }
}
