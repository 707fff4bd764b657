package dev.clew.demo;

/**
 * A language the model speaks. Immutable.
 *
 * @param grammar how it is understood
 * @param voice how it is answered
 */
record Language(Grammar grammar, Voice voice) {
  static final Language ENGLISH = new Language(new EnglishGrammar(), new EnglishVoice());
  static final Language CHINESE = new Language(new ChineseGrammar(), new ChineseVoice());

  /** The language of a sentence. */
  static Language of(String sentence) {
    return sentence
            .codePoints()
            .anyMatch(c -> Character.UnicodeScript.of(c) == Character.UnicodeScript.HAN)
        ? CHINESE
        : ENGLISH;
  }
}
