package dev.clew.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EofException;
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
 * <p>Looks at them each second and cuts those that are too slow, which would otherwise be kept for
 * ever by a byte now and then; and closes the idle ones at once when the listener stops, which
 * would otherwise wait for them.
 */
final class Connections implements Connection.Listener, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private final Map<Connection, Pace> open = new ConcurrentHashMap<>();
  private final Scheduler clock;
  private volatile boolean stopping;

  Connections(Scheduler clock) {
    this.clock = clock;
  }

  @Override
  public void onOpened(Connection connection) {
    open.put(connection, new Pace(connection, System.nanoTime()));
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

  /** The handler before the one that waits for bodies: ends a call whose body never comes. */
  Handler.Singleton awaiting(Handler next) {
    return new Handler.Wrapper(next) {
      @Override
      public boolean handle(Request request, Response response, Callback callback)
          throws Exception {
        Once once = new Once(callback);
        Pace.of(request).awaitBody(() -> once.failed(new EofException("too slow")));
        return super.handle(request, response, once);
      }
    };
  }

  /** Passes on how a call ended first: one that was cut may end once more. */
  private static final class Once implements Callback {
    private final Callback callback;
    private final AtomicBoolean done = new AtomicBoolean();

    Once(Callback callback) {
      this.callback = callback;
    }

    @Override
    public void succeeded() {
      if (done.compareAndSet(false, true)) {
        callback.succeeded();
      }
    }

    @Override
    public void failed(Throwable failure) {
      if (done.compareAndSet(false, true)) {
        callback.failed(failure);
      }
    }

    @Override
    public InvocationType getInvocationType() {
      return callback.getInvocationType();
    }
  }

  /** The handler that is called when a request is there with its body. */
  Handler.Singleton received(Handler next) {
    return new Handler.Wrapper(next) {
      @Override
      public boolean handle(Request request, Response response, Callback callback)
          throws Exception {
        Pace pace = Pace.of(request);
        if (pace.isCut()) {
          callback.failed(new EofException("too slow"));
          return true;
        }
        pace.received(System.nanoTime());
        return super.handle(request, response, callback);
      }
    };
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
    long now = System.nanoTime();
    int cut = 0;
    for (Pace pace : open.values()) {
      if (pace.isTooSlow(now)) {
        pace.cut();
        cut++;
      }
    }
    if (cut > 0) {
      LOG.info("cut {} connections that were too slow", cut);
    }
    if (!stopping) {
      start();
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
