package dev.clew.server.internal.http;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request and the threads that work on it. Used by one thread at a time, except for {@link
 * #abort}. No thread waits for the client, however slow it is. The call ends exactly once, and then
 * {@link #whenOver} callbacks run.
 */
final class Transfer {
  private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);
  private static final byte[] NOTHING = {};

  /** A call that waits longer for a thread is lost. */
  private static final long LOST_NANOS = 60_000_000_000L;

  private enum State {
    RUNNING,
    /** No thread works on it: the body is arriving, or the answer comes later. */
    WAITING,
    QUEUED,
    SENDING,
    OVER
  }

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final Executor executor;
  private final End end;
  private final boolean http11;
  private final List<Consumer<@Nullable Throwable>> whenOver = new CopyOnWriteArrayList<>();
  private byte[] content = NOTHING;
  private volatile boolean answered;
  private final Answer answer = new Answer(this);

  // Guarded by this.
  private State state = State.RUNNING;
  private @Nullable Thread worker = Thread.currentThread();
  private long queuedAt;
  private @Nullable Throwable gone;
  private @Nullable Consumer<IOException> cutStream;

  Transfer(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.executor = request.getComponents().getExecutor();
    this.http11 = request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
    this.end = (End) request.getConnectionMetaData().getConnection().getEndPoint();
    // Pace detects slow clients; a connection may be quiet while a model thinks.
    request.addIdleTimeoutListener(timeout -> false);
    Pace.of(request).call(this);
  }

  /** Calls back when the call is over, with the reason if the answer was not sent. */
  void whenOver(Consumer<@Nullable Throwable> action) {
    whenOver.add(action);
  }

  /** Lets a thread work on the call; false if there is none. */
  boolean runBy(Executor threads, Runnable work) {
    synchronized (this) {
      if (state == State.OVER) {
        return true;
      }
      state = State.QUEUED;
      worker = null;
      queuedAt = System.nanoTime();
    }
    try {
      threads.execute(() -> run(work));
      return true;
    } catch (Throwable e) { // such as no memory for another thread
      return !resume();
    }
  }

  /** Works on the call unless it is over. */
  void run(Runnable work) {
    if (!resume()) {
      return;
    }
    try {
      work.run();
    } catch (Throwable e) {
      LOG.error("a call failed without an answer", e);
      finish(e);
    } finally {
      pause();
    }
  }

  /** Makes this the working thread; false if the call is over. */
  private synchronized boolean resume() {
    if (state != State.WAITING && state != State.QUEUED) {
      return false;
    }
    state = State.RUNNING;
    worker = Thread.currentThread();
    return true;
  }

  /** This thread is done for now; another one may have taken over. */
  void pause() {
    Throwable reason;
    synchronized (this) {
      if (state != State.RUNNING || worker != Thread.currentThread()) {
        return;
      }
      state = State.WAITING;
      reason = gone;
    }
    if (reason != null) {
      abort(reason);
    }
  }

  /** Whether the caller of this method, and nobody else, sends the answer. */
  synchronized boolean claim() {
    if (state == State.OVER || state == State.SENDING) {
      return false;
    }
    state = State.SENDING;
    return true;
  }

  /** Whether the client still waits, as far as is known. */
  synchronized boolean isWanted() {
    return gone == null && state != State.OVER;
  }

  /** Whether no thread took it in time. */
  synchronized boolean isLost(long now) {
    return state == State.QUEUED && now - queuedAt > LOST_NANOS;
  }

  /** Ends the connection, and the call as soon as no thread works on it. */
  void abort(Throwable reason) {
    end.close(reason); // this ends a pending write
    Consumer<IOException> stream;
    synchronized (this) {
      gone = gone == null ? reason : gone;
      if (state == State.OVER || state == State.RUNNING) {
        return;
      }
      stream = cutStream;
      if (stream == null && state == State.SENDING) {
        return;
      }
    }
    if (stream != null) {
      stream.accept(new EofException(reason));
    } else {
      finish(reason);
    }
  }

  void closeConnection(Throwable reason) {
    end.close(reason);
  }

  /** Ends the call; only the first time counts. */
  void finish(@Nullable Throwable failure) {
    synchronized (this) {
      if (state == State.OVER) {
        return;
      }
      state = State.OVER;
    }
    content = NOTHING;
    answer.clear();
    for (Consumer<@Nullable Throwable> action : whenOver) {
      try {
        action.accept(answered ? null : failure);
      } catch (Throwable e) { // the others must run too
        LOG.error("a callback at the end of a call failed", e);
      }
    }
    if (failure == null) {
      callback.succeeded();
    } else {
      end.close(failure);
      callback.failed(new Request.Handler.AbortException(failure)); // nobody is left to answer
    }
  }

  Request request() {
    return request;
  }

  Answer answer() {
    return answer;
  }

  Response response() {
    return response;
  }

  Executor executor() {
    return executor;
  }

  /** The answer is a stream of events, which this cuts off. */
  synchronized void streamedBy(Consumer<IOException> cut) {
    cutStream = cut;
  }

  String method() {
    return request.getMethod();
  }

  String path() {
    String path = request.getHttpURI().getPath();
    return path == null ? "" : path;
  }

  String address() {
    return Request.getRemoteAddr(request);
  }

  @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /** The values of a header that is a list. */
  List<String> headers(String name) {
    return request.getHeaders().getCSV(name, false);
  }

  @Nullable String cookie(String name) {
    for (HttpCookie cookie : Request.getCookies(request)) {
      if (cookie.getName().equals(name)) {
        return cookie.getValue();
      }
    }
    return null;
  }

  boolean repeats(String name) {
    return request.getHeaders().getValuesList(name).size() > 1;
  }

  /** Whether the client understands interim responses. */
  boolean mayBeProbed() {
    return http11;
  }

  boolean isHead() {
    return method().equals("HEAD");
  }

  /** Whether the client asks for a WebSocket. */
  boolean asksForSocket() {
    return method().equals("GET")
        && http11
        && request.getHeaders().contains(HttpHeader.UPGRADE, "websocket");
  }

  /**
   * Makes the connection a WebSocket, without compression; false if the client asks for another
   * version of the protocol.
   */
  boolean upgrade(Session.Listener endpoint) {
    return ServerWebSocketContainer.get(request.getContext())
        .upgrade(
            (asked, answer, done) -> {
              answer.setExtensions(List.of());
              return endpoint;
            },
            request,
            response,
            Callback.from(() -> finish(null), this::finish));
  }

  End end() {
    return end;
  }

  /** The announced length of the body; -1 if unknown. */
  long length() {
    return request.getLength();
  }

  boolean hasBody() {
    return length() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
  }

  void received(byte[] bytes) {
    content = bytes;
  }

  byte[] content() {
    return content;
  }

  int status() {
    return response.getStatus() == 0 ? 200 : response.getStatus();
  }

  void setHeader(String name, String value) {
    response.getHeaders().put(name, value);
  }

  void addCookie(HttpCookie cookie) {
    Response.addCookie(response, cookie);
  }

  /** The thread that reads from this connection. */
  Executor reader() {
    return end.reader();
  }

  /** The answer was sent; this thread may go on reading. */
  synchronized void sent() {
    answered = true;
    if (state == State.SENDING) {
      state = State.RUNNING;
      worker = Thread.currentThread();
    }
  }
}
