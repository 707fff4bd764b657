package dev.clew;

/** A running subscription; see {@link SessionStore#watch}. Thread-safe. */
public interface Watch extends AutoCloseable {
  /** Ends it. Idempotent; an event being delivered meanwhile may still arrive. */
  @Override
  void close();
}
