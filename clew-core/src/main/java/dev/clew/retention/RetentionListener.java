package dev.clew.retention;

/** Is told how a run of {@link Retention} goes on. Called by one thread. */
@FunctionalInterface
public interface RetentionListener {
  /** Hears nothing. */
  RetentionListener NONE = removal -> {};

  /** A session goes, or would. */
  void removed(Retention.Removal removal);

  /** So many sessions were looked at so far. */
  default void examined(long sessions) {}

  /** So many of these items are in the archive. */
  default void archived(long items, long total) {}

  /** So many of those that go were gone through. */
  default void progressed(long done, long total) {}
}
