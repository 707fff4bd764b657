package dev.clew.jsonl;

/** A file whose end does not tell enough, so that all of it has to be read. */
final class NeedsFullReplay extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NeedsFullReplay() {
    super("the file has to be read from its start", null, false, false);
  }
}
