package dev.clew.kit.state;

/**
 * Where positions and versions come from: of one session, or of all sessions of a store. Not
 * thread-safe: used under the lock of what it counts for.
 */
public final class Counters {
  private long lastPosition;
  private long lowestPosition;
  private long lastVersion;

  /** Starts at the beginning. */
  public Counters() {}

  /** Goes on after these. */
  public Counters(long lastPosition, long lowestPosition, long lastVersion) {
    this.lastPosition = lastPosition;
    this.lowestPosition = lowestPosition;
    this.lastVersion = lastVersion;
  }

  /** The highest position given out; 0 for none. */
  public long lastPosition() {
    return lastPosition;
  }

  /** The lowest position given out; 0 for none. */
  public long lowestPosition() {
    return lowestPosition;
  }

  /** The newest version given out; 0 for none. */
  public long lastVersion() {
    return lastVersion;
  }

  /** Takes positions behind all others; the first of them. */
  long takeLast(int count) {
    lastPosition += count;
    return lastPosition - count + 1;
  }

  /** Takes positions before all others; the first of them. */
  long takeFirst(int count) {
    lowestPosition -= count;
    return lowestPosition;
  }

  long nextVersion() {
    return ++lastVersion;
  }
}
