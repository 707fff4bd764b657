package dev.clew.demo;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.RunContext;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Where the events of a run are kept: in the records of the session's store, one document an owner.
 * Thread-safe. For a session that is not in a store they live as long as this object, one book a
 * session id.
 */
final class EventBooks {
  private static final String RECORD = "schedule";

  /** Several tools may write at once, and other processes too. */
  private static final int ATTEMPTS = 50;

  private final Map<String, AtomicReference<EventBook>> unstored = new ConcurrentHashMap<>();

  EventBook read(RunContext run) {
    return change(run, book -> new EventBook.Changed<>(book, book));
  }

  <T> T change(RunContext run, Function<EventBook, EventBook.Changed<T>> change) {
    Optional<StoredSession> stored = stored(run);
    if (stored.isPresent()) {
      return changeStored(stored.get().store().documents(), stored.get().key().owner(), change);
    }
    AtomicReference<EventBook> book = unstored(run.session().map(Session::id).orElse(""));
    while (true) {
      EventBook before = book.get();
      EventBook.Changed<T> changed = change.apply(before);
      if (book.compareAndSet(before, changed.book())) {
        return changed.answer();
      }
    }
  }

  /** The session of a run, if it is one of a store, compacted or not. */
  static Optional<StoredSession> stored(RunContext run) {
    return run.session()
        .map(session -> session instanceof CompactionSession over ? over.underlying() : session)
        .filter(StoredSession.class::isInstance)
        .map(StoredSession.class::cast);
  }

  private AtomicReference<EventBook> unstored(String id) {
    return unstored.computeIfAbsent(id, unused -> new AtomicReference<>(EventBook.EMPTY));
  }

  private static <T> T changeStored(
      Documents records, String owner, Function<EventBook, EventBook.Changed<T>> change) {
    for (int attempt = 1; ; attempt++) {
      Optional<Documents.Document> before = records.get(owner, RECORD);
      EventBook book = EventBook.of(before.map(Documents.Document::json));
      EventBook.Changed<T> changed = change.apply(book);
      if (changed.book().equals(book)) {
        return changed.answer();
      }
      OptionalLong version = OptionalLong.of(before.map(Documents.Document::version).orElse(0L));
      try {
        records.put(owner, RECORD, changed.book().toJson(), version, Optional.empty());
        return changed.answer();
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
