package dev.clew.server.internal.http;

import dev.clew.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer to a request. Used by one thread at a time. Nothing is sent before the handler
 * returns, so an error can still replace what it set.
 */
final class Answer {
  private static final Logger LOG = LoggerFactory.getLogger(Answer.class);
  private static final byte[] NOTHING = {};
  private static final int WORTH_ZIPPING = 1500;
  private static final Set<String> ZIPPED = Set.of("application/json", "application/x-ndjson");

  /** The size of one write: the system copies it and keeps the copy for the thread. */
  private static final int PIECE = 64 << 10;

  /** How much of a refused body is read, so that the client sees why it was refused. */
  private static final int MOST_DROPPED = 64 << 20;

  private final Transfer transfer;
  private byte[] body = NOTHING;
  private boolean unread;
  private @Nullable Runnable onHandled;
  private Budget.@Nullable Share memory;

  Answer(Transfer transfer) {
    this.transfer = transfer;
  }

  /** Leaves the body unread; the connection closes after the answer. */
  void leaveUnread() {
    unread = true;
  }

  /** The body was read after all. */
  void wasRead() {
    unread = false;
  }

  void clear() {
    body = NOTHING;
  }

  /** Sets the answer; a later one replaces it. */
  void set(int status, @Nullable String type, byte[] bytes) {
    transfer.response().setStatus(status);
    if (type != null) {
      transfer.response().getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    }
    body = bytes;
    onHandled = null;
  }

  /** Answers with OpenAI's error object; for our own API it has the request id too. */
  void set(Problem problem, String requestId) {
    JsonObject error = problem.fields();
    if (transfer.path().startsWith("/api/")) {
      error.put("request_id", requestId);
    }
    if (problem.retryAfterSeconds() > 0) {
      transfer.setHeader("Retry-After", String.valueOf(problem.retryAfterSeconds()));
    }
    set(
        problem.status(),
        "application/json",
        new JsonObject().put("error", error).toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Lets an action answer after the handler returns. */
  void later(Runnable begin) {
    onHandled = begin;
  }

  /** Sends what was set after a while. */
  void delay(Duration time) {
    later(
        () ->
            CompletableFuture.delayedExecutor(
                    time.toMillis(), TimeUnit.MILLISECONDS, transfer.executor())
                .execute(this::send));
  }

  void pieces(Iterator<byte[]> pieces, PassWatch watch) {
    later(
        () -> {
          if (transfer.claim()) {
            makeNext(pieces, watch);
          }
        });
  }

  /** On a thread that may wait, because pieces are read from the store. */
  private void makeNext(Iterator<byte[]> pieces, PassWatch watch) {
    try {
      transfer
          .executor()
          .execute(
              () -> {
                try {
                  watch.check();
                  boolean more = pieces.hasNext() && !transfer.isHead();
                  byte[] piece = more ? pieces.next() : NOTHING;
                  new Pieces(ByteBuffer.wrap(piece), !more, () -> makeNext(pieces, watch))
                      .iterate();
                } catch (Problem e) { // refused halfway
                  transfer.finish(e);
                } catch (Throwable e) { // the client sees that the answer breaks off
                  LOG.error("sending an answer failed halfway", e);
                  transfer.finish(e);
                }
              });
    } catch (Throwable e) {
      transfer.finish(e);
    }
  }

  /** The memory that the answer may use. */
  void heldBy(Budget.Share share) {
    memory = share;
    transfer.whenOver(failure -> share.close());
  }

  /** The handler has returned. */
  void handled() {
    if (onHandled == null) {
      send();
    } else {
      transfer.pause();
      onHandled.run();
    }
  }

  void when(CompletableFuture<Runnable> ready) {
    later(
        () -> {
          var unused =
              ready.thenAccept(
                  answer -> {
                    if (transfer.claim()) {
                      answer.run();
                      write();
                    }
                  });
        });
  }

  /** Answers by making the connection a WebSocket. */
  void upgrade(Session.Listener endpoint) {
    later(
        () -> {
          if (!transfer.claim()) {
            return;
          }
          try {
            if (transfer.upgrade(endpoint)) {
              return;
            }
            transfer.setHeader("Sec-WebSocket-Version", "13");
            set(Upgrade.required(), requestId());
          } catch (HttpException.RuntimeException e) {
            set(
                Problem.invalid("bad_request", null, "The WebSocket handshake is incomplete."),
                requestId());
          } catch (Throwable e) {
            transfer.finish(e);
            return;
          }
          write();
        });
  }

  private String requestId() {
    return String.valueOf(transfer.response().getHeaders().get("x-request-id"));
  }

  private void send() {
    if (transfer.claim()) {
      write();
    }
  }

  private void write() {
    try {
      if (transfer.response().getStatus() == 0) {
        transfer.response().setStatus(200);
      }
      reserve();
      byte[] bytes = body;
      if (bytes.length >= WORTH_ZIPPING && mayBeZipped()) {
        bytes = zip(bytes);
        transfer.response().getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
        transfer.response().getHeaders().add(HttpHeader.VARY, "Accept-Encoding");
      }
      if (transfer.isHead()) {
        bytes = NOTHING;
      } else if (transfer.response().getStatus() != 304) {
        transfer.response().getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
      }
      if (unread) {
        transfer.response().getHeaders().put(HttpHeader.CONNECTION, "close");
      }
      body = NOTHING;
      new Pieces(ByteBuffer.wrap(bytes), true, () -> {}).iterate();
    } catch (Throwable e) {
      transfer.finish(e);
    }
  }

  /** The answer stays in memory until it was sent. */
  private void reserve() {
    if (memory == null || body.length <= Budget.SMALL || memory.resize(body.length)) {
      return;
    }
    if (transfer.method().equals("GET")) {
      set(tooBusyToSend(), requestId());
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
      Pace.of(transfer.request()).reading(System.nanoTime());
      transfer.sent();
      new Intake(transfer, MOST_DROPPED).drop(() -> transfer.finish(null));
    } else {
      transfer.finish(null);
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
      transfer.response().write(last && end, piece, this);
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
      transfer.finish(failure);
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }
  }

  private boolean mayBeZipped() {
    String accepted = transfer.request().getHeaders().get(HttpHeader.ACCEPT_ENCODING);
    String type = transfer.response().getHeaders().get(HttpHeader.CONTENT_TYPE);
    return accepted != null
        && accepted.contains("gzip")
        && type != null
        && (type.startsWith("text/") || ZIPPED.contains(type))
        && !transfer.response().getHeaders().contains(HttpHeader.CONTENT_ENCODING);
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
