package dev.clew.jsonl;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.SessionInfos;
import dev.clew.kit.TextOrder;
import dev.clew.kit.state.Expiries;
import dev.clew.kit.state.OwnerSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The descriptions of all sessions, by owner, for lists and for the sweeper. Thread-safe.
 *
 * <p>The files are authoritative. The ends of an owner's files are read when the owner's sessions
 * are first needed; after that each commit is noted here. A commit waits while the files of its
 * owner are read, so it replaces whatever was read before.
 */
final class Catalogue {
  private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);

  /** The sessions of one owner. Used under its own monitor. */
  private final class Owner {
    final String name;
    final OwnerSessions sessions = new OwnerSessions();
    final Expiries<SessionKey> expiries = new Expiries<>();
    boolean loaded;

    Owner(String name) {
      this.name = name;
    }

    synchronized Owner load() {
      if (!loaded) {
        try {
          for (Path path : folders.sessions(name)) {
            look(path);
          }
        } catch (IOException e) {
          throw Health.unreadable(folders.of(name), e);
        }
        loaded = true;
      }
      return this;
    }

    private void look(Path path) {
      try {
        Peek.at(path, name, disk)
            .filter(info -> folders.isPlaceOf(info.key(), path))
            .ifPresent(this::put);
      } catch (IOException | StoreUnavailable e) {
        LOG.warn("cannot read {}; its session is not listed", path, e);
      }
    }

    void put(SessionInfo info) {
      SessionInfo shown = SessionInfos.shown(info, timeToLive);
      SessionInfo before = sessions.put(shown);
      expiries.move(info.key(), end(before), end(shown));
      end(shown).ifPresent(any -> onExpiring.run());
    }

    void remove(SessionKey key) {
      expiries.move(key, end(sessions.remove(key.id())), Optional.empty());
    }

    private Optional<Instant> end(@Nullable SessionInfo info) {
      return info == null ? Optional.empty() : SessionInfos.end(info, timeToLive);
    }
  }

  private final Folders folders;
  private final Disk disk;
  private final Optional<Duration> timeToLive;
  private final Runnable onExpiring;
  private final NavigableMap<String, Owner> owners =
      new ConcurrentSkipListMap<>(TextOrder.BY_CODE_POINT);
  private boolean complete;

  /** Calls {@code onExpiring} for each session that can expire. */
  Catalogue(Folders folders, Disk disk, Optional<Duration> timeToLive, Runnable onExpiring) {
    this.folders = folders;
    this.disk = disk;
    this.timeToLive = timeToLive;
    this.onExpiring = onExpiring;
  }

  private Owner owner(String name) {
    return owners.computeIfAbsent(name, Owner::new);
  }

  /** Notes an owner that may have sessions or documents. */
  void know(String name) {
    owner(name);
  }

  /** Notes a commit. */
  void put(SessionInfo info) {
    Owner owner = owner(info.key().owner());
    synchronized (owner) {
      if (owner.loaded) {
        owner.put(info);
      }
    }
  }

  void remove(SessionKey key) {
    Owner owner = owner(key.owner());
    synchronized (owner) {
      owner.remove(key);
    }
  }

  SessionPage page(SessionQuery query, Instant now) {
    Owner owner = owner(query.owner()).load();
    synchronized (owner) {
      return owner.sessions.page(query, info -> isLive(info, now));
    }
  }

  /** The sessions of an owner, newest-updated first, with or without those that have expired. */
  List<SessionKey> keys(String name, Optional<Instant> aliveAt) {
    Owner owner = owner(name).load();
    synchronized (owner) {
      return owner
          .sessions
          .all()
          .filter(info -> aliveAt.isEmpty() || isLive(info, aliveAt.get()))
          .map(SessionInfo::key)
          .toList();
    }
  }

  private boolean isLive(SessionInfo info, Instant now) {
    return !SessionInfos.hasExpired(info, timeToLive, now);
  }

  /** Whether an owner has a session that has not expired. */
  boolean hasSessions(String name, Instant now) {
    return !keys(name, Optional.of(now)).isEmpty();
  }

  /** Sessions that have expired, at most {@code limit}. */
  List<SessionKey> due(int limit, Instant now) {
    List<SessionKey> due = new ArrayList<>();
    for (String name : owners()) {
      Owner owner = owner(name).load();
      synchronized (owner) {
        owner.expiries.due(now, limit - due.size()).forEach(due::add);
      }
      if (due.size() == limit) {
        break;
      }
    }
    return due;
  }

  /** Every owner that may have sessions or documents, by name. */
  synchronized List<String> owners() {
    if (!complete) {
      try {
        folders.owners().forEach(this::owner);
      } catch (IOException e) {
        throw Health.unreadable(folders.root(), e);
      }
      complete = true;
    }
    return List.copyOf(owners.keySet());
  }
}
