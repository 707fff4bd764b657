package dev.clew.adapter;

/**
 * A turn of a conversation for which others wait until it is closed, at most as long as {@link
 * Memories.Builder#turnLease} says. Thread-safe; closing it twice does nothing.
 */
public final class Turn implements AutoCloseable {
  private final Runnable end;

  Turn(Runnable end) {
    this.end = end;
  }

  /** Lets the next turn begin. */
  @Override
  public void close() {
    end.run();
  }
}
