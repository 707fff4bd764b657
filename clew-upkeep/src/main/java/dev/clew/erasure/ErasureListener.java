package dev.clew.erasure;

/** Is told how far an erasure is: one call at a time, from several threads. */
@FunctionalInterface
public interface ErasureListener {
  /** Hears nothing. */
  ErasureListener NONE = (phase, done, total) -> {};

  /** What an erasure does, one after the other. */
  enum Phase {
    /** What there is is counted and digested; in items. */
    READING("items"),
    /** It is erased; in items. */
    ERASING("items"),
    /** Files are looked through; in bytes. */
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
