package dev.clew.server.internal.sessions;

import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.json.JsonObject;
import dev.clew.kit.SessionChange;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.internal.wire.Entries;
import dev.clew.server.operate.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Branches: sessions that continue differently from the same place. Thread-safe. All branches of a
 * place have the tag {@code branch:} and its name; each remembers the position of the place.
 */
public record BranchesApi(SessionStore store, boolean strict) {
  private static final int MOST_BRANCHES = 100;
  private static final String TAG = "branch:";

  public List<Route> routes() {
    String path = Addressed.PATH + "/branches";
    return List.of(
        Route.get(path, Scope.READ, "Lists the branches of a session.", this::list),
        Route.post(path, Scope.WRITE, "Creates a branch in place of an item.", this::create));
  }

  private void list(Call call) {
    SessionInfo info = Addressed.info(store, call);
    List<JsonObject> places = new ArrayList<>();
    new TreeMap<>(ServerMetadata.of(info).branches())
        .forEach(
            (name, after) -> {
              List<String> ids = sessionsAt(info.key().owner(), name);
              if (ids.size() > 1) {
                places.add(new JsonObject().put("after", after).put("session_ids", ids));
              }
            });
    call.reply(new JsonObject().putAll("data", places));
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

  /** Creates a branch. It replaces the session it came from in lists, which is archived. */
  private void create(Call call) {
    Fields body = Fields.of(call, strict, Set.of("at"));
    OptionalLong given = body.number("at");
    long at = given.orElseThrow(() -> Problem.missing("at"));
    SessionInfo source = Addressed.info(store, call);
    Addressed.checkItem(store, source.key(), at);
    String name = place(source, at).orElseGet(() -> ConversationIds.random("", 12));
    SessionKey target = new SessionKey(call.owner(), UUID.randomUUID().toString());
    store.session(source.key()).forkTo(target, at - 1);
    SessionInfo branch =
        SessionChange.change(
                store.session(target), info -> Optional.of(described(info, source, name)))
            .orElseThrow(() -> Addressed.notFound(target.id()));
    SessionChange.change(
        store.session(source.key()), info -> Optional.of(leftBehind(info, name, at - 1)));
    call.reply(SessionJson.session(branch));
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
