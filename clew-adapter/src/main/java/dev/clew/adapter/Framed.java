package dev.clew.adapter;

import dev.clew.Draft;
import dev.clew.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message with the entries it is made of. Immutable but for a cached text; thread-safe.
 *
 * @param <M> the framework's type of messages
 */
public final class Framed<M> {
  private final M message;
  private final List<Entry> entries;
  private final boolean closed;
  private @Nullable String text;

  /**
   * A message that was read or written.
   *
   * @param closed whether no entry that is appended later can become part of it
   */
  Framed(M message, List<Entry> entries, boolean closed) {
    this.message = message;
    this.entries = entries;
    this.closed = closed;
  }

  /** The message. */
  public M message() {
    return message;
  }

  /** Its entries, of which there is at least one. */
  public List<Entry> entries() {
    return entries;
  }

  long first() {
    return entries.get(0).position();
  }

  long last() {
    return entries.get(entries.size() - 1).position();
  }

  /** The same entries with another message. */
  Framed<M> showing(M other) {
    return new Framed<>(other, entries, closed);
  }

  String text(MessageCodec<M> codec) {
    String known = text;
    if (known == null) {
      known = codec.write(message);
      text = known;
    }
    return known;
  }

  /** Whether it is, unchanged, what begins at an index of these entries. */
  boolean isAt(List<Entry> others, int start) {
    if (!closed || start + entries.size() > others.size()) {
      return false;
    }
    for (int i = 0; i < entries.size(); i++) {
      Entry mine = entries.get(i);
      Entry other = others.get(start + i);
      if (mine.position() != other.position()
          || !mine.item().equals(other.item())
          || !mine.notes().equals(other.notes())) {
        return false;
      }
    }
    return true;
  }

  /** To write it again elsewhere, without what was noted of views. */
  List<Draft> drafts(String framework) {
    return entries.stream()
        .map(
            entry ->
                new Draft(entry.item(), FrameNote.withoutView(framework, entry.notes()))
                    .at(entry.addedAt()))
        .toList();
  }

  /** A short digest of its first item, to recognise it by. */
  String digest() {
    return Integer.toHexString(entries.get(0).item().json().hashCode());
  }
}
