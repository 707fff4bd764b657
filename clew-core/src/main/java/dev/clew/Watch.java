package dev.clew;

/** A subscription; see {@link StoredSession#watch}. Thread-safe. */
public interface Watch extends AutoCloseable {
  /** Ends it. Idempotent; an event being delivered meanwhile may still arrive. */
  @Override
  void close();
}
