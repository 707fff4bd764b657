package dev.clew.server;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Very many clients in one thread. Thread-safe. */
final class Crowd implements AutoCloseable {
  /** What a client does. Called by the thread of the crowd alone. */
  interface Member {
    /** What it says first. */
    String opening();

    /** What it says a while later, again and again; empty for nothing. */
    default String more() {
      return "";
    }

    /** Whether it reads what it is told. */
    default boolean listens() {
      return true;
    }

    /** It was told something. */
    default void heard(ByteBuffer bytes) {}
  }

  private static final long BEAT_MS = 500;

  private final int port;
  private final Selector selector;
  private final Thread thread = new Thread(this::run, "test-crowd");
  private final AtomicInteger open = new AtomicInteger();
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private volatile boolean closed;

  Crowd(int port) {
    this.port = port;
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread.setDaemon(true);
  }

  /** Connects a client; before the crowd has begun. */
  void join(Member member) throws IOException {
    SocketChannel channel = SocketChannel.open();
    if (!member.listens()) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
    }
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.write(ByteBuffer.wrap(member.opening().getBytes(StandardCharsets.UTF_8)));
    channel.configureBlocking(false);
    channel.register(selector, member.listens() ? SelectionKey.OP_READ : 0, member);
    open.incrementAndGet();
  }

  void begin() {
    thread.start();
  }

  /** How many are still connected. */
  int open() {
    return open.get();
  }

  private void run() {
    long beat = System.nanoTime();
    try {
      while (!closed) {
        selector.select(BEAT_MS / 5);
        for (SelectionKey key : selector.selectedKeys()) {
          read(key);
        }
        selector.selectedKeys().clear();
        if (System.nanoTime() - beat > BEAT_MS * 1_000_000) {
          beat = System.nanoTime();
          List.copyOf(selector.keys()).forEach(this::speak);
        }
      }
      for (SelectionKey key : new ArrayList<>(selector.keys())) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(SelectionKey key) {
    try {
      buffer.clear();
      int count = ((SocketChannel) key.channel()).read(buffer);
      if (count < 0) {
        leave(key);
      } else {
        ((Member) key.attachment()).heard(buffer.flip());
      }
    } catch (IOException e) {
      leave(key);
    }
  }

  /** Says a little more, or reads a little where the client reads slowly. */
  private void speak(SelectionKey key) {
    Member member = (Member) key.attachment();
    if (!key.isValid()) {
      return;
    }
    try {
      SocketChannel channel = (SocketChannel) key.channel();
      String more = member.more();
      if (!more.isEmpty()) {
        channel.write(ByteBuffer.wrap(more.getBytes(StandardCharsets.UTF_8)));
      } else if (!member.listens() && channel.read(ByteBuffer.allocate(400)) < 0) {
        leave(key);
      }
    } catch (IOException e) {
      leave(key);
    }
  }

  private void leave(SelectionKey key) {
    open.decrementAndGet();
    try {
      key.cancel();
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
