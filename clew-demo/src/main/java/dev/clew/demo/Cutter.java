package dev.clew.demo;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A text out of which what is understood is taken. Not thread-safe. */
final class Cutter {
  private String text;

  Cutter(String text) {
    this.text = text;
  }

  /** Takes out the first of these phrases that means something: there is no 25:00. */
  <T> Optional<T> take(List<Phrase> phrases, Function<Phrase.Found, Optional<T>> meaning) {
    for (Phrase phrase : phrases) {
      Optional<Phrase.Found> found = phrase.find(text, 0);
      while (found.isPresent()) {
        Phrase.Found piece = found.get();
        Optional<T> meant = meaning.apply(piece);
        if (meant.isPresent()) {
          text = text.substring(0, piece.start()) + " " + text.substring(piece.end());
          return meant;
        }
        found = phrase.find(text, Math.max(piece.end(), piece.start() + 1));
      }
    }
    return Optional.empty();
  }

  /** What was not understood. */
  String rest() {
    return Phrase.tidy(text);
  }
}
