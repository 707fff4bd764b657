package dev.clew.erasure;

/** Receives the progress of an erasure: one call at a time, from several threads. */
@FunctionalInterface
public interface ErasureListener {
  /** Does nothing. */
  ErasureListener NONE = (phase, done, total) -> {};

  /** The phases of an erasure, in order. */
  enum Phase {
    /** Everything is counted and digested; in items. */
    READING("items"),
    /** It is erased; in items. */
    ERASING("items"),
    /** Files are searched; in bytes. */
    SEARCHING("bytes");

    private final String units;

    Phase(String units) {
      this.units = units;
    }

    /** What is counted. */
    public String units() {
      return units;
    }
  }

  /** So much of a phase is done, of about so much. */
  void progressed(Phase phase, long done, long total);
}
