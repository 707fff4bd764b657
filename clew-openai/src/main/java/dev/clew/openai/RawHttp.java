package dev.clew.openai;

import com.openai.core.RequestOptions;
import com.openai.core.http.Headers;
import com.openai.core.http.HttpClient;
import com.openai.core.http.HttpRequest;
import com.openai.core.http.HttpRequestBody;
import com.openai.core.http.HttpResponse;
import com.openai.errors.OpenAIIoException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Puts our JSON text in the place of what the client would send, and tells the client which calls
 * it may repeat. Thread-safe.
 *
 * <p>It stands between the client's retries and its connections: the client decides when and how
 * often to retry, and this class which calls must not be retried.
 */
record RawHttp(HttpClient connections) implements HttpClient {
  private static final String SHOULD_RETRY = "X-Should-Retry";
  private static final int LONGEST_ERROR = 1 << 16;

  /** A failure that the client does not try again, because the call may have had its effect. */
  static final class NotRepeated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotRepeated(OpenAIIoException cause) {
      super(cause.getMessage(), cause);
    }
  }

  @Override
  public HttpResponse execute(HttpRequest request, RequestOptions options) {
    Exchange exchange =
        Exchange.current().orElseThrow(() -> new IllegalStateException("not within an exchange"));
    HttpRequest sent =
        exchange
            .body()
            .map(bytes -> request.toBuilder().body(new Body(bytes)).build())
            .orElse(request);
    try {
      HttpResponse response = connections.execute(sent, options);
      if (response.statusCode() == 400) {
        return retriedIfLocked(response);
      }
      return exchange.isRepeatable() || !mayHaveTakenEffect(response)
          ? response
          : new Told(response, "false", response.body());
    } catch (OpenAIIoException e) {
      if (exchange.isCancelled() || (!exchange.isRepeatable() && !wasNeverSent(e))) {
        throw new NotRepeated(e);
      }
      throw e;
    }
  }

  @Override
  public CompletableFuture<HttpResponse> executeAsync(HttpRequest request, RequestOptions options) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("exchanges are made by threads that wait"));
  }

  private static boolean mayHaveTakenEffect(HttpResponse response) {
    return (response.statusCode() >= 500 || response.statusCode() == 408)
        && response.headers().values(SHOULD_RETRY).isEmpty();
  }

  static boolean wasNeverSent(Throwable thrown) {
    return Api.causes(thrown)
        .anyMatch(
            cause ->
                cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof NoRouteToHostException);
  }

  /** Another writer holds the conversation. The client does not know that this is temporary. */
  private static HttpResponse retriedIfLocked(HttpResponse response) {
    try (response) {
      byte[] body = response.body().readNBytes(LONGEST_ERROR);
      boolean locked = new String(body, StandardCharsets.UTF_8).contains("\"conversation_locked\"");
      return new Told(response, locked ? "true" : "false", new ByteArrayInputStream(body));
    } catch (IOException e) {
      throw new OpenAIIoException("the error could not be read", e);
    }
  }

  /** The connections belong to the client that was given to us. */
  @Override
  public void close() {}

  /** JSON text that is sent as it is. */
  private static final class Body implements HttpRequestBody {
    private final byte[] bytes;

    Body(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void writeTo(OutputStream out) {
      try {
        out.write(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public InputStream content() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public String contentType() {
      return "application/json";
    }

    @Override
    public long contentLength() {
      return bytes.length;
    }

    @Override
    public boolean repeatable() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** A response with a word for the client on whether to try again. */
  private record Told(HttpResponse response, String retry, InputStream body)
      implements HttpResponse {
    @Override
    public int statusCode() {
      return response.statusCode();
    }

    @Override
    public Headers headers() {
      return response.headers().toBuilder().replace(SHOULD_RETRY, retry).build();
    }

    @Override
    public void close() {
      response.close();
    }
  }
}
