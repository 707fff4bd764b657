package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that no client library would send. */
class RawRequestsTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live = new LiveServer(store);

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  /** What comes back for a head and, after it, a body of so many bytes in chunks if negative. */
  private String send(String head, long body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port())) {
      socket.setSoTimeout(30_000);
      OutputStream out = socket.getOutputStream();
      out.write(head.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
      byte[] block = new byte[1 << 16];
      java.util.Arrays.fill(block, (byte) ' ');
      try {
        for (long left = Math.abs(body); left > 0; left -= block.length) {
          if (body < 0) {
            out.write("10000\r\n".getBytes(StandardCharsets.UTF_8));
          }
          out.write(block);
          if (body < 0) {
            out.write("\r\n".getBytes(StandardCharsets.UTF_8));
          }
        }
        out.flush();
      } catch (SocketException e) {
        // The server has refused and closed; what it said can still be read.
      }
      return read(socket.getInputStream());
    }
  }

  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      in.transferTo(bytes);
    } catch (SocketException e) {
      // Closed hard, after the answer.
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private String post(String path, String more) {
    return "POST "
        + path
        + " HTTP/1.1\nHost: localhost\nConnection: close\nAuthorization: Bearer "
        + live.token("ann")
        + "\n"
        + more
        + "\n\n";
  }

  @Test
  void aBodyThatIsSaidToBeTooLargeIsRefusedUnread() throws Exception {
    String answer = send(post("/v1/conversations", "Content-Length: 99999999999"), 0);
    assertThat(answer).startsWith("HTTP/1.1 413").contains("\"code\":\"body_too_large\"");
  }

  @Test
  void anEndlessBodyIsCutOffAtTheLimit() throws Exception {
    String answer = send(post("/v1/conversations", "Transfer-Encoding: chunked"), -(64L << 20));
    assertThat(answer).startsWith("HTTP/1.1 413");
  }

  @Test
  void aNameThatWasMadeToPointHereIsRefused() throws Exception {
    String answer = send("GET /healthz HTTP/1.1\nHost: evil.example\nConnection: close\n\n", 0);
    assertThat(answer).startsWith("HTTP/1.1 403").contains("host_not_allowed");
  }

  @Test
  void nonsenseIsRefusedInTheSameEnvelope() throws Exception {
    assertThat(send("GET /%zz HTTP/1.1\nHost: localhost\nConnection: close\n\n", 0))
        .startsWith("HTTP/1.1 400")
        .contains("{\"error\":{\"message\":");
    assertThat(send("NONSENSE\n\n", 0)).startsWith("HTTP/1.1 400");
  }

  @Test
  void bytesThatAreNoTextAreNoJson() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.server().port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          post("/v1/conversations", "Content-Length: 4")
              .replace("\n", "\r\n")
              .getBytes(StandardCharsets.UTF_8));
      out.write(new byte[] {'{', (byte) 0xff, (byte) 0xfe, '}'});
      out.flush();
      assertThat(read(socket.getInputStream())).startsWith("HTTP/1.1 400").contains("invalid_json");
    }
  }
}
