package dev.clew.demo;

import java.time.LocalDateTime;
import java.util.Optional;

/** A small piece of a language: what sentences mean. Implementations are stateless. */
interface Grammar {
  /** What a sentence means; a fragment if it is none of ours. */
  Intent read(String sentence, LocalDateTime now);

  /** The name somebody tells in a sentence. */
  Optional<String> name(String sentence);

  /** Which event words mean. */
  Reference reference(String words, LocalDateTime now);

  /** A time where nothing else is expected. */
  Timed timeOnly(String words, LocalDateTime now);

  /** Words that are a title. */
  String title(String words);

  /** Whether it is a yes. */
  boolean isYes(String words);
}
