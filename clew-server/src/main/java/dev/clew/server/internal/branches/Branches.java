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
import java.util.ArrayList;
import java.util.Iterator;
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
  private static final int PAGE = 200;

  /**
   * The places where branches of a session part: the position before, and for each way on from
   * there the id of a branch.
   */
  public Map<Long, List<String>> places(SessionInfo info) {
    return ServerMetadata.of(info).branches().isEmpty()
        ? Map.of()
        : new FamilyTree(new Family(store).branches(info)).places(info);
  }

  /**
   * Creates a branch that continues in place of an item, and makes it the current one.
   *
   * @param at the position of an item of the session
   * @param target the new session
   */
  public SessionInfo create(SessionInfo source, long at, SessionKey target) {
    Optional<String> known = place(source, at);
    String name = known.orElseGet(() -> ConversationIds.random("", 12));
    store.session(source.key()).forkTo(target, at - 1);
    if (known.isEmpty()) {
      remember(source, Map.of(name, at - 1));
      for (SessionInfo each :
          new FamilyTree(new Family(store).branches(source)).sharing(source, at - 1)) {
        remember(each, sameIn(each.key(), source, Map.of(name, at - 1)));
      }
    }
    Map<String, Long> before = new TreeMap<>(ServerMetadata.of(source).branches());
    before.values().removeIf(after -> after >= at - 1);
    before.put(name, at - 1);
    Map<String, Long> places = sameIn(target, source, before);
    return new Family(store).add(source, target, info -> described(source, places));
  }

  private void remember(SessionInfo branch, Map<String, Long> places) {
    SessionChange.change(
        store.session(branch.key()),
        info -> {
          ServerMetadata remembered = ServerMetadata.of(info);
          return remembered.branches().keySet().containsAll(places.keySet())
              ? Optional.empty()
              : Optional.of(
                  SessionUpdate.none()
                      .metadata(with(remembered, places).with(ServerMetadata.visible(info))));
        });
  }

  private static SessionUpdate described(SessionInfo source, Map<String, Long> places) {
    return SessionUpdate.none()
        .title(source.title())
        .metadata(
            with(ServerMetadata.of(source).withoutBranches(), places)
                .with(ServerMetadata.visible(source)));
  }

  private static ServerMetadata with(ServerMetadata remembered, Map<String, Long> places) {
    ServerMetadata all = remembered;
    for (Map.Entry<String, Long> place : places.entrySet()) {
      all = all.branch(place.getKey(), place.getValue());
    }
    return all;
  }

  /**
   * The same places in a branch with the same beginning, where the items have other positions. A
   * place is left out if what comes before it was changed or replaced in one of them.
   */
  private Map<String, Long> sameIn(
      SessionKey branch, SessionInfo source, Map<String, Long> places) {
    Map<Long, List<String>> names = new TreeMap<>();
    places.forEach(
        (name, after) -> names.computeIfAbsent(after, any -> new ArrayList<>()).add(name));
    Map<String, Long> same = new TreeMap<>();
    Iterator<Entry> there = Range.first(PAGE).walk(store.session(branch)::entries).iterator();
    Iterator<Entry> here = Range.first(PAGE).walk(store.session(source.key())::entries).iterator();
    Entry next = here.hasNext() ? here.next() : null;
    long position = -1;
    boolean isSame = true;
    for (Map.Entry<Long, List<String>> place : names.entrySet()) {
      while (isSame && next != null && next.position() <= place.getKey()) {
        isSame = there.hasNext();
        if (isSame) {
          Entry other = there.next();
          isSame = other.item().equals(next.item());
          position = other.position();
          next = here.hasNext() ? here.next() : null;
        }
      }
      if (isSame) {
        long after = position;
        place.getValue().forEach(name -> same.put(name, after));
      }
    }
    return same;
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
