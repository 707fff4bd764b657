package dev.clew.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Very many connections to a server, served by one thread. Thread-safe. */
public final class ManySockets implements AutoCloseable {
  /** One of them. Called by that thread alone. */
  public interface Client {
    /** What it says first. */
    String opening();

    /** What it says twice a second; empty for nothing. */
    default String more() {
      return "";
    }

    /** Whether it reads what it is told; else only a little, twice a second. */
    default boolean listens() {
      return true;
    }

    /** It was told something. */
    default void heard(ByteBuffer bytes) {}

    /** The server has closed its connection. */
    default void left() {}
  }

  private static final long BEAT_NANOS = 500_000_000;
  private static final int A_LITTLE = 400;

  private final int port;
  private final Selector selector;
  private final Thread thread = new Thread(this::run, "many-sockets");
  private final AtomicInteger open = new AtomicInteger();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
  private volatile boolean closed;

  /** None yet, to the server of this port. */
  public ManySockets(int port) {
    this.port = port;
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread.setDaemon(true);
  }

  /** Connects one, at any time. */
  public void connect(Client client) throws IOException {
    SocketChannel channel = SocketChannel.open();
    if (!client.listens()) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
    }
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.write(utf8(client.opening()));
    channel.configureBlocking(false);
    channel.register(selector, client.listens() ? SelectionKey.OP_READ : 0, client);
    open.incrementAndGet();
  }

  /** From now on they are served; until then they are connected and do nothing. */
  public void begin() {
    thread.start();
  }

  /** How many the server has not closed. */
  public int open() {
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
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(SelectionKey key) {
    read(key, buffer.clear());
  }

  private void read(SelectionKey key, ByteBuffer into) {
    try {
      int count = ((SocketChannel) key.channel()).read(into);
      if (count < 0) {
        leave(key);
      } else {
        ((Client) key.attachment()).heard(into.flip());
      }
    } catch (IOException e) {
      leave(key);
    }
  }

  private void speak(SelectionKey key) {
    Client client = (Client) key.attachment();
    if (!key.isValid()) {
      return;
    }
    String more = client.more();
    if (!more.isEmpty()) {
      try {
        ((SocketChannel) key.channel()).write(utf8(more));
      } catch (IOException e) {
        leave(key);
      }
    } else if (!client.listens()) {
      read(key, buffer.clear().limit(A_LITTLE));
    }
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
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
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
