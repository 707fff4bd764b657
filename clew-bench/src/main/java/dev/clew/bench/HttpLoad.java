package dev.clew.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A block of requests over several connections that are kept. Used by one thread, which serves all
 * of them as the common load generators do, and reads no more of an answer than its status and
 * length: most of the time is to be the server's.
 */
final class HttpLoad implements Race.Block, AutoCloseable {
  private final List<Connection> connections = new ArrayList<>();
  private final Selector selector = Selector.open();
  private final IntFunction<byte[]> request;
  private final int each;
  private long[] nanos = {};

  /**
   * @param request what a connection sends, by its number
   * @param each how many requests a connection sends in a block
   */
  HttpLoad(int port, int connections, int each, IntFunction<byte[]> request) throws IOException {
    this.request = request;
    this.each = each;
    for (int i = 0; i < connections; i++) {
      this.connections.add(new Connection(port, selector));
    }
  }

  /** A request as it stands on the wire. */
  static byte[] request(String method, String path, String token, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + token
            + "\r\nContent-Length: "
            + bytes.length
            + "\r\n\r\n";
    return (head + body).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public long run() throws IOException {
    nanos = new long[requests()];
    long start = System.nanoTime();
    for (int k = 0; k < connections.size(); k++) {
      connections.get(k).begin(request.apply(k));
    }
    for (int done = 0; done < nanos.length; ) {
      selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        Connection connection = (Connection) key.attachment();
        if (connection.isAnswered()) {
          nanos[done++] = System.nanoTime() - connection.sentAt;
          if (++connection.answers < each) {
            connection.send();
          }
        }
      }
      selector.selectedKeys().clear();
    }
    return System.nanoTime() - start;
  }

  /** How many milliseconds each request of the last block took. */
  Samples millis() {
    double[] millis = new double[nanos.length];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = nanos[i] / 1e6;
    }
    return Samples.of(millis);
  }

  /** How long the last answer was. */
  int bytes() {
    return connections.get(0).length;
  }

  int requests() {
    return connections.size() * each;
  }

  @Override
  public void close() throws IOException {
    selector.close();
    for (Connection connection : connections) {
      connection.channel.close();
    }
  }

  /** Reads into one buffer, and looks for nothing but the status and where the answer ends. */
  private static final class Connection {
    private static final byte[] OK = ascii("HTTP/1.1 200");
    private static final byte[] LENGTH = ascii("\r\nContent-Length: ");
    private static final byte[] END_OF_HEAD = ascii("\r\n\r\n");

    private final SocketChannel channel;
    private ByteBuffer request = ByteBuffer.allocate(0);
    private byte[] buffer = new byte[1 << 16];
    private int filled;
    private int length;
    private long sentAt;
    private int answers;

    Connection(int port, Selector selector) throws IOException {
      channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    void begin(byte[] bytes) throws IOException {
      request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
      answers = 0;
      send();
    }

    void send() throws IOException {
      filled = 0;
      sentAt = System.nanoTime();
      request.flip();
      while (request.hasRemaining()) { // it fits into the socket's buffer
        channel.write(request);
      }
    }

    /** Reads what is there; whether that is the whole answer. */
    boolean isAnswered() throws IOException {
      if (filled == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * filled);
      }
      int count = channel.read(ByteBuffer.wrap(buffer, filled, buffer.length - filled));
      if (count < 0) {
        throw new IOException("the server closed the connection");
      }
      filled += count;
      int head = find(END_OF_HEAD, filled);
      if (head < 0) {
        return false;
      }
      if (!Arrays.equals(buffer, 0, OK.length, OK, 0, OK.length)) {
        throw new IOException("the server answered " + new String(buffer, 0, head, UTF_8));
      }
      length = number(find(LENGTH, head));
      return filled >= head + END_OF_HEAD.length + length;
    }

    /** Where something stands, or -1. */
    private int find(byte[] wanted, int end) {
      for (int i = 0; i <= end - wanted.length; i++) {
        if (buffer[i] == wanted[0]
            && Arrays.equals(buffer, i, i + wanted.length, wanted, 0, wanted.length)) {
          return i;
        }
      }
      return -1;
    }

    private int number(int mark) {
      int number = 0;
      if (mark >= 0) {
        for (int i = mark + LENGTH.length; buffer[i] >= '0' && buffer[i] <= '9'; i++) {
          number = 10 * number + buffer[i] - '0';
        }
      }
      return number;
    }
  }
}
