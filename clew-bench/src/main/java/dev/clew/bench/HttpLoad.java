package dev.clew.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

  private static final class Connection {
    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int length;

    Connection(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    }

    void exchange(byte[] request) throws IOException {
      socket.getOutputStream().write(request);
      String status = line();
      length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (line.startsWith("Content-Length: ")) {
          length = Integer.parseInt(line.substring("Content-Length: ".length()));
        }
      }
      int left = length;
      while (left > 0) {
        left -= in.readNBytes(buffer, 0, Math.min(left, buffer.length));
      }
      if (!status.startsWith("HTTP/1.1 200")) {
        throw new IOException("the server answered " + status);
      }
    }

    private String line() throws IOException {
      int length = 0;
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new IOException("the server closed the connection");
        }
        buffer[length++] = (byte) next;
      }
      return new String(buffer, 0, length - 1, StandardCharsets.ISO_8859_1);
    }
  }
}
