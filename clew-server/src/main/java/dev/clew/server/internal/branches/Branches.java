package dev.clew.server.internal.branches;

import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.kit.SessionChange;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.internal.wire.Entries;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The branches of conversations and the places where they part. Thread-safe. All branches of a
 * place have the tag {@code branch:} and its name; each remembers the position of the place.
 */
public record Branches(SessionStore store) {
  private static final int MOST_BRANCHES = 100;
  private static final String TAG = "branch:";

  /** The places where branches of a session part: the position before, and the ids. */
  public Map<Long, List<String>> places(SessionInfo info) {
    Map<Long, List<String>> places = new LinkedHashMap<>();
    new TreeMap<>(ServerMetadata.of(info).branches())
        .forEach(
            (name, after) -> {
              List<String> ids = sessionsAt(info.key().owner(), name);
              if (ids.size() > 1) {
                places.put(after, ids);
              }
            });
    return places;
  }

  private List<String> sessionsAt(String owner, String name) {
    SessionQuery query =
        SessionQuery.of(owner)
            .tag(TAG + name)
            .order(SessionQuery.Order.CREATED)
            .limit(MOST_BRANCHES);
    List<String> ids = new ArrayList<>();
    store.list(query).sessions().forEach(info -> ids.add(info.key().id()));
    Collections.reverse(ids);
    return ids;
  }

  /**
   * Creates a branch that continues in place of an item. It replaces the session it came from in
   * lists, which is archived.
   *
   * @param at the position of an item of the session
   * @param target the new session
   */
  public SessionInfo create(SessionInfo source, long at, SessionKey target) {
    String name = place(source, at).orElseGet(() -> ConversationIds.random("", 12));
    store.session(source.key()).forkTo(target, at - 1);
    SessionInfo branch =
        SessionChange.change(
                store.session(target), info -> Optional.of(described(info, source, name)))
            .orElseThrow();
    SessionChange.change(
        store.session(source.key()), info -> Optional.of(leftBehind(info, name, at - 1)));
    return branch;
  }

  private Optional<Entry> first(SessionKey key, long after) {
    return store.session(key).entries(Range.after(after, 1)).entries().stream().findFirst();
  }

  /** The existing place that the item at a position directly follows. */
  private Optional<String> place(SessionInfo info, long at) {
    return ServerMetadata.of(info).branches().entrySet().stream()
        .filter(
            place ->
                first(info.key(), place.getValue())
                    .filter(entry -> entry.position() == at)
                    .isPresent())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private SessionUpdate described(SessionInfo info, SessionInfo source, String name) {
    long after = Entries.newest(store.session(info.key())).map(Entry::position).orElse(-1L);
    Set<String> tags = new TreeSet<>(source.tags());
    tags.removeIf(tag -> tag.startsWith(TAG));
    tags.add(TAG + name);
    return SessionUpdate.none()
        .title(source.title())
        .pinned(source.pinned())
        .tags(tags)
        .metadata(
            ServerMetadata.of(source)
                .withoutBranches()
                .branch(name, after)
                .with(ServerMetadata.visible(source)));
  }

  private static SessionUpdate leftBehind(SessionInfo info, String name, long after) {
    SessionUpdate away = SessionUpdate.none().archived(true).pinned(false);
    ServerMetadata remembered = ServerMetadata.of(info);
    if (remembered.branches().containsKey(name)) {
      return away;
    }
    Set<String> tags = new TreeSet<>(info.tags());
    tags.add(TAG + name);
    return away.tags(tags)
        .metadata(remembered.branch(name, after).with(ServerMetadata.visible(info)));
  }
}
