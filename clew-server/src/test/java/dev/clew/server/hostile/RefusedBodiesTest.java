package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import dev.clew.server.ClewServer;
import dev.clew.server.settings.ServerSettings;
import dev.clew.testservers.AttackedServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Large bodies of somebody who is refused, and sends them nevertheless. */
@Tag("hostile")
class RefusedBodiesTest {
  private static final int MIB = 1 << 20;
  private static final int LARGE = 31 * MIB;

  /** Sends all of a body; what is answered, empty if the server has not let it. */
  private static String send(AttackedServer stranger, int body) {
    byte[] piece = " ".repeat(MIB).getBytes(UTF_8);
    try (Socket socket = stranger.connect()) {
      OutputStream out = socket.getOutputStream();
      String head = stranger.head("POST", "/api/chat") + "Content-Length: " + body + "\r\n\r\n";
      out.write(head.getBytes(UTF_8));
      for (int sent = 0; sent < body; sent += piece.length) {
        out.write(piece);
      }
      return new String(socket.getInputStream().readNBytes(12), UTF_8);
    } catch (SocketException e) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatIsReadOfThemHasABound() throws Exception {
    try (MemoryStore store = MemoryStore.builder().build();
        ClewServer server = ClewServer.start(ServerSettings.of(store).at("127.0.0.1", 0))) {
      AttackedServer stranger = new AttackedServer(server.port(), "unknown");
      assertThat(send(stranger, LARGE)).as("who is alone hears why").isEqualTo("HTTP/1.1 401");
      until("one of many is cut", () -> send(stranger, LARGE), String::isEmpty);
      until("one hears again", () -> send(stranger, MIB), "HTTP/1.1 401"::equals);
    }
  }
}
