package dev.clew.migrate;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionInfo.Parent;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.copy.EntryReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the target what sessions were forked from, when all of them are there. Thread-safe.
 *
 * <p>Positions are others there, so both histories of a parent are walked through side by side. If
 * the target does not have the parent, or has another, the fork is without one.
 */
final class Parents {
  private static final Logger LOG = LoggerFactory.getLogger(Parents.class);

  private final SessionStore from;
  private final SessionStore to;
  private final Map<SessionKey, Parent> forks = new LinkedHashMap<>();

  Parents(SessionStore from, SessionStore to) {
    this.from = from;
    this.to = to;
  }

  /** Notes where a session of the source was forked from, if it was. */
  synchronized void note(SessionInfo fork) {
    fork.parent().ifPresent(parent -> forks.put(fork.key(), parent));
  }

  /** Leaves a session alone that is not the copy of the one that was noted. */
  synchronized void forget(SessionKey fork) {
    forks.remove(fork);
  }

  /** Names the parents of all that were noted and have none yet. */
  synchronized void name() {
    Map<SessionKey, NavigableMap<Long, List<SessionKey>>> nameless = new LinkedHashMap<>();
    forks.forEach(
        (fork, parent) -> {
          if (to.session(fork).info().filter(info -> info.parent().isEmpty()).isPresent()) {
            nameless
                .computeIfAbsent(parent.key(), key -> new TreeMap<>())
                .computeIfAbsent(parent.position(), at -> new ArrayList<>())
                .add(fork);
          }
        });
    nameless.forEach(this::name);
  }

  private void name(SessionKey parent, NavigableMap<Long, List<SessionKey>> nameless) {
    Optional<SessionInfo> source = from.session(parent).info();
    Optional<SessionInfo> copy = to.session(parent).info();
    if (source.isPresent() && copy.isPresent()) {
      try {
        name(nameless, new Walk(from, source.get()), new Walk(to, copy.get()), parent);
      } catch (ClewException.CorruptRecord e) {
        LOG.warn("cannot say what the forks of session {} came from", parent, e);
      }
    }
  }

  private void name(
      NavigableMap<Long, List<SessionKey>> nameless, Walk source, Walk copy, SessionKey parent) {
    OptionalLong last = OptionalLong.empty();
    while (!nameless.isEmpty() && source.hasNext() && copy.hasNext()) {
      Entry entry = source.next();
      Entry same = copy.next();
      if (!same.item().equals(entry.item())) {
        return; // another session of that name
      }
      if (entry.compacted()) {
        Map<Long, List<SessionKey>> here =
            nameless.subMap(entry.position(), true, entry.position(), true);
        name(here, parent, OptionalLong.of(same.position()));
      } else {
        // A fork is made up to a position; what stood there may be gone.
        name(nameless.headMap(entry.position(), false), parent, last);
        last = OptionalLong.of(same.position());
      }
    }
    if (!source.hasNext()) {
      name(nameless, parent, last);
    }
  }

  /** Names the parent of some forks, who then have one. */
  private void name(Map<Long, List<SessionKey>> some, SessionKey parent, OptionalLong position) {
    if (position.isPresent()) {
      SessionUpdate named = SessionUpdate.none().parent(new Parent(parent, position.getAsLong()));
      some.values().forEach(keys -> keys.forEach(fork -> to.session(fork).update(named)));
    }
    some.clear();
  }

  /** The entries of a session one by one. */
  private static final class Walk {
    private final EntryReader reader;
    private Iterator<Entry> page = Collections.emptyIterator();

    Walk(SessionStore store, SessionInfo session) {
      this.reader = EntryReader.of(store, session);
    }

    boolean hasNext() {
      while (!page.hasNext() && reader.hasMore()) {
        page = reader.next().iterator();
      }
      return page.hasNext();
    }

    Entry next() {
      return page.next();
    }
  }
}
