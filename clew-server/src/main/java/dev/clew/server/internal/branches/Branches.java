package dev.clew.server.internal.branches;

import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.kit.Family;
import dev.clew.kit.SessionChange;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.internal.wire.Entries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The branches of conversations and the places where they part. Thread-safe. A place has a name;
 * each branch remembers the position before it. The branches of a conversation are a {@link
 * Family}.
 */
public record Branches(SessionStore store) {

  /** The places where branches of a session part: the position before, and the ids. */
  public Map<Long, List<String>> places(SessionInfo info) {
    Map<String, Long> own = new TreeMap<>(ServerMetadata.of(info).branches());
    if (own.isEmpty()) {
      return Map.of();
    }
    Map<String, List<String>> ids = new HashMap<>(); // each branch may name very many places
    for (SessionInfo each : new Family(store).branches(info)) {
      for (String name : ServerMetadata.of(each).branches().keySet()) {
        if (own.containsKey(name)) {
          ids.computeIfAbsent(name, any -> new ArrayList<>()).add(each.key().id());
        }
      }
    }
    Map<Long, List<String>> places = new LinkedHashMap<>();
    own.forEach(
        (name, after) -> {
          List<String> there = ids.getOrDefault(name, List.of());
          if (there.size() > 1) {
            places.put(after, there);
          }
        });
    return places;
  }

  /**
   * Creates a branch that continues in place of an item, and makes it the current one.
   *
   * @param at the position of an item of the session
   * @param target the new session
   */
  public SessionInfo create(SessionInfo source, long at, SessionKey target) {
    String name = place(source, at).orElseGet(() -> ConversationIds.random("", 12));
    store.session(source.key()).forkTo(target, at - 1);
    SessionChange.change(
        store.session(source.key()),
        info -> {
          ServerMetadata remembered = ServerMetadata.of(info);
          return remembered.branches().containsKey(name)
              ? Optional.empty()
              : Optional.of(
                  SessionUpdate.none()
                      .metadata(
                          remembered.branch(name, at - 1).with(ServerMetadata.visible(info))));
        });
    return new Family(store).add(source, target, info -> described(info, source, name));
  }

  private SessionUpdate described(SessionInfo info, SessionInfo source, String name) {
    long after = Entries.newest(store.session(info.key())).map(Entry::position).orElse(-1L);
    return SessionUpdate.none()
        .title(source.title())
        .metadata(
            ServerMetadata.of(source)
                .withoutBranches()
                .branch(name, after)
                .with(ServerMetadata.visible(source)));
  }

  /** The existing place that the item at a position directly follows. */
  private Optional<String> place(SessionInfo info, long at) {
    return ServerMetadata.of(info).branches().entrySet().stream()
        .filter(
            place ->
                store
                    .session(info.key())
                    .entries(Range.after(place.getValue(), 1))
                    .entries()
                    .stream()
                    .anyMatch(entry -> entry.position() == at))
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
