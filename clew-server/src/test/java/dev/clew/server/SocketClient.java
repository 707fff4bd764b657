package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A WebSocket on responses, read by threads of its own. */
public final class SocketClient implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final WebSocket socket;

  private SocketClient(CompletableFuture<WebSocket> socket) {
    this.socket = socket.join();
  }

  public static SocketClient open(LiveServer live, String... headers) {
    return open(live.server().url(), Long.MAX_VALUE, headers);
  }

  /** One that reads only so many messages, until it {@link #reads} more. */
  public static SocketClient open(String url, long reads, String... headers) {
    WebSocket.Builder builder = HTTP.newWebSocketBuilder();
    for (int i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
    }
    SocketClient[] made = new SocketClient[1];
    CompletableFuture<SocketClient> client = new CompletableFuture<>();
    made[0] =
        new SocketClient(
            builder.buildAsync(
                URI.create(url.replaceFirst("http", "ws") + "/v1/responses"),
                new WebSocket.Listener() {
                  private final StringBuilder text = new StringBuilder();

                  @Override
                  public void onOpen(WebSocket opened) {
                    opened.request(reads);
                  }

                  @Override
                  public @Nullable CompletionStage<?> onText(
                      WebSocket from, CharSequence piece, boolean last) {
                    text.append(piece);
                    if (last) {
                      String message = text.toString();
                      text.setLength(0);
                      var unused = client.thenAccept(each -> each.messages.add(message));
                    }
                    return null;
                  }

                  @Override
                  public @Nullable CompletionStage<?> onClose(
                      WebSocket from, int code, String reason) {
                    var unused = client.thenAccept(each -> each.closed.complete(code));
                    return null;
                  }

                  @Override
                  public void onError(WebSocket from, Throwable failure) {
                    var unused = client.thenAccept(each -> each.closed.complete(1006));
                  }
                }));
    client.complete(made[0]);
    return made[0];
  }

  /** The status of a handshake that is refused. */
  public static HttpResponse<?> refused(LiveServer live, String... headers) {
    try {
      open(live, headers).close();
    } catch (CompletionException e) {
      if (e.getCause() instanceof WebSocketHandshakeException refused) {
        return Objects.requireNonNull(refused.getResponse());
      }
      throw e;
    }
    throw new AssertionError("the handshake was accepted");
  }

  public void reads(long more) {
    socket.request(more);
  }

  /** Sends a message; quotes are written as single ones, to be read. */
  public SocketClient send(String message) {
    Eventually.value(socket.sendText(message.replace('\'', '"'), true));
    return this;
  }

  /** The same on a socket that may be closed by now. */
  public void trySend(String message) {
    var unused =
        Eventually.value(
            socket
                .sendText(message.replace('\'', '"'), true)
                .handle((sent, failure) -> failure == null));
  }

  /** Sends a part of a message. The JDK's client breaks messages of 32 MiB and more. */
  public SocketClient sendPart(String part) {
    Eventually.value(socket.sendText(part, false));
    return this;
  }

  public SocketClient sendBinary(byte[] bytes) {
    Eventually.value(socket.sendBinary(ByteBuffer.wrap(bytes), true));
    return this;
  }

  /** Creates a response with the model {@code m} and these fields. */
  public SocketClient create(String fields) {
    return send("{'type':'response.create','model':'m'," + fields + "}");
  }

  public String next() {
    try {
      String message = messages.poll(Eventually.DEADLINE.toSeconds(), TimeUnit.SECONDS);
      assertThat(message).as("a message within the deadline").isNotNull();
      return Objects.requireNonNull(message);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public Map<String, String> nextFields() {
    return Json.fields(next());
  }

  /** The next message, which is of this type. */
  public Map<String, String> next(String type) {
    String message = next();
    Map<String, String> fields = Json.fields(message);
    assertThat(Json.string(fields.get("type"))).as(message).isEqualTo(type);
    return fields;
  }

  /** The messages up to the first of this type. */
  public List<Map<String, String>> until(String type) {
    List<Map<String, String>> all = new ArrayList<>();
    do {
      all.add(nextFields());
      assertThat(all.get(all.size() - 1)).doesNotContainEntry("type", "\"error\"");
    } while (!type.equals(Json.string(all.get(all.size() - 1).get("type"))));
    return all;
  }

  /** The response that is completed next. */
  public Map<String, Object> completed() {
    List<Map<String, String>> all = until("response.completed");
    return Json.readObject(all.get(all.size() - 1).get("response"));
  }

  /** The id of the response that is completed next. */
  public String completedId() {
    return (String) completed().get("id");
  }

  /** The next message, which is an error with this code. */
  public Map<String, Object> error(int status, String code) {
    String message = next();
    Map<String, Object> fields = Json.readObject(message);
    assertThat(fields).as(message).containsEntry("type", "error");
    assertThat(String.valueOf(fields.get("status"))).as(message).isEqualTo(String.valueOf(status));
    assertThat(Caller.object(fields.get("error"))).as(message).containsEntry("code", code);
    return fields;
  }

  public boolean hasMore() {
    return !messages.isEmpty();
  }

  /** The code it was closed with; 1006 if it broke. */
  public int closedWith() {
    return Eventually.value(closed);
  }

  public boolean isClosed() {
    return closed.isDone();
  }

  /** Drops the connection. */
  public void abort() {
    socket.abort();
  }

  @Override
  public void close() {
    var unused = socket.sendClose(WebSocket.NORMAL_CLOSURE, "");
  }
}
