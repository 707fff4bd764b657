package dev.clew.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A request as it came and the answer as it goes out. Used by one thread at a time.
 *
 * <p>Nothing is sent before the handler is through, so what it answered first may still be replaced
 * by what went wrong. No thread waits while an answer goes out, however slow its reader is.
 */
final class Transfer {
  private static final byte[] NOTHING = {};
  private static final int WORTH_ZIPPING = 1500;
  private static final Set<String> ZIPPED = Set.of("application/json", "application/x-ndjson");

  private final Request request;
  private final Response response;
  private final Callback callback;
  private byte @Nullable [] content;
  private @Nullable Fields query;
  private byte[] body = NOTHING;
  private @Nullable Runnable later;
  private Runnable afterwards = () -> {};

  Transfer(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
  }

  Request request() {
    return request;
  }

  Response response() {
    return response;
  }

  /** To be called at the end, by whoever takes over the answer. */
  Callback callback() {
    return callback;
  }

  String method() {
    return request.getMethod();
  }

  /** The path as it was sent, before decoding. */
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

  /** The values of a parameter of the query, as many as were given. */
  List<String> query(String name) {
    if (query == null) {
      try {
        query = Request.extractQueryParameters(request, StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        throw Problem.invalid("bad_request", null, "The query cannot be read: " + e.getMessage());
      }
    }
    return query.getValuesOrEmpty(name);
  }

  /** The body, which has come whole by now. */
  byte[] content() {
    if (content == null) {
      try {
        content = BufferUtil.toArray(Content.Source.asByteBuffer(request));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return content;
  }

  /** A field of the form in the body. */
  @Nullable String formField(String name) {
    Fields fields = new Fields();
    try {
      UrlEncoded.decodeUtf8To(new String(content(), StandardCharsets.UTF_8), fields);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid("bad_request", null, "The body is no form: " + e.getMessage());
    }
    return fields.getValue(name);
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

  /** The answer, unless another one follows. */
  void answer(int status, @Nullable String type, byte[] bytes) {
    response.setStatus(status);
    if (type != null) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    }
    body = bytes;
    later = null;
  }

  /** Somebody else answers, from when the handler is through. */
  void answerLater(Runnable begin) {
    // A connection is quiet while a model thinks; what is wrong with it shows when we write.
    request.addIdleTimeoutListener(timeout -> false);
    later = begin;
  }

  /** This is done by the same thread when the handler is through. */
  void afterwards(Runnable work) {
    afterwards = work;
  }

  /** The handler is through. */
  void handled() {
    if (later != null) {
      later.run();
    } else {
      send();
    }
    afterwards.run();
  }

  /** Sends the answer when it is there. */
  void answerWhen(CompletableFuture<Void> ready) {
    answerLater(
        () -> {
          var unused = ready.thenRun(this::send);
        });
  }

  /**
   * The thread that reads from this connection, for what does not wait. It has the next request of
   * whoever is answered by it.
   */
  Executor reader() {
    End end = (End) request.getConnectionMetaData().getConnection().getEndPoint();
    return task -> end.selector.submit(selector -> task.run());
  }

  /** The server's end of a connection. Thread-safe. */
  static final class End extends SocketChannelEndPoint {
    private final ManagedSelector selector;

    End(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
      super(channel, selector, key, scheduler);
      this.selector = selector;
    }
  }

  private void send() {
    if (response.getStatus() == 0) {
      response.setStatus(200);
    }
    byte[] bytes = body;
    if (bytes.length >= WORTH_ZIPPING && mayBeZipped()) {
      bytes = zip(bytes);
      response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
      response.getHeaders().add(HttpHeader.VARY, "Accept-Encoding");
    }
    if (!request.getMethod().equals("HEAD") && response.getStatus() != 304) {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    }
    response.write(true, ByteBuffer.wrap(bytes), callback);
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
      throw new UncheckedIOException(e); // never: it is memory
    }
    return out.toByteArray();
  }
}
