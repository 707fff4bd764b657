package dev.clew.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * A server that is attacked, as one of its owners calls it. Immutable.
 *
 * @param token who calls
 */
public record AttackedServer(int port, String token) {
  /** How long anybody waits for an answer. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A request with the token. */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + token);
  }

  /** The head of a request without its end. */
  public String head(String method, String path) {
    return strangersHead(method, path) + "Authorization: Bearer " + token + "\r\n";
  }

  /** The same without a token. */
  String strangersHead(String method, String path) {
    return method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  }

  /** A connection on which nothing was said yet. */
  public Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  /**
   * Adds a message to a session, and makes the session if there is none.
   *
   * @param content the content of the message, as JSON
   */
  public void post(HttpClient client, String id, String content) throws Exception {
    String items =
        "{\"items\":[{\"type\":\"message\",\"role\":\"user\",\"content\":" + content + "}]}";
    HttpResponse<String> answer =
        client.send(
            request("/v1/conversations/" + id + "/items")
                .POST(HttpRequest.BodyPublishers.ofString(items))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == 404) {
      String message = "{\"message\":\"hello\",\"session_id\":\"" + id + "\"}";
      client.send(
          request("/api/chat").POST(HttpRequest.BodyPublishers.ofString(message)).build(),
          HttpResponse.BodyHandlers.discarding());
      post(client, id, content);
    } else if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
  }
}
