package dev.clew.agent;

/**
 * The result of a compaction. Immutable.
 *
 * @param compacted whether the history was changed
 * @param reason why it was, or why not; never with content
 * @param itemsBefore how many items the history had; 0 if it was not read
 * @param itemsAfter how many stand for them now
 * @param usage what it cost, also if the result could not be used
 */
public record CompactionReport(
    boolean compacted, String reason, int itemsBefore, int itemsAfter, Usage usage) {

  static CompactionReport not(String reason, int items, Usage usage) {
    return new CompactionReport(false, reason, items, items, usage);
  }
}
