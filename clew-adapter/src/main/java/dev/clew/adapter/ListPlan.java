package dev.clew.adapter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How a saved list differs from what is stored. Immutable.
 *
 * @param rewrites whether messages were edited, moved, or removed elsewhere than at the beginning
 * @param added new messages, in the order of the list
 * @param newPins which of them are system messages that come before stored messages
 * @param view which stored messages the list has
 * @param list the whole list: a stored message, or null for the next new one
 */
record ListPlan<M>(
    boolean rewrites,
    List<M> added,
    List<Integer> newPins,
    ListView view,
    List<@Nullable Framed<M>> list) {

  /**
   * Compares a list with what is stored.
   *
   * @param exact whether the saver has read exactly this. If not, messages that are missing may be
   *     messages that it did not know, so they are kept, and equal texts may be a coincidence
   */
  static <M> ListPlan<M> of(
      Reading<M> stored, boolean exact, List<M> wanted, MessageCodec<M> codec) {
    return new Comparison<>(stored, exact, wanted, codec).plan();
  }

  /** The comparison itself; not thread-safe. System messages are left out of the order. */
  private static final class Comparison<M> {
    private final MessageCodec<M> codec;
    private final Reading<M> reading;
    private final boolean exact;
    private final List<M> wanted;
    private final @Nullable String[] texts;
    private final List<@Nullable Framed<M>> matches;
    private final List<Integer> said = new ArrayList<>();
    private final List<Framed<M>> stored = new ArrayList<>();
    private final List<Framed<M>> systems = new ArrayList<>();
    private int lastKnown = -1;

    Comparison(Reading<M> reading, boolean exact, List<M> wanted, MessageCodec<M> codec) {
      this.codec = codec;
      this.reading = reading;
      this.exact = exact;
      this.wanted = wanted;
      this.texts = new String[wanted.size()];
      this.matches = new ArrayList<>(Arrays.asList(nothing(wanted.size())));
      for (Framed<M> one : reading.framed()) {
        (codec.isSystem(one.message()) ? systems : stored).add(one);
      }
      IdentityHashMap<M, Framed<M>> known = reading.byMessage();
      for (int i = 0; i < wanted.size(); i++) {
        matches.set(i, known.remove(wanted.get(i))); // the same one again is a new message
        if (!codec.isSystem(wanted.get(i))) {
          said.add(i);
          lastKnown = matches.get(i) == null ? lastKnown : i;
        }
      }
    }

    @SuppressWarnings("unchecked")
    private static <M> @Nullable Framed<M>[] nothing(int size) {
      return (@Nullable Framed<M>[]) new Framed<?>[size];
    }

    ListPlan<M> plan() {
      int start = 0;
      int run = 0;
      for (int at = 0; at < stored.size() && !said.isEmpty(); at++) {
        int length = runFrom(at);
        boolean toTheEnd = at + length == stored.size();
        if (length > run || (length == run && length > 0 && toTheEnd)) {
          start = at;
          run = length;
        }
      }
      boolean rewrites;
      if (run == 0) {
        rewrites = anyMatch(0);
        start = stored.size();
      } else {
        for (int i = 0; i < run; i++) {
          matches.set(said.get(i), stored.get(start + i));
        }
        boolean left = start + run < stored.size();
        rewrites = exact ? left || anyKnown(run) : isOutOfOrder(run);
      }
      matchSystems();
      if (rewrites) {
        matchRest(run);
        return new ListPlan<>(true, added(), List.of(), ListView.ALL, matches);
      }
      OptionalLong after = after(start);
      return new ListPlan<>(false, added(), newPins(), view(after), matches);
    }

    /** How many messages of the list stand together in what is stored, from here on. */
    private int runFrom(int at) {
      int length = 0;
      while (length < said.size()
          && at + length < stored.size()
          && isSame(said.get(length), stored.get(at + length))) {
        length++;
      }
      return length;
    }

    private boolean isSame(int index, Framed<M> one) {
      Framed<M> known = matches.get(index);
      if (known != null) {
        return known == one;
      }
      return (exact || index < lastKnown) && hasText(index, one);
    }

    private boolean hasText(int index, Framed<M> one) {
      String text = texts[index];
      if (text == null) {
        text = codec.write(wanted.get(index));
        texts[index] = text;
      }
      return text.equals(one.text(codec));
    }

    private boolean anyKnown(int from) {
      return said.subList(from, said.size()).stream().anyMatch(i -> matches.get(i) != null);
    }

    private boolean anyMatch(int from) {
      return said.subList(from, said.size()).stream()
          .anyMatch(i -> stored.stream().anyMatch(one -> isSame(i, one)));
    }

    /** Whether what follows is not: stored messages in their order, then new ones. */
    private boolean isOutOfOrder(int from) {
      long last = from == 0 ? Long.MIN_VALUE : matchOf(said.get(from - 1)).last();
      for (int i : said.subList(from, said.size())) {
        Framed<M> known = matches.get(i);
        if (known == null ? i < lastKnown : known.first() <= last) {
          return true;
        }
        last = known == null ? last : known.last();
      }
      return false;
    }

    private Framed<M> matchOf(int index) {
      Framed<M> match = matches.get(index);
      if (match == null) {
        throw new IllegalStateException("no match at " + index);
      }
      return match;
    }

    private void matchSystems() {
      for (int i = 0; i < wanted.size(); i++) {
        if (matches.get(i) == null && codec.isSystem(wanted.get(i))) {
          matchText(i, systems);
        }
      }
    }

    private void matchRest(int from) {
      for (int i : said.subList(from, said.size())) {
        if (matches.get(i) == null) {
          matchText(i, stored);
        }
      }
    }

    private void matchText(int index, List<Framed<M>> among) {
      for (Framed<M> one : among) {
        if (!matches.contains(one) && hasText(index, one)) {
          matches.set(index, one);
          return;
        }
      }
    }

    private List<M> added() {
      List<M> added = new ArrayList<>();
      for (int i = 0; i < wanted.size(); i++) {
        if (matches.get(i) == null) {
          added.add(wanted.get(i));
        }
      }
      return added;
    }

    private OptionalLong after(int start) {
      OptionalLong after = reading.view().after();
      for (Framed<M> evicted : stored.subList(0, start)) {
        after = OptionalLong.of(Math.max(after.orElse(Long.MIN_VALUE), evicted.last()));
      }
      return after;
    }

    private List<Integer> newPins() {
      List<Integer> pins = new ArrayList<>();
      int number = 0;
      for (int i = 0; i < wanted.size(); i++) {
        if (matches.get(i) == null) {
          boolean first = matches.subList(i, matches.size()).stream().anyMatch(m -> m != null);
          if (codec.isSystem(wanted.get(i)) && (first || reading.isWindow())) {
            pins.add(number);
          }
          number++;
        }
      }
      return pins;
    }

    private ListView view(OptionalLong after) {
      ListView bound = new ListView(after, "", List.of(), List.of());
      List<Long> pins = new ArrayList<>();
      List<Long> hidden =
          new ArrayList<>(reading.view().hidden().stream().filter(bound::isAfter).toList());
      for (Framed<M> system : systems) {
        int index = matches.indexOf(system);
        boolean inPlace = bound.isAfter(system.first()) && index >= 0 && isInPlace(index);
        if (index >= 0 && (reading.isWindow() || !inPlace)) {
          pins.add(system.first());
        } else if (index < 0 && bound.isAfter(system.first())) {
          hidden.add(system.first());
        }
      }
      String first = "";
      for (int i : said) {
        Framed<M> kept = matches.get(i);
        if (kept != null && after.isPresent()) {
          first = kept.digest();
          break;
        }
      }
      return new ListView(after, first, pins, hidden);
    }

    /** Whether a stored message has the place in the list that its position gives it. */
    private boolean isInPlace(int index) {
      long position = matchOf(index).first();
      for (int i = 0; i < matches.size(); i++) {
        Framed<M> other = matches.get(i);
        if (other != null && i != index && (i < index) != (other.first() < position)) {
          return false;
        }
      }
      return true;
    }
  }
}
