package dev.clew.demo;

/**
 * A language the model speaks. Immutable.
 *
 * @param grammar how it is understood
 * @param voice how it is answered
 */
record Language(Grammar grammar, Voice voice) {
  static final Language ENGLISH = of(new Table("english.txt"));
  static final Language CHINESE = of(new Table("chinese.txt"));

  private static Language of(Table table) {
    return new Language(new Grammar(table), new Voice(table));
  }

  /** The language of a sentence. */
  static Language of(String sentence) {
    return sentence
            .codePoints()
            .anyMatch(c -> Character.UnicodeScript.of(c) == Character.UnicodeScript.HAN)
        ? CHINESE
        : ENGLISH;
  }
}
