package dev.clew.server.internal.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a connection. Thread-safe.
 *
 * <p>While a call runs, nobody reads from its connection, so nobody would notice that the client
 * left. {@link #look} reads ahead and keeps what it read for the next request. A client that closed
 * its connection and one that only stopped sending look the same until something is sent, so there
 * is also {@link #probe}.
 */
final class End extends SocketChannelEndPoint {
  private static final int MOST_AHEAD = 16 << 10;
  private static final byte[] PROCESSING =
      "HTTP/1.1 102 Processing\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ManagedSelector selector;
  private final Object reading = new Object();
  private final Object writing = new Object();
  private @Nullable ByteBuffer ahead;
  private volatile long bytesIn;
  private volatile long bytesOut;

  enum Peer {
    THERE,
    /** It sends nothing more, and may or may not read. */
    SILENT,
    GONE
  }

  End(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
    this.selector = selector;
  }

  /** The thread that reads from this connection, for work that never waits. */
  Executor reader() {
    return task -> selector.submit(unused -> task.run());
  }

  long bytesIn() {
    return bytesIn;
  }

  /** How many bytes the operating system has accepted for the client. */
  long bytesOut() {
    return bytesOut;
  }

  /** Whether the client is still there; only called while nobody reads. */
  Peer look() {
    int read;
    synchronized (reading) {
      if (ahead != null && ahead.position() == ahead.capacity()) {
        return Peer.THERE; // it has sent a full buffer of further requests
      }
      ByteBuffer room = ByteBuffer.allocate(ahead == null ? 512 : MOST_AHEAD - ahead.position());
      try {
        read = getChannel().read(room);
      } catch (IOException e) {
        return Peer.GONE;
      }
      if (read > 0) {
        ahead = ahead == null ? ByteBuffer.allocate(MOST_AHEAD) : ahead;
        ahead.put(room.flip());
      }
    }
    if (read > 0 && isFillInterested()) { // the answer was sent just now
      wake();
    }
    return read < 0 ? Peer.SILENT : Peer.THERE;
  }

  /**
   * Sends an interim response to a silent client; false if it left. The system notices with the
   * first one and reports it with the second.
   *
   * @param outBefore the value of {@link #bytesOut} before any of the answer was sent
   */
  boolean probe(long outBefore) {
    synchronized (writing) {
      if (bytesOut != outBefore) {
        return true; // the answer will find out
      }
      try {
        int sent = getChannel().write(ByteBuffer.wrap(PROCESSING));
        return sent == 0 || sent == PROCESSING.length;
      } catch (IOException e) {
        return false;
      }
    }
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    int filled;
    synchronized (reading) {
      if (ahead != null) {
        filled = BufferUtil.append(buffer, ahead.flip());
        ahead = ahead.hasRemaining() ? ahead.compact() : null;
      } else {
        filled = super.fill(buffer);
      }
      bytesIn += Math.max(0, filled);
    }
    return filled;
  }

  @Override
  protected void needsFillInterest() {
    boolean now;
    synchronized (reading) {
      now = ahead != null;
    }
    if (now) {
      wake();
    } else {
      super.needsFillInterest();
    }
  }

  private void wake() {
    selector.submit(unused -> getFillInterest().fillable());
  }

  @Override
  public boolean flush(ByteBuffer... buffers) throws IOException {
    synchronized (writing) {
      long before = remaining(buffers);
      try {
        return super.flush(buffers);
      } finally {
        bytesOut += before - remaining(buffers);
      }
    }
  }

  private static long remaining(ByteBuffer... buffers) {
    long all = 0;
    for (ByteBuffer buffer : buffers) {
      all += buffer.remaining();
    }
    return all;
  }
}
