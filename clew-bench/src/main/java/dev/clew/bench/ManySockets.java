package dev.clew.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Very many connections to a server, served by one thread. Thread-safe. */
final class ManySockets implements AutoCloseable {
  /** One of them. Called by that thread alone. */
  interface Client {
    /** What it says first. */
    String opening();

    /** What it says twice a second; empty for nothing. */
    default String more() {
      return "";
    }

    /** It was told something. */
    default void heard(ByteBuffer bytes) {}

    /** The server has closed its connection. */
    default void left() {}
  }

  private static final long BEAT_NANOS = 500_000_000;

  private final int port;
  private final Selector selector = Selector.open();
  private final Thread thread = new Thread(this::run, "many-sockets");
  private final AtomicInteger open = new AtomicInteger();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
  private volatile boolean closed;

  ManySockets(int port) throws IOException {
    this.port = port;
    thread.setDaemon(true);
  }

  /** Connects one, at any time. */
  void connect(Client client) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.write(ByteBuffer.wrap(client.opening().getBytes(StandardCharsets.UTF_8)));
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, client);
    open.incrementAndGet();
  }

  void begin() {
    thread.start();
  }

  /** How many the server has not closed. */
  int open() {
    return open.get();
  }

  private void run() {
    long beat = System.nanoTime();
    try {
      while (!closed) {
        selector.select(this::read, 50);
        if (System.nanoTime() - beat > BEAT_NANOS) {
          beat = System.nanoTime();
          List.copyOf(selector.keys()).forEach(this::speak);
        }
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(SelectionKey key) {
    try {
      int count = ((SocketChannel) key.channel()).read(buffer.clear());
      if (count < 0) {
        leave(key);
      } else {
        ((Client) key.attachment()).heard(buffer.flip());
      }
    } catch (IOException e) {
      leave(key);
    }
  }

  private void speak(SelectionKey key) {
    String more = ((Client) key.attachment()).more();
    if (key.isValid() && !more.isEmpty()) {
      try {
        ((SocketChannel) key.channel())
            .write(ByteBuffer.wrap(more.getBytes(StandardCharsets.UTF_8)));
      } catch (IOException e) {
        leave(key);
      }
    }
  }

  private void leave(SelectionKey key) {
    key.cancel();
    ((Client) key.attachment()).left();
    open.decrementAndGet();
    try {
      key.channel().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
