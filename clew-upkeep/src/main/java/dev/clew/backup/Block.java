package dev.clew.backup;

/**
 * A piece of a backup. Immutable.
 *
 * @param kind what it holds
 * @param text the lines in it
 * @param offset where it starts in the file
 * @param end where the next one starts
 */
record Block(Kind kind, String text, long offset, long end) {
  /** Kind, length of the compressed text, length of the text. */
  static final int HEAD_BYTES = 1 + 4 + 4;

  /** The checksum behind the text. */
  static final int CRC_BYTES = 4;

  /** No text is longer; the writer cuts far below, so this leaves room for any item. */
  static final int LONGEST = 128 << 20;

  /** What compression can make of a byte at best, so that a small file cannot claim much memory. */
  private static final long BEST_RATIO = 1032;

  /** The longest text that so many compressed bytes can hold. */
  static long longest(int packed) {
    return Math.min(LONGEST, packed * BEST_RATIO);
  }

  /** What a block can hold. The letter is what stands in the file. */
  enum Kind {
    /** What backup this is; the first one. */
    HEAD('H'),
    /** Entries of a session, a line each. */
    ENTRIES('E'),
    /** A session: what is known of it, and where its entries are. */
    SESSION('S'),
    /** Documents of an owner, a line each. */
    RECORDS('R'),
    /** Sessions and documents of an owner: where each is. */
    OWNER('O'),
    /** All owners, a line each. */
    INDEX('I'),
    /** Numbers and a digest of everything before it; the last one. */
    END('Z');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    byte letter() {
      return (byte) letter;
    }

    static Kind of(byte letter) {
      for (Kind kind : values()) {
        if (kind.letter() == letter) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no kind of block begins with byte " + letter);
    }
  }
}
