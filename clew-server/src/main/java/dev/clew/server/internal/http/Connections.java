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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a listener. Thread-safe.
 *
 * <p>Looks at them each second: cuts those that are too slow, which would otherwise be kept for
 * ever by a byte now and then, and ends the calls of those whose caller has gone. It closes the
 * idle ones at once when the listener stops, which would otherwise wait for them.
 */
final class Connections implements Connection.Listener, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  /** How much of refused bodies is read at most, and how much more of them in each second. */
  private static final long MOST_DROPPED = 64 << 20;

  private static final long DROPPED_PER_SECOND = 8 << 20;

  private final AtomicLong droppable = new AtomicLong(MOST_DROPPED);
  private final Map<Connection, Pace> open = new ConcurrentHashMap<>();
  private final Scheduler clock;
  private final List<Budget> budgets;
  private volatile boolean stopping;

  /**
   * None as yet.
   *
   * @param budgets for which calls may wait
   */
  Connections(Scheduler clock, List<Budget> budgets) {
    this.clock = clock;
    this.budgets = budgets;
  }

  @Override
  public void onOpened(Connection connection) {
    open.put(connection, new Pace(connection, this::mayDrop, System.nanoTime()));
  }

  @Override
  public void onClosed(Connection connection) {
    open.remove(connection);
  }

  /** The handler before all others: tells when a request begins and when it is answered. */
  Handler.Singleton first(Handler next) {
    return new Handler.Wrapper(next) {
      @Override
      public boolean handle(Request request, Response response, Callback callback)
          throws Exception {
        Connection connection = request.getConnectionMetaData().getConnection();
        Pace pace = open.get(connection);
        if (pace == null) { // closed already
          return false;
        }
        pace.begin(request, System.nanoTime());
        Request.addCompletionListener(request, failure -> ended(pace));
        return super.handle(request, response, callback);
      }
    };
  }

  /**
   * Whether so many bytes of a refused body may be read, which is done for its caller alone: who
   * still writes does not hear why it was refused. It has a bound for all together, or refusing
   * large bodies would cost more than taking them.
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

  /** Begins to look. */
  void start() {
    clock.schedule(this, 1, TimeUnit.SECONDS);
  }

  /** Cuts those that are too slow, and comes again. */
  @Override
  public void run() {
    try {
      look(System.nanoTime());
    } catch (Throwable e) { // also if there is no memory: it is the more needed then
      LOG.error("could not look after the connections", e);
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

  /** Closes the idle ones, and each other one when its answer is out. */
  void stop() {
    stopping = true;
    for (Pace pace : open.values()) {
      if (pace.isIdle()) {
        pace.close();
      }
    }
  }
}
