package dev.clew.server.internal.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reads or drops the body of a request. Used by one thread at a time; none waits for the client.
 *
 * <p>What it keeps is first counted against a budget. While the budget is used up, nothing is read,
 * and after a while the request is refused.
 */
final class Intake {
  private static final byte[] NOTHING = {};

  private final Transfer transfer;
  private final Request request;
  private final long limit;
  private byte[] bytes = NOTHING;
  private long size;
  private long reserved;
  private Budget.@Nullable Share share;
  private Consumer<@Nullable Throwable> then = failure -> {};

  Intake(Transfer transfer, long limit) {
    this.transfer = transfer;
    this.request = transfer.request();
    this.limit = limit;
  }

  /** Reads the body, and reports the failure if there was one. */
  void read(Budget.Share memory, Consumer<@Nullable Throwable> action) {
    share = memory;
    then = action;
    reserve(transfer.length() < 0 ? Math.min(limit, Budget.SMALL) : transfer.length());
  }

  /** Reads and discards as much of the body as the limit for dropped bytes allows. */
  void drop(Runnable action) {
    then = failure -> action.run();
    next();
  }

  private void reserve(long more) {
    if (share == null || more <= reserved) {
      next();
      return;
    }
    reserved = more;
    var turn = share.grow(more);
    if (turn.isDone()) {
      granted(turn.join());
      return;
    }
    Pace.of(request).waits(System.nanoTime());
    transfer.pause();
    var unused =
        turn.thenAccept(
            room -> {
              if (!transfer.runBy(transfer.executor(), () -> granted(room))) {
                then.accept(new OutOfMemoryError("no thread"));
              }
            });
  }

  private void granted(boolean room) {
    if (room) {
      Pace.of(request).reading(System.nanoTime());
      next();
    } else {
      then.accept(busy());
    }
  }

  private void next() {
    try {
      while (true) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          transfer.pause();
          request.demand(
              Invocable.from(
                  Invocable.InvocationType.NON_BLOCKING, () -> transfer.run(this::next)));
          return;
        }
        if (Content.Chunk.isFailure(chunk)) {
          then.accept(new EofException(chunk.getFailure())); // it was cut off
          return;
        }
        boolean more = take(chunk);
        if (chunk.isLast()) {
          end();
          return;
        }
        if (more) {
          reserve(Math.min(limit, size + Math.max(size, Budget.SMALL)));
          return;
        }
      }
    } catch (Throwable e) {
      then.accept(e);
    }
  }

  /** Takes a piece; returns whether more memory is needed for the next. */
  private boolean take(Content.Chunk chunk) {
    try {
      ByteBuffer piece = chunk.getByteBuffer();
      size += piece.remaining();
      if (size > limit || (share == null && !Pace.of(request).mayDrop(piece.remaining()))) {
        throw tooLarge(limit);
      }
      if (share == null) {
        return false;
      }
      int before = (int) size - piece.remaining();
      if (size > bytes.length) {
        bytes = Arrays.copyOf(bytes, room());
      }
      piece.get(bytes, before, piece.remaining());
      return size > reserved;
    } finally {
      chunk.release();
    }
  }

  /** As much as announced, but only after a little of it has arrived. */
  private int room() {
    long announced = transfer.length();
    long wanted = announced > 0 && size > Budget.SMALL ? announced : Math.max(size * 2, 4096);
    return (int) Math.min(Math.max(size, wanted), Math.max(size, limit));
  }

  private void end() {
    if (share != null) {
      transfer.received(bytes.length == size ? bytes : Arrays.copyOf(bytes, (int) size));
      bytes = NOTHING;
    }
    then.accept(null);
  }

  static Problem busy() {
    return Problem.unavailable(
        "server_busy", "The server is receiving as much as it can at the moment; try again.");
  }

  static Problem tooLarge(long limit) {
    return Problem.tooLarge(null, "The body is too large", limit);
  }
}
