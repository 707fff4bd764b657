package dev.clew.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One connection on which a streamed response is asked for and read to its end, by HTTP or over a
 * WebSocket. Used by one thread. It looks for nothing but the end.
 */
final class TurnClient implements AutoCloseable {
  private static final byte[] COMPLETED = "\"type\":\"response.completed\"".getBytes(UTF_8);
  private static final byte[] END_OF_STREAM = "data: [DONE]\n\n".getBytes(UTF_8);
  private static final byte[] END_OF_PIECES = "\r\n0\r\n\r\n".getBytes(UTF_8);

  private final SocketChannel channel;
  private final boolean http;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private int lastFrame;

  private TurnClient(int port, boolean http) throws IOException {
    this.channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    this.http = http;
  }

  static TurnClient http(int port) throws IOException {
    return new TurnClient(port, true);
  }

  static TurnClient socket(int port, String token) throws IOException {
    TurnClient client = new TurnClient(port, false);
    client.write(
        ("GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer "
                + token
                + "\r\n\r\n")
            .getBytes(UTF_8));
    ByteBuffer head = ByteBuffer.allocate(4096);
    while (!text(head).endsWith("\r\n\r\n")) {
      if (client.channel.read(head) < 0) {
        break;
      }
    }
    if (!text(head).startsWith("HTTP/1.1 101")) {
      throw new IOException("the server answered " + text(head));
    }
    return client;
  }

  private static String text(ByteBuffer buffer) {
    return ISO_8859_1.decode(buffer.duplicate().flip()).toString();
  }

  /** A message of a client, with a mask of zeros. */
  static byte[] message(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    ByteBuffer frame = ByteBuffer.allocate(bytes.length + 8);
    frame.put((byte) 0x81);
    if (bytes.length < 126) {
      frame.put((byte) (0x80 | bytes.length));
    } else {
      frame.put((byte) (0x80 | 126)).putShort((short) bytes.length);
    }
    frame.putInt(0).put(bytes).flip();
    byte[] exactly = new byte[frame.remaining()];
    frame.get(exactly);
    return exactly;
  }

  /** Asks, and reads to the end of the answer. */
  void turn(byte[] request) throws IOException {
    if (buffer.capacity() == 0) {
      buffer = ByteBuffer.allocate(1 << 17);
    }
    buffer.clear();
    write(request);
    int read = 0;
    do {
      if (channel.read(buffer) < 0) {
        throw new IOException("the server closed the connection after " + text(buffer));
      }
      read = http ? read : whole(read);
    } while (http ? !ends() : !isLast(read));
  }

  private void write(byte[] bytes) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(bytes);
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  /** In pieces or, if it was over before the head was sent, with its length. */
  private boolean ends() {
    int end = buffer.position();
    return endsWith(END_OF_STREAM, end)
        || (endsWith(END_OF_PIECES, end) && endsWith(END_OF_STREAM, end - END_OF_PIECES.length));
  }

  private boolean endsWith(byte[] wanted, int end) {
    return end >= wanted.length && is(wanted, end - wanted.length);
  }

  private boolean is(byte[] wanted, int from) {
    for (int i = 0; i < wanted.length; i++) {
      if (buffer.get(from + i) != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /** The end of the whole frames that are there, from the end of those that were. */
  private int whole(int from) {
    int at = from;
    while (buffer.position() - at >= 4) {
      int length = buffer.get(at + 1) & 0x7f;
      int head = 2;
      if (length == 126) {
        length = buffer.getShort(at + 2) & 0xffff;
        head = 4;
      }
      if (buffer.position() - at < head + length) {
        break;
      }
      lastFrame = at + head;
      at += head + length;
    }
    return at;
  }

  private boolean isLast(int end) {
    return end > 0
        && end == buffer.position()
        && end - lastFrame > COMPLETED.length
        && is(COMPLETED, lastFrame + 1);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
