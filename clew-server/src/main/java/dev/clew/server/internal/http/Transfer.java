package dev.clew.server.internal.http;

import dev.clew.json.JsonObject;
import dev.clew.retention.RetentionPolicy.Action;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives a request and sends its answer. Used by one thread at a time, except for {@link #abort}.
 *
 * <p>Nothing is sent before the handler returns, so an error can still replace its answer. No
 * thread waits for the client, however slow it is. The call ends exactly once, and then {@link
 * #whenOver} callbacks run.
 */
final class Transfer {
  private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);
  private static final byte[] NOTHING = {};
  private static final int WORTH_ZIPPING = 1500;
  private static final Set<String> ZIPPED = Set.of("application/json", "application/x-ndjson");

  /** The size of one write: the system copies it and keeps the copy for the thread. */
  private static final int PIECE = 64 << 10;

  /** How much of a refused body is read, so that the client sees why it was refused. */
  private static final int MOST_DROPPED = 64 << 20;

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
  private byte[] body = NOTHING;
  private boolean unread;
  private volatile boolean answered;
  private @Nullable Runnable later;
  private Budget.@Nullable Share memory;

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
    body = NOTHING;
    for (Consumer<@Nullable Throwable> action : whenOver) {
      try {
        action.accept(answered ? null : failure);
      } catch (Throwable e) { // the others must run too
        LOG.error("the end of a call was not noted", e);
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

  /** The undecoded path. */
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

  /** Leaves the body unread; the connection closes after the answer. */
  void leaveUnread() {
    unread = true;
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

  /** Sets the answer; a later one replaces it. */
  void answer(int status, @Nullable String type, byte[] bytes) {
    response.setStatus(status);
    if (type != null) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    }
    body = bytes;
    later = null;
  }

  /** Answers with OpenAI's error object; for our own API it has the request id too. */
  void answer(Problem problem, String requestId) {
    JsonObject error = problem.fields();
    if (path().startsWith("/api/")) {
      error.put("request_id", requestId);
    }
    if (problem.retryAfterSeconds() > 0) {
      setHeader("Retry-After", String.valueOf(problem.retryAfterSeconds()));
    }
    answer(
        problem.status(),
        "application/json",
        new JsonObject().put("error", error).toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Lets an action answer after the handler returns. */
  void answerLater(Runnable begin) {
    later = begin;
  }

  void answerPieces(Iterator<byte[]> pieces) {
    answerLater(
        () -> {
          if (claim()) {
            makeNext(pieces);
          }
        });
  }

  /** On a thread that may wait, because pieces are read from the store. */
  private void makeNext(Iterator<byte[]> pieces) {
    try {
      executor.execute(
          () -> {
            try {
              boolean more = pieces.hasNext() && !isHead();
              byte[] piece = more ? pieces.next() : NOTHING;
              new Pieces(ByteBuffer.wrap(piece), !more, () -> makeNext(pieces)).iterate();
            } catch (Throwable e) { // the client sees that the answer breaks off
              LOG.error("an answer broke off", e);
              finish(e);
            }
          });
    } catch (Throwable e) {
      finish(e);
    }
  }

  /** The memory that the answer may use. */
  void heldBy(Budget.Share share) {
    memory = share;
    whenOver.add(failure -> share.close());
  }

  /** The handler has returned. */
  void handled() {
    if (later == null) {
      send();
    } else {
      pause();
      later.run();
    }
  }

  void answerWhen(CompletableFuture<Runnable> ready) {
    answerLater(
        () -> {
          var unused =
              ready.thenAccept(
                  answer -> {
                    if (claim()) {
                      answer.run();
                      write();
                    }
                  });
        });
  }

  /** The thread that reads from this connection. */
  Executor reader() {
    return end.reader();
  }

  private synchronized void sendingIsOver() {
    answered = true;
    if (state == State.SENDING) {
      state = State.RUNNING;
      worker = Thread.currentThread();
    }
  }

  private void send() {
    if (claim()) {
      write();
    }
  }

  private void write() {
    try {
      if (response.getStatus() == 0) {
        response.setStatus(200);
      }
      reserve();
      byte[] bytes = body;
      if (bytes.length >= WORTH_ZIPPING && mayBeZipped()) {
        bytes = zip(bytes);
        response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
        response.getHeaders().add(HttpHeader.VARY, "Accept-Encoding");
      }
      if (isHead()) {
        bytes = NOTHING;
      } else if (response.getStatus() != 304) {
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
      }
      if (unread) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
      }
      body = NOTHING;
      new Pieces(ByteBuffer.wrap(bytes), true, () -> {}).iterate();
    } catch (Throwable e) {
      finish(e);
    }
  }

  /** The answer stays in memory until it was sent. */
  private void reserve() {
    if (memory == null || body.length <= Budget.SMALL || memory.resize(body.length)) {
      return;
    }
    if (method().equals("GET")) {
      answer(tooBusyToSend(), String.valueOf(response.getHeaders().get("x-request-id")));
    } else { // the work is done, and a retry would repeat it
      memory.force(body.length);
    }
  }

  static Problem tooBusyToSend() {
    return Problem.unavailable(
        "server_busy", "The server is sending as much as it can at the moment; try again.");
  }

  private void sent() {
    if (unread) {
      Pace.of(request).reading(System.nanoTime());
      sendingIsOver();
      new Intake(this, MOST_DROPPED).drop(() -> finish(null));
    } else {
      finish(null);
    }
  }

  /** Writes bytes in pieces. */
  private final class Pieces extends IteratingCallback {
    private final ByteBuffer bytes;
    private final boolean end;
    private final Runnable then;
    private boolean last;

    Pieces(ByteBuffer bytes, boolean end, Runnable then) {
      this.bytes = bytes;
      this.end = end;
      this.then = then;
    }

    @Override
    protected Action process() {
      if (last) {
        return Action.SUCCEEDED;
      }
      int length = Math.min(PIECE, bytes.remaining());
      ByteBuffer piece = bytes.slice(bytes.position(), length);
      bytes.position(bytes.position() + length);
      last = !bytes.hasRemaining();
      response.write(last && end, piece, this);
      return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
      if (end) {
        sent();
      } else {
        then.run();
      }
    }

    @Override
    protected void onCompleteFailure(Throwable failure) {
      finish(failure);
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }
  }

  private boolean mayBeZipped() {
    String accepted = request.getHeaders().get(HttpHeader.ACCEPT_ENCODING);
    String type = response.getHeaders().get(HttpHeader.CONTENT_TYPE);
    return accepted != null
        && accepted.contains("gzip")
        && type != null
        && (type.startsWith("text/") || ZIPPED.contains(type))
        && !response.getHeaders().contains(HttpHeader.CONTENT_ENCODING);
  }

  private static byte[] zip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2);
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // in memory, so never
    }
    return out.toByteArray();
  }
}
