package dev.clew.server.internal.sessions;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.branches.Branches;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Branches: sessions that continue differently from the same place. Thread-safe. */
public record BranchesApi(SessionStore store, boolean strict) {

  public List<Route> routes() {
    String path = Addressed.PATH + "/branches";
    return List.of(
        Route.get(path, Scope.READ, "Lists the branches of a session.", this::list),
        Route.post(path, Scope.WRITE, "Creates a branch in place of an item.", this::create));
  }

  private void list(Call call) {
    List<JsonObject> places = new ArrayList<>();
    new Branches(store)
        .places(Addressed.info(store, call))
        .forEach(
            (after, ids) ->
                places.add(new JsonObject().put("after", after).put("session_ids", ids)));
    call.reply(new JsonObject().putAll("data", places));
  }

  /** Creates a branch. Lists show it instead of the session it came from. */
  private void create(Call call) {
    Fields body = Fields.of(call, strict, Set.of("at"));
    long at = body.number("at").orElseThrow(() -> Problem.missing("at"));
    SessionInfo source = Addressed.info(store, call);
    Addressed.checkItem(store, source.key(), at);
    SessionKey target = new SessionKey(call.owner(), UUID.randomUUID().toString());
    call.reply(SessionJson.session(new Branches(store).create(source, at, target)));
  }
}
