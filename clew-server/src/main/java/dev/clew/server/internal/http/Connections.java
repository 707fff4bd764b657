package dev.clew.server.internal.http;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.websocket.core.WebSocketConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a listener. Thread-safe.
 *
 * <p>Every second it cuts connections that are too slow, and ends the calls of clients that left.
 * When the listener stops, it closes idle ones at once.
 */
final class Connections implements Connection.Listener, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  /** How much of refused bodies is read at most, and how much more in each second. */
  private static final long MOST_DROPPED = 64 << 20;

  private static final long DROPPED_PER_SECOND = 8 << 20;

  private final AtomicLong droppable = new AtomicLong(MOST_DROPPED);
  private final Map<Connection, Pace> open = new ConcurrentHashMap<>();
  private final Scheduler clock;
  private final List<Budget> budgets;
  private volatile boolean stopping;

  Connections(Scheduler clock, List<Budget> budgets) {
    this.clock = clock;
    this.budgets = budgets;
  }

  /** Sockets are watched elsewhere: they have no requests. */
  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof WebSocketConnection) {
      return;
    }
    open.put(connection, new Pace(connection, this::mayDrop, System.nanoTime()));
  }

  @Override
  public void onClosed(Connection connection) {
    open.remove(connection);
  }

  /** The first handler: notes when a request begins and when it is answered. */
  Handler.Singleton first(Handler next) {
    return new Handler.Wrapper(next) {
      @Override
      public boolean handle(Request request, Response response, Callback callback)
          throws Exception {
        Connection connection = request.getConnectionMetaData().getConnection();
        Pace pace = open.get(connection);
        if (pace == null) {
          return false;
        }
        pace.begin(request, System.nanoTime());
        Request.addCompletionListener(request, failure -> ended(pace));
        return super.handle(request, response, callback);
      }
    };
  }

  /**
   * Whether this many bytes of a refused body may be read. A client that still writes would not see
   * why it was refused; but reading must not cost more than accepting the body.
   */
  private boolean mayDrop(int bytes) {
    return droppable.addAndGet(-bytes) >= 0;
  }

  private void ended(Pace pace) {
    pace.end(System.nanoTime());
    if (stopping) {
      pace.close();
    }
  }

  void start() {
    clock.schedule(this, 1, TimeUnit.SECONDS);
  }

  @Override
  public void run() {
    try {
      look(System.nanoTime());
    } catch (Throwable e) { // it matters most when memory is short
      LOG.error("checking the connections failed", e);
    }
    if (!stopping) {
      start();
    }
  }

  private void look(long now) {
    int cut = 0;
    for (Pace pace : open.values()) {
      if (pace.isTooSlow(now)) {
        pace.cut();
        cut++;
      } else {
        pace.lookForCaller(now);
      }
    }
    budgets.forEach(budget -> budget.expire(now));
    droppable.updateAndGet(left -> Math.min(MOST_DROPPED, Math.max(left, 0) + DROPPED_PER_SECOND));
    if (cut > 0) {
      LOG.info("cut {} connections that were too slow", cut);
    }
  }

  /** Closes idle connections now, and others when they are answered. */
  void stop() {
    stopping = true;
    for (Pace pace : open.values()) {
      if (pace.isIdle()) {
        pace.close();
      }
    }
  }
}
