package dev.clew.kit;

import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * The branches of one conversation: a session, and what was made from it by editing a message or by
 * regenerating an answer. Thread-safe. People see them as one conversation: one of them is current,
 * and lists show only that one.
 *
 * <p>Every branch has two tags, which people do not see. The second has a digest of the session's
 * id, so that a copy of a branch, which has its tags, is no branch:
 *
 * <pre>{@code
 * branch:x7f2c0            the name of the family
 * branch:current-3f9a…     or branch:older-3f9a…
 * }</pre>
 *
 * <p>Tags, because every store has an index of them and they are moved, exported, encrypted and
 * erased with the session. An older branch is archived too, so that programs that list sessions
 * themselves skip it.
 */
public record Family(SessionStore store) {
  private static final String PREFIX = "branch:";
  private static final String CURRENT = PREFIX + "current-";
  private static final String OLDER = PREFIX + "older-";
  private static final int NAME = 12;
  private static final int PAGE = 100;

  /** The name of the family that a session belongs to, if it has branches. */
  public static Optional<String> name(SessionInfo info) {
    return marks(info.tags()).isEmpty() || !(isOlder(info) || isCurrent(info))
        ? Optional.empty()
        : info.tags().stream()
            .filter(tag -> tag.startsWith(PREFIX))
            .filter(tag -> !tag.startsWith(CURRENT) && !tag.startsWith(OLDER))
            .map(tag -> tag.substring(PREFIX.length()))
            .sorted()
            .findFirst();
  }

  /** Whether another branch has taken the place of a session. */
  public static boolean isOlder(SessionInfo info) {
    return !marks(info.tags()).isEmpty() && info.tags().contains(mark(OLDER, info.key()));
  }

  /** Whether a person has put a session away, unlike an older branch. */
  public static boolean isArchived(SessionInfo info) {
    return info.archived() && !isOlder(info);
  }

  /** Whether tags are those of an older branch with an id. */
  public static boolean isOlder(Set<String> tags, String id) {
    return tags.contains(OLDER + Sha256.brief(id));
  }

  /**
   * The tags of a branch that is brought from elsewhere, perhaps under another id. Its family gets
   * another name, the same for all of an import, so that it does not join one that is there.
   *
   * @param importId of the import, which nobody can guess
   */
  public static Set<String> moved(Set<String> tags, String id, SessionKey key, String importId) {
    boolean older = isOlder(tags, id);
    if (!older && !tags.contains(CURRENT + Sha256.brief(id))) {
      return Marks.lasting(others(tags));
    }
    return tags.stream()
        .filter(tag -> tag.startsWith(PREFIX))
        .filter(tag -> !tag.startsWith(CURRENT) && !tag.startsWith(OLDER))
        .sorted()
        .findFirst()
        .map(name -> Sha256.hex(importId + ' ' + name).substring(0, NAME))
        .map(name -> marked(Marks.lasting(others(tags)), name, older ? OLDER : CURRENT, key))
        .orElseGet(() -> Marks.lasting(others(tags)));
  }

  private static boolean isCurrent(SessionInfo info) {
    return info.tags().contains(mark(CURRENT, info.key()));
  }

  private static String mark(String kind, SessionKey key) {
    return kind + Sha256.brief(key.id());
  }

  private static Set<String> marks(Set<String> tags) {
    Set<String> marks = new TreeSet<>(tags);
    marks.removeIf(tag -> !tag.startsWith(PREFIX));
    return marks;
  }

  /** The tags that people gave. */
  public static Set<String> visible(Set<String> tags) {
    Set<String> visible = others(tags);
    visible.removeIf(Marks::isMark);
    return visible;
  }

  /** All tags but those of the family, such as a copy has. */
  public static Set<String> others(Set<String> tags) {
    Set<String> others = new TreeSet<>(tags);
    others.removeIf(tag -> tag.startsWith(PREFIX));
    return others;
  }

  /** The tags of a session to which people give others. */
  public static Set<String> tags(SessionInfo info, Set<String> given) {
    Set<String> all = visible(given);
    info.tags().stream()
        .filter(tag -> tag.startsWith(PREFIX) || Marks.isMark(tag))
        .forEach(all::add);
    return all;
  }

  /** Whether lists show a session: not an older branch, and not a temporary one. */
  public static boolean isListed(SessionInfo info) {
    return !isOlder(info) && !Marks.isTemporary(info);
  }

  /**
   * All branches of a session's conversation, the oldest first; the session alone if it has none.
   */
  public List<SessionInfo> branches(SessionInfo info) {
    Optional<String> name = name(info);
    if (name.isEmpty()) {
      return List.of(info);
    }
    SessionQuery query =
        SessionQuery.of(info.key().owner())
            .tag(PREFIX + name.get())
            .order(SessionQuery.Order.CREATED)
            .limit(PAGE);
    List<SessionInfo> found = new ArrayList<>();
    for (SessionInfo each : query.walk(store::list)) {
      if (name.equals(name(each))) {
        found.add(0, each);
      }
    }
    return found;
  }

