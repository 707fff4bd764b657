package dev.clew.jsonl;

/** The end of a file is not enough; all of it has to be read. */
final class NeedsFullReplay extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NeedsFullReplay() {
    super("the file has to be read from its start", null, false, false);
  }
}
