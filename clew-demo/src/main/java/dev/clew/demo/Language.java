package dev.clew.demo;

import java.util.List;
import java.util.Optional;

/**
 * A language the model speaks. Immutable.
 *
 * @param grammar how it is understood
 * @param voice how it is answered
 */
record Language(Grammar grammar, Voice voice) {
  static final Language ENGLISH = of(new Table("english.txt"));
  static final Language CHINESE = of(new Table("chinese.txt"));
  static final Language GERMAN = of(new Table("german.txt"));
  static final Language SPANISH = of(new Table("spanish.txt"));

  private static final List<Language> ALL = List.of(CHINESE, GERMAN, SPANISH, ENGLISH);

  private static Language of(Table table) {
    return new Language(new Grammar(table), new Voice(table));
  }

  /** The language of a sentence, if it has words that only one has. */
  static Optional<Language> told(String sentence) {
    return ALL.stream()
        .filter(each -> each.grammar().table().find("own", sentence).isPresent())
        .findFirst();
  }

  /** The language of a sentence that stands alone. */
  static Language of(String sentence) {
    return told(sentence).orElse(ENGLISH);
  }
}
