package dev.clew.adapter;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The messages that were read of a session, in the order in which they are shown. Immutable.
 *
 * @param <M> the framework's type of messages
 */
public final class Reading<M> {
  private final List<Framed<M>> messages;
  private final ListView view;
  private final OptionalLong tail;
  private final boolean window;

  /**
   * As read.
   *
   * @param tail the newest position, whether or not there is a message
   * @param window whether a window chose them, so that there may be more before them
   */
  Reading(List<Framed<M>> messages, ListView view, OptionalLong tail, boolean window) {
    this.messages = List.copyOf(messages);
    this.view = view;
    this.tail = tail;
    this.window = window;
  }

  static <M> Reading<M> empty() {
    return new Reading<>(List.of(), ListView.ALL, OptionalLong.empty(), false);
  }

  List<Framed<M>> framed() {
    return messages;
  }

  /** The messages, oldest first. */
  public List<M> messages() {
    return messages.stream().map(Framed::message).toList();
  }

  ListView view() {
    return view;
  }

  OptionalLong tail() {
    return tail;
  }

  /** Whether there may be messages before these. */
  boolean isWindow() {
    return window;
  }

  /** The newest of the messages. */
  Reading<M> newest(int count) {
    return messages.size() <= count
        ? this
        : new Reading<>(
            messages.subList(messages.size() - count, messages.size()), view, tail, window);
  }

  /** The messages by themselves, not by what they are equal to. */
  IdentityHashMap<M, Framed<M>> byMessage() {
    IdentityHashMap<M, Framed<M>> known = new IdentityHashMap<>();
    for (Framed<M> message : messages) {
      known.put(message.message(), message);
    }
    return known;
  }

  /** With messages that were changed since. */
  Reading<M> with(Map<Framed<M>, Framed<M>> changed) {
    return new Reading<>(
        messages.stream().map(one -> changed.getOrDefault(one, one)).toList(), view, tail, window);
  }

  /** What was there before this position. */
  Reading<M> upTo(OptionalLong last) {
    long end = last.orElse(Long.MAX_VALUE);
    return new Reading<>(
        messages.stream().filter(one -> one.last() <= end).toList(), view, last, window);
  }

  /** What a view leaves of it. */
  Reading<M> showing(ListView newView) {
    return newView.equals(view) ? this : new Reading<>(shown(newView), newView, tail, window);
  }

  private List<Framed<M>> shown(ListView newView) {
    List<Framed<M>> all = new ArrayList<>(messages);
    all.removeIf(one -> !newView.isAfter(one.first()) && !newView.pins().contains(one.first()));
    return all;
  }

  /** With messages that were appended since. */
  Reading<M> plus(List<Framed<M>> appended, ListView newView) {
    List<Framed<M>> all = shown(newView);
    all.addAll(appended);
    long last = appended.stream().mapToLong(Framed::last).max().orElseThrow();
    return new Reading<>(
        all, newView, OptionalLong.of(Math.max(last, tail.orElse(Long.MIN_VALUE))), window);
  }
}
