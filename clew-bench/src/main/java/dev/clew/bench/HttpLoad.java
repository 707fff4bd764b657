package dev.clew.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * A block of requests over several connections that are kept. Used by one thread. It reads no more
 * of an answer than its status and length, so that most of the time is the server's.
 */
final class HttpLoad implements Race.Block, AutoCloseable {
  private final List<Connection> connections = new ArrayList<>();
  private final ExecutorService threads;
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
    this.threads = Executors.newFixedThreadPool(connections);
    for (int i = 0; i < connections; i++) {
      this.connections.add(new Connection(port));
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
  public long run() throws Exception {
    nanos = new long[connections.size() * each];
    long start = System.nanoTime();
    List<Future<Boolean>> running = new ArrayList<>();
    for (int k = 0; k < connections.size(); k++) {
      int number = k;
      running.add(threads.submit(() -> send(number)));
    }
    for (Future<Boolean> one : running) {
      one.get();
    }
    return System.nanoTime() - start;
  }

  private boolean send(int number) throws IOException {
    byte[] bytes = request.apply(number);
    for (int i = 0; i < each; i++) {
      long start = System.nanoTime();
      connections.get(number).exchange(bytes);
      nanos[number * each + i] = System.nanoTime() - start;
    }
    return true;
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
    threads.shutdownNow();
    for (Connection connection : connections) {
      connection.socket.close();
    }
  }

  /** Reads into one buffer, and looks for nothing but the status and where the answer ends. */
  private static final class Connection {
    private static final byte[] OK = ascii("HTTP/1.1 200");
    private static final byte[] LENGTH = ascii("\r\nContent-Length: ");
    private static final byte[] END_OF_HEAD = ascii("\r\n\r\n");

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private byte[] buffer = new byte[1 << 16];
    private int length;

    Connection(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      in = socket.getInputStream();
      out = socket.getOutputStream();
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    void exchange(byte[] request) throws IOException {
      out.write(request);
      int filled = fill(0);
      int head = find(END_OF_HEAD, filled);
      while (head < 0) {
        filled = fill(filled);
        head = find(END_OF_HEAD, filled);
      }
      length = number(find(LENGTH, head));
      int end = head + END_OF_HEAD.length + length;
      while (filled < end) {
        filled = fill(filled);
      }
      if (!Arrays.equals(buffer, 0, OK.length, OK, 0, OK.length)) {
        throw new IOException("the server answered " + new String(buffer, 0, head, UTF_8));
      }
    }

    private int fill(int filled) throws IOException {
      if (filled == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * filled);
      }
      int count = in.read(buffer, filled, buffer.length - filled);
      if (count < 0) {
        throw new IOException("the server closed the connection");
      }
      return filled + count;
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