  /** The branches to delete with a session: the current one last, so that it can be repeated. */
  public List<SessionKey> toDelete(SessionKey key) {
    List<SessionKey> keys = new ArrayList<>();
    List<SessionKey> last = new ArrayList<>();
    for (SessionInfo each : store.session(key).info().map(this::branches).orElse(List.of())) {
      (isOlder(each) ? keys : last).add(each.key());
    }
    keys.addAll(last);
    return keys;
  }

  /** The branch that lists show for a session's conversation; the session itself if it has none. */
  public SessionInfo current(SessionInfo info) {
    return !isOlder(info)
        ? info
        : branches(info).stream().filter(each -> !isOlder(each)).findFirst().orElse(info);
  }

  /**
   * Adds a fork to the conversation of a session, as the current branch. It is pinned if the one
   * before was.
   *
   * @param described further changes of the fork
   */
  public SessionInfo add(
      SessionInfo source, SessionKey fork, Function<SessionInfo, SessionUpdate> described) {
    String name =
        SessionChange.change(store.session(source.key()), Family::named)
            .flatMap(Family::name)
            .orElseGet(Family::newName);
    boolean pinned = current(source).pinned();
    SessionInfo made =
        SessionChange.change(
                store.session(fork),
                info ->
                    Optional.of(
                        described
                            .apply(info)
                            .pinned(pinned)
                            .tags(marked(others(info.tags()), name, CURRENT, fork))))
            .orElseThrow();
    leaveBehind(made);
    return made;
  }

  private static Optional<SessionUpdate> named(SessionInfo info) {
    return name(info).isPresent()
        ? Optional.empty()
        : Optional.of(
            SessionUpdate.none().tags(marked(others(info.tags()), newName(), CURRENT, info.key())));
  }

  private static String newName() {
    return UUID.randomUUID().toString().substring(36 - NAME);
  }

  private static Set<String> marked(Set<String> others, String name, String kind, SessionKey key) {
    Set<String> tags = new TreeSet<>(others);
    tags.add(PREFIX + name);
    tags.add(mark(kind, key));
    return tags;
  }

  /** Makes a branch the one that lists show, because somebody continues it. */
  public void makeCurrent(SessionKey key) {
    Optional<SessionInfo> info = store.session(key).info().filter(Family::isOlder);
    if (info.isEmpty()) {
      return;
    }
    boolean pinned = current(info.get()).pinned();
    leaveBehind(info.get());
    SessionChange.change( // last: rather two current ones than none
        store.session(key),
        now ->
            name(now)
                .map(name -> marked(others(now.tags()), name, CURRENT, key))
                .map(tags -> SessionUpdate.none().tags(tags).archived(false).pinned(pinned)));
  }

  private void leaveBehind(SessionInfo current) {
    for (SessionInfo each : branches(current)) {
      if (!each.key().equals(current.key()) && !isOlder(each)) {
        SessionChange.change(
            store.session(each.key()),
            now ->
                name(now)
                    .map(name -> marked(others(now.tags()), name, OLDER, now.key()))
                    .map(tags -> SessionUpdate.none().tags(tags).archived(true).pinned(false)));
      }
    }
  }

  /**
   * Searches. What several branches of a conversation have in common is one hit, in the current
   * branch if that has it. A temporary session is found only by a search within it.
   */
  public SearchResult search(SearchFilter filter, SearchQuery query) {
    Map<SessionKey, Optional<SessionInfo>> known = new HashMap<>();
    int limit = query.limit();
    while (true) {
      SearchResult all = filter.search(store, query.limit(limit));
      List<Hit> hits = once(all.hits(), query.sessionId().isPresent(), known);
      boolean isAll = all.hits().size() < limit || limit == SessionQuery.MAX_LIMIT;
      if (isAll || (hits.size() >= query.limit() && !isCut(all.hits(), hits, known))) {
        return new SearchResult(
            hits.subList(0, Math.min(hits.size(), query.limit())), all.partial());
      }
      limit = Math.min(2 * limit, SessionQuery.MAX_LIMIT);
    }
  }

  /**
   * Whether a hit of an older branch may be one of the current branch too, which comes next: what
   * branches have in common has the same score and time.
   */
  private static boolean isCut(
      List<Hit> all, List<Hit> kept, Map<SessionKey, Optional<SessionInfo>> known) {
    Hit last = all.get(all.size() - 1);
    return kept.stream()
        .filter(hit -> hit.score() == last.score() && hit.addedAt().equals(last.addedAt()))
        .flatMap(hit -> known.getOrDefault(hit.key(), Optional.empty()).stream())
        .anyMatch(Family::isOlder);
  }

  private List<Hit> once(
      List<Hit> hits, boolean within, Map<SessionKey, Optional<SessionInfo>> known) {
    Map<Object, Hit> kept = new LinkedHashMap<>();
    for (Hit hit : hits) {
      Optional<SessionInfo> info =
          known.computeIfAbsent(hit.key(), key -> store.session(key).info());
      if (!within && info.filter(Marks::isTemporary).isPresent()) {
        continue;
      }
      Optional<String> family = info.flatMap(Family::name);
      boolean older = info.filter(Family::isOlder).isPresent();
      Object same =
          family.isEmpty()
              ? List.of(hit.key(), hit.position())
              : List.of(family.get(), hit.addedAt(), hit.snippet());
      kept.merge(same, hit, (before, now) -> older ? before : now);
    }
    return List.copyOf(kept.values());
  }
}
