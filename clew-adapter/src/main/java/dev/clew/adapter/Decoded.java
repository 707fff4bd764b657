package dev.clew.adapter;

import dev.clew.Entry;
import dev.clew.SessionKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were read or written before, so that they need not be decoded again, in whichever
 * thread. Whoever reads one gets the message as it is stored: what a view or a repair makes of it
 * is not kept here. Thread-safe.
 *
 * @param <M> the framework's type of messages
 */
final class Decoded<M> {
  private static final int MOST_KEPT = 256;

  private final MessageFrame<M> frame;

  /** The newest messages by position. */
  private final Recent<List<Framed<M>>> messages = new Recent<>(List::size);

  Decoded(MessageFrame<M> frame) {
    this.frame = frame;
  }

  /** The messages of these entries. */
  @SuppressWarnings("ReferenceEquality")
  List<Framed<M>> messages(SessionKey key, List<Entry> entries) {
    List<Framed<M>> before = messages.get(key);
    List<Framed<M>> known = before == null ? List.of() : before;
    List<Framed<M>> found = frame.messages(entries, position -> at(known, position));
    List<Framed<M>> fresh = new ArrayList<>();
    for (Framed<M> message : found) {
      if (at(known, message.first()) != message) {
        fresh.add(message);
      }
    }
    add(key, fresh);
    return found;
  }

  /** Messages that were written or read, by position. */
  void add(SessionKey key, List<Framed<M>> fresh) {
    if (!fresh.isEmpty()) {
      messages.change(key, known -> known == null ? newest(fresh) : joined(known, fresh));
    }
  }

  void forget(SessionKey key) {
    messages.remove(key);
  }

  private static <M> @Nullable Framed<M> at(List<Framed<M>> messages, long position) {
    int low = 0;
    int high = messages.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Framed<M> message = messages.get(middle);
      if (message.first() == position) {
        return message;
      }
      if (message.first() < position) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** Both by position, the fresh in place of those known. */
  private static <M> List<Framed<M>> joined(List<Framed<M>> known, List<Framed<M>> fresh) {
    List<Framed<M>> all = new ArrayList<>(known.size() + fresh.size());
    int next = 0;
    for (Framed<M> message : fresh) {
      while (next < known.size() && known.get(next).first() < message.first()) {
        all.add(known.get(next++));
      }
      if (next < known.size() && known.get(next).first() == message.first()) {
        next++;
      }
      all.add(message);
    }
    all.addAll(known.subList(next, known.size()));
    return newest(all);
  }

  private static <M> List<Framed<M>> newest(List<Framed<M>> all) {
    return List.copyOf(all.subList(Math.max(0, all.size() - MOST_KEPT), all.size()));
  }
}
