package dev.clew.server.internal.admin;

import dev.clew.SessionStore;
import dev.clew.insight.Storage;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.ServerSettings;
import java.util.List;
import java.util.Optional;

/** Who has what in the store, and how long it stays there. Thread-safe. */
public final class OwnersApi {
  private static final int PAGE = 20;
  private static final int MAX_PAGE = 50;

  /** Of an owner, ten thousand sessions are counted; an answer says if there are more. */
  private static final int MOST_PAGES = 10;

  private final ServerSettings settings;
  private final SessionStore store;

  public OwnersApi(ServerSettings settings) {
    this.settings = settings;
    this.store = settings.store();
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/owners", Scope.ADMIN, "Lists owners and their storage.", this::list),
        Route.get(
            "/api/admin/retention", Scope.ADMIN, "Tells how long things stay.", this::retention));
  }

  private void list(Call call) {
    int limit = call.query("limit", PAGE, 1, MAX_PAGE);
    Optional<String> cursor = call.query("cursor").filter(text -> !text.isEmpty());
    // One more for the server's own, and one more to know whether there are others.
    List<String> found =
        store.owners(cursor, limit + 2).stream()
            .filter(owner -> !owner.equals(Tokens.OWNER))
            .toList();
    List<String> shown = found.subList(0, Math.min(limit, found.size()));
    call.reply(
        new JsonObject()
            .putAll("data", shown.stream().map(this::owner).toList())
            .put("next_cursor", found.size() > limit ? shown.get(limit - 1) : null));
  }

  private JsonObject owner(String owner) {
    return Storage.of(store, owner, MOST_PAGES).fields(new JsonObject().put("owner", owner));
  }

  private void retention(Call call) {
    call.reply(
        new JsonObject()
            .put("audit_days", settings.auditKept().toDays())
            .put("responses_days", settings.turns().responsesKept().toDays())
            .put("usage_days", UsageBook.KEPT.toDays())
            .put("items_in_a_session", settings.chat().maxMessages()));
  }
}
