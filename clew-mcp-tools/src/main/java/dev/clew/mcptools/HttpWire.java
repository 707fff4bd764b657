package dev.clew.mcptools;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/** Streamable HTTP: each request is a POST, its answer JSON or a stream of events. Thread-safe. */
final class HttpWire implements Wire {
  private static final String JSON = "application/json";
  private static final String SSE = "text/event-stream";
  private static final String SESSION = "Mcp-Session-Id";
  private static final String VERSION = "MCP-Protocol-Version";
  private static final Duration FAREWELL = Duration.ofSeconds(2);
  private static final int PIECE = 16 << 10;

  private final HttpClient client;
  private final URI url;
  private final Map<String, String> headers;
  private final Runnable whenToolsChange;
  private final AtomicLong ids = new AtomicLong();
  private volatile @Nullable String session;
  private volatile @Nullable ProtocolVersion version;
  private volatile boolean open = true;

  HttpWire(HttpClient client, URI url, Map<String, String> headers, Runnable whenToolsChange) {
    this.client = client;
    this.url = url;
    this.headers = headers;
    this.whenToolsChange = whenToolsChange;
  }

  @Override
  public String ask(String method, String params, Duration limit)
      throws McpFailure, InterruptedException {
    String id = String.valueOf(ids.incrementAndGet());
    ProtocolVersion spoken = version;
    String sent = spoken == null ? params : spoken.params(params);
    Request request = post(Incoming.request(id, method, sent), limit);
    if (spoken != null && spoken.stateless()) {
      request.headers(
          all -> {
            all.put("Mcp-Method", method);
            String name = Json.string(Json.fields(params).get("name"));
            if (name != null) {
              all.put("Mcp-Name", encoded(name));
            }
          });
    }
    InputStreamResponseListener listener = new InputStreamResponseListener();
    request.send(listener);
    try {
      Response response = listener.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      try (InputStream body = listener.getInputStream()) {
        return answer(id, response, body);
      }
    } catch (InterruptedException | InterruptedIOException e) {
      cancel(id);
      throw new InterruptedException("the call was cancelled");
    } catch (TimeoutException e) {
      cancel(id);
      throw McpFailure.late(limit);
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause(), limit);
    } catch (IOException e) {
      throw failure(e.getCause() == null ? e : e.getCause(), limit);
    } finally {
      var unused =
          request.abort(new IOException("no longer needed")); // nothing happens if it is complete
    }
  }

  /** In our words: the client's name its objects. */
  private static McpFailure failure(Throwable cause, Duration limit) {
    if (cause instanceof TimeoutException) {
      return McpFailure.late(limit);
    }
    if (cause instanceof Addresses.Refused refused) {
      return McpFailure.connection(refused.getMessage());
    }
    if (cause instanceof UnknownHostException) {
      return McpFailure.connection("its host cannot be found");
    }
    if (cause instanceof SocketException) {
      return McpFailure.connection("it cannot be reached");
    }
    if (cause instanceof SSLException) {
      return McpFailure.connection("its certificate is not accepted, or it does not speak TLS");
    }
    return McpFailure.connection("the connection broke off before the answer");
  }

  private Request post(String message, Duration limit) {
    Request request =
        client
            .newRequest(url)
            .method(HttpMethod.POST)
            .body(new StringRequestContent(JSON, message, StandardCharsets.UTF_8))
            .timeout(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS);
    return named(request).headers(all -> all.put("Accept", JSON + ", " + SSE));
  }

  private Request named(Request request) {
    return request.headers(
        all -> {
          headers.forEach(all::put);
          ProtocolVersion spoken = version;
          if (spoken != null) {
            all.put(VERSION, spoken.name());
          }
          String current = session;
          if (current != null) {
            all.put(SESSION, current);
          }
        });
  }

  /** A name in a header, which holds ASCII only. */
  private static String encoded(String name) {
    return name.chars().allMatch(c -> c > ' ' && c < 127)
        ? name
        : "=?base64?"
            + java.util.Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8))
            + "?=";
  }

  private String answer(String id, Response response, InputStream body)
      throws McpFailure, IOException {
    int status = response.getStatus();
    String type = response.getHeaders().get("Content-Type");
    String media = type == null ? "" : type.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
    if (status == 404 && session != null) {
      open = false; // the server has forgotten the session
      throw McpFailure.connection("it has ended the session");
    }
    if (status != 200) {
      throw refusal(status, media, body);
    }
    String named = response.getHeaders().get(SESSION);
    if (session == null && named != null) {
      session = checkedSession(named);
    }
    Optional<String> result =
        media.equals(SSE) ? streamed(id, body) : received(id, whole(body), media);
    return result.orElseThrow(
        () -> McpFailure.connection("its response ended without an answer to the request"));
  }

  private static String checkedSession(String id) throws McpFailure {
    if (id.length() > 1024 || !id.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw McpFailure.connection("its session id is not printable ASCII");
    }
    return id;
  }

  /** An error, with what the server says only if it says it in the protocol. */
  private static McpFailure refusal(int status, String media, InputStream body) throws IOException {
    if (media.equals(JSON)) {
      try {
        String unused = Incoming.read(whole(body)).result();
      } catch (McpFailure e) {
        if (e.kind() == McpFailure.Kind.PROTOCOL && e.code() != 0) {
          return e;
        }
      }
    }
    String why =
        switch (status / 100) {
          case 3 -> ", a redirect, which is not followed; use the address it points to";
          case 4 -> status == 401 || status == 403 ? "; check the credentials" : "";
          default -> "";
        };
    return McpFailure.http(status, "it answered with HTTP status " + status + why);
  }

  private Optional<String> received(String id, String message, String media) throws McpFailure {
    if (!media.equals(JSON)) {
      throw McpFailure.connection("its response is neither JSON nor an event stream");
    }
    return received(id, Incoming.read(message));
  }

  private Optional<String> received(String id, Incoming message) throws McpFailure {
    if (message.answers(id)) {
      return Optional.of(message.result());
    }
    if (message.method().isEmpty() && message.id() == null) {
      return Optional.of(message.result()); // an error about a request it could not read
    }
    if (message.method().equals(Incoming.TOOLS_CHANGED)) {
      whenToolsChange.run();
    }
    message.reply().ifPresent(reply -> send(post(reply, FAREWELL)));
    return Optional.empty();
  }

  private static String whole(InputStream body) throws IOException, McpFailure {
    byte[] bytes = body.readNBytes(Bounds.MESSAGE + 1);
    if (bytes.length > Bounds.MESSAGE) {
      throw tooLarge();
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static McpFailure tooLarge() {
    return McpFailure.connection("it sent an answer of more than 4 MiB");
  }

  /** Reads events until the one with the answer. */
  private Optional<String> streamed(String id, InputStream body) throws IOException, McpFailure {
    byte[] piece = new byte[PIECE];
    long total = 0;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    StringBuilder data = new StringBuilder();
    for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
      total += read;
      if (total > Bounds.MESSAGE) {
        throw tooLarge();
      }
      for (int i = 0; i < read; i++) {
        if (piece[i] != '\n') {
          line.write(piece[i]);
          continue;
        }
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        Optional<String> result =
            line(id, text.endsWith("\r") ? text.substring(0, text.length() - 1) : text, data);
        if (result.isPresent()) {
          return result;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> line(String id, String line, StringBuilder data) throws McpFailure {
    if (line.startsWith("data:")) {
      data.append(data.length() == 0 ? "" : "\n").append(line.substring("data:".length()).strip());
      return Optional.empty();
    }
    if (!line.isEmpty() || data.length() == 0) {
      return Optional.empty();
    }
    String message = data.toString();
    data.setLength(0);
    return received(id, Incoming.read(message));
  }

  @Override
  public void tell(String method, String params) {
    send(post(Incoming.notification(method, params), FAREWELL));
  }

  private void cancel(String id) {
    ProtocolVersion spoken = version;
    if (spoken != null && !spoken.stateless()) {
      tell("notifications/cancelled", new JsonObject().raw("requestId", id).toString());
    }
  }

  /** Sends without waiting; what comes back is not read. */
  private static void send(Request request) {
    request.onResponseContent(
        (response, content) -> {
          var unused = request.abort(new IOException("not read"));
        });
    request.send(result -> {});
  }

  @Override
  public void speaks(ProtocolVersion value) {
    version = value;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
    if (session != null) {
      send(
          named(client.newRequest(url).method(HttpMethod.DELETE))
              .timeout(FAREWELL.toMillis(), TimeUnit.MILLISECONDS));
    }
  }
}
