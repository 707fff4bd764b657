package dev.clew.demo;

import org.jspecify.annotations.Nullable;

/** Which event is meant. Immutable. */
sealed interface Reference {

  /** "it", 那个: the one talked about last. */
  record Last() implements Reference {}

  /** "the meeting", 那个会: the last one of a kind. */
  record Kind(String noun) implements Reference {}

  /** "the second one", 第二个: by its place in a list; -1 is the last. */
  record Place(int number) implements Reference {}

  /** "the dentist on Friday": by words of its title, by its time, or both. */
  record Like(String words, Times times) implements Reference {}

  /** "everything tomorrow": all of a time, or all that are to come. */
  record All(Times times) implements Reference {}

  /** One that was picked out of several. */
  record Picked(Event event) implements Reference {}

  /** What a list is asked for, if the event has to be looked up. */
  default @Nullable Like lookup() {
    return this instanceof Like like
        ? like
        : this instanceof All all ? new Like("", all.times()) : null;
  }
}
