package dev.clew.tck;

import dev.clew.Commit;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Commit.Step;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store as simple as it can be written, to compare real ones with. Not thread-safe.
 *
 * <p>Which positions and versions a store gives out is its own affair: {@link Oracle} reads them
 * from the store and checks that they follow the rules.
 */
final class Model {

  /** What became of a transaction. */
  enum Fate {
    DONE,
    REPEATED,
    REFUSED
  }

  /** An item in a session; its position is learned when the store first shows it. */
  static final class Line {
    final Draft draft;
    @Nullable Long position;

    Line(Draft draft) {
      this.draft = draft;
    }
  }

  /** A session. */
  static final class Conversation {
    final List<Line> live = new ArrayList<>();
    final List<Line> archive = new ArrayList<>();
    final Map<String, String> operations = new HashMap<>();
    Instant created;
    Instant updated;
    String title = "";
    Map<String, Object> metadata = Map.of();
    Set<String> tags = Set.of();
    boolean archived;
    boolean pinned;

    /** Nothing is promised about what a fork shows of the archive of its source. */
    boolean archiveKnown = true;

    Conversation(Instant now) {
      this.created = now;
      this.updated = now;
    }

    List<Item> items() {
      return live.stream().map(line -> line.draft.item()).toList();
    }

    int indexOf(long position) {
      for (int i = 0; i < live.size(); i++) {
        Long known = live.get(i).position;
        if (known != null && known == position) {
          return i;
        }
      }
      return -1;
    }

    OptionalLong tail() {
      Long last = live.isEmpty() ? null : live.get(live.size() - 1).position;
      return last == null ? OptionalLong.empty() : OptionalLong.of(last);
    }
  }

  final Map<SessionKey, Conversation> sessions = new HashMap<>();

  /** The newest version the store has shown of each session, also of those that are gone. */
  final Map<SessionKey, Long> versions = new HashMap<>();

  /** Every position the store has shown of each session, also of those that are gone. */
  final Map<SessionKey, Set<Long>> positions = new HashMap<>();

  Optional<Conversation> find(SessionKey key) {
    return Optional.ofNullable(sessions.get(key));
  }

  Set<Long> positionsOf(SessionKey key) {
    return positions.computeIfAbsent(key, any -> new HashSet<>());
  }

  /** What the store must say the version is: 0 if there is no such session. */
  long version(SessionKey key) {
    return sessions.containsKey(key) ? versions.getOrDefault(key, 0L) : 0;
  }

  Fate apply(SessionKey key, Commit transaction, Instant now) {
    Conversation session = find(key).orElseGet(() -> new Conversation(now));
    Optional<String> id = transaction.operationId();
    String before = id.map(session.operations::get).orElse(null);
    if (before != null) {
      return before.equals(transaction.digest()) ? Fate.REPEATED : Fate.REFUSED;
    }
    OptionalLong expectedVersion = transaction.expectedVersion();
    OptionalLong expectedTail = transaction.expectedTail();
    if ((transaction.expectsExisting() && !sessions.containsKey(key))
        || (expectedVersion.isPresent() && expectedVersion.getAsLong() != version(key))
        || (expectedTail.isPresent() && !expectedTail.equals(session.tail()))
        || !change(session, transaction.step())) {
      return Fate.REFUSED;
    }
    session.updated = now;
    id.ifPresent(name -> session.operations.put(name, transaction.digest()));
    sessions.put(key, session);
    return Fate.DONE;
  }

  /** Does the step; false, and nothing done, if the history is not what it needs. */
  private static boolean change(Conversation session, Step step) {
    List<Line> live = session.live;
    List<Line> written = step.drafts().stream().map(Line::new).toList();
    if (step instanceof ReplaceSuffix suffix) {
      int from = live.size() - suffix.expected().size();
      if (from < 0 || !session.items().subList(from, live.size()).equals(suffix.expected())) {
        return false;
      }
      live.subList(from, live.size()).clear();
      live.addAll(written);
    } else if (step instanceof ReplacePrefix prefix) {
      int last = session.indexOf(prefix.upTo());
      if (last < 0) {
        return false;
      }
      List<Line> replaced = live.subList(0, last + 1);
      if (prefix.drop()) {
        session.archive.clear();
      } else {
        session.archive.addAll(replaced);
      }
      replaced.clear();
      live.addAll(0, written);
    } else if (step instanceof ReplaceItem item) {
      int index = session.indexOf(item.position());
      if (index < 0) {
        return false;
      }
      Line line = new Line(item.draft());
      line.position = item.position();
      live.set(index, line);
    } else if (step instanceof RemoveItem item) {
      int index = session.indexOf(item.position());
      if (index < 0) {
        return false;
      }
      live.remove(index);
    } else {
      live.addAll(written);
    }
    return true;
  }

  Optional<Item> pop(SessionKey key, Instant now) {
    Conversation session = sessions.get(key);
    if (session == null || session.live.isEmpty()) {
      return Optional.empty();
    }
    session.updated = now;
    return Optional.of(session.live.remove(session.live.size() - 1).draft.item());
  }

  void clear(SessionKey key) {
    sessions.remove(key);
  }

  /** A fork of the first lines; its description is what the store says it is. */
  void fork(SessionKey source, int count, SessionKey target, SessionInfo info) {
    Conversation fork = new Conversation(info.createdAt());
    Conversation from = find(source).orElseThrow();
    from.live.subList(0, count).forEach(line -> fork.live.add(new Line(line.draft)));
    fork.updated = info.updatedAt();
    fork.title = info.title();
    fork.metadata = info.metadata();
    fork.tags = info.tags();
    fork.archived = info.archived();
    fork.pinned = info.pinned();
    fork.archiveKnown = false;
    sessions.put(target, fork);
  }

  void update(SessionKey key, SessionUpdate update, Instant now) {
    Conversation session = sessions.computeIfAbsent(key, any -> new Conversation(now));
    update.title().ifPresent(value -> session.title = value);
    update.metadata().ifPresent(value -> session.metadata = value);
    update.tags().ifPresent(value -> session.tags = value);
    update.archived().ifPresent(value -> session.archived = value);
    update.pinned().ifPresent(value -> session.pinned = value);
  }
}
