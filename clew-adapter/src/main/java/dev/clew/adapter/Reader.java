package dev.clew.adapter;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.StoredSession;
import dev.clew.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the messages of a session. Thread-safe. */
final class Reader<M> {
  private static final int FIRST_PAGE = 64;
  private static final int LARGEST_PAGE = 1000;

  /** How far from its beginning a list is searched for the message that its view names. */
  private static final int MOST_BEFORE_FIRST = 8;

  private final MessageCodec<M> codec;
  private final Decoded<M> decoded;
  private final Tails tails;
  private final boolean repair;
  private final boolean openCalls;

  Reader(
      MessageCodec<M> codec, Decoded<M> decoded, Tails tails, boolean repair, boolean openCalls) {
    this.codec = codec;
    this.decoded = decoded;
    this.tails = tails;
    this.repair = repair;
    this.openCalls = openCalls;
  }

  /**
   * The list as it was saved last, with what others have appended since.
   *
   * @param expected about how many messages it has
   */
  Reading<M> list(StoredSession session, int expected) {
    int page = Math.min(LARGEST_PAGE, Math.max(FIRST_PAGE, expected * 2));
    List<Entry> entries = new ArrayList<>();
    Optional<ListView> noted = readBack(session, page, entries);
    if (noted.isPresent()) {
      ListView view = noted.get();
      List<Framed<M>> messages = decoded.messages(session.key(), within(view, entries));
      if (begins(messages, view)) {
        return shown(session, messages, view, entries);
      }
      readRest(session, entries);
    }
    return new Reading<>(
        repaired(decoded.messages(session.key(), entries)), ListView.ALL, tail(entries), false);
  }

  /** Reads until everything of the newest view is there; empty if no view is noted. */
  private Optional<ListView> readBack(StoredSession session, int first, List<Entry> entries) {
    Optional<ListView> view = Optional.empty();
    EntryPage page = tails.newest(session, first);
    while (true) {
      entries.addAll(0, page.entries());
      if (view.isEmpty()) {
        view = newestView(page.entries(), codec.framework());
      }
      boolean complete =
          view.isPresent() && !entries.isEmpty() && !view.get().isAfter(entries.get(0).position());
      if (complete || !page.hasMore()) {
        return view;
      }
      page = session.entries(Range.before(oldest(page), LARGEST_PAGE));
    }
  }

  private static void readRest(StoredSession session, List<Entry> entries) {
    EntryPage page = EntryPage.EMPTY;
    do {
      long before = page.entries().isEmpty() ? entries.get(0).position() : oldest(page);
      page = session.entries(Range.before(before, LARGEST_PAGE));
      entries.addAll(0, page.entries());
    } while (page.hasMore());
  }

  private static long oldest(EntryPage page) {
    long oldest = Long.MAX_VALUE;
    for (Entry entry : page.entries()) {
      oldest = Math.min(oldest, entry.position());
    }
    for (long damaged : page.damaged()) {
      oldest = Math.min(oldest, damaged);
    }
    return oldest;
  }

  static Optional<ListView> newestView(List<Entry> entries, String framework) {
    for (int i = entries.size() - 1; i >= 0; i--) {
      Entry entry = entries.get(i);
      Optional<Map<String, Object>> note = FrameNote.of(framework, entry.notes()).view();
      if (note.isPresent()) {
        ListView view = ListView.of(note.get(), entry.position());
        // In a copy of the session positions may be others; such a view says nothing.
        boolean possible = view.after().isEmpty() || view.after().getAsLong() <= entry.position();
        return Optional.of(possible ? view : ListView.ALL);
      }
    }
    return Optional.empty();
  }

  private static List<Entry> within(ListView view, List<Entry> entries) {
    return entries.stream().filter(entry -> view.isAfter(entry.position())).toList();
  }

  private static <M> boolean begins(List<Framed<M>> messages, ListView view) {
    return view.first().isEmpty()
        || messages.stream()
            .limit(MOST_BEFORE_FIRST)
            .anyMatch(message -> message.digest().equals(view.first()));
  }

  private Reading<M> shown(
      StoredSession session, List<Framed<M>> messages, ListView view, List<Entry> entries) {
    List<Framed<M>> shown = new ArrayList<>();
    for (long pin : view.pins()) {
      pinned(session, pin, entries).ifPresent(shown::add);
    }
    for (Framed<M> message : messages) {
      if (!view.pins().contains(message.first()) && !view.hidden().contains(message.first())) {
        shown.add(message);
      }
    }
    return new Reading<>(repaired(shown), view, tail(entries), false);
  }

  private Optional<Framed<M>> pinned(StoredSession session, long position, List<Entry> entries) {
    List<Entry> found = entries.stream().filter(e -> e.position() == position).toList();
    if (found.isEmpty()) {
      found =
          session.entries(Range.after(position - 1, 1)).entries().stream()
              .filter(entry -> entry.position() == position)
              .toList();
    }
    return decoded.messages(session.key(), found).stream()
        .filter(message -> codec.isSystem(message.message()))
        .findFirst();
  }

  /** What a window shows, after the newest system message. */
  Reading<M> window(StoredSession session, Window window) {
    TailSession tail = new TailSession(session, tails, codec.framework());
    List<Entry> entries = tail.entriesOf(window.read(tail));
    ListView view = tail.view();
    List<Framed<M>> messages = decoded.messages(session.key(), entries);
    List<Framed<M>> shown = new ArrayList<>();
    newestSystem(session, messages, view, entries).ifPresent(shown::add);
    for (Framed<M> message : messages) {
      if (!codec.isSystem(message.message()) && !view.hidden().contains(message.first())) {
        shown.add(message);
      }
    }
    return new Reading<>(repaired(shown), view, tail.newest(), true);
  }

  private Optional<Framed<M>> newestSystem(
      StoredSession session, List<Framed<M>> messages, ListView view, List<Entry> entries) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      Framed<M> message = messages.get(i);
      if (codec.isSystem(message.message()) && !view.hidden().contains(message.first())) {
        return Optional.of(message);
      }
    }
    return view.pins().stream().max(Long::compare).flatMap(pin -> pinned(session, pin, entries));
  }

  private List<Framed<M>> repaired(List<Framed<M>> messages) {
    return repair ? ToolPairs.repaired(messages, codec, openCalls) : messages;
  }

  private static OptionalLong tail(List<Entry> entries) {
    return entries.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(entries.get(entries.size() - 1).position());
  }
}
