package dev.clew.server.internal.admin;

import dev.clew.insight.Storage;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.McpSettings;
import dev.clew.server.settings.ServerSettings;
import java.util.List;
import java.util.Optional;

/** The audit log, the owners and their storage, and how long data is kept. Thread-safe. */
public record ServerApi(ServerSettings settings, AuditLog log) {
  private static final int AUDIT_PAGE = 100;
  private static final String AUDIT_CURSOR = "[0-9a-f]{16}-[0-9a-f]{8}";
  private static final int OWNERS_PAGE = 20;
  private static final int MAX_OWNERS_PAGE = 50;

  /** Counts at most ten thousand sessions of an owner; the response says if there are more. */
  private static final int MOST_PAGES = 10;

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/audit", Scope.ADMIN, "Lists the audit log.", this::audit),
        Route.get(
            "/api/admin/owners", Scope.ADMIN, "Lists owners and their storage.", this::owners),
        Route.get(
            "/api/admin/retention", Scope.ADMIN, "Returns how long data is kept.", this::retention),
        Route.get(
            "/api/admin/mcp", Scope.ADMIN, "Lists the MCP servers that may be called.", this::mcp));
  }

  private void audit(Call call) {
    Optional<String> cursor = call.query("cursor");
    if (cursor.isPresent() && !cursor.get().matches(AUDIT_CURSOR)) {
      throw Problem.invalidValue("cursor", "use the next_cursor of the previous page");
    }
    AuditLog.Page page = log.read(cursor, call.query("limit", AUDIT_PAGE, 1, AUDIT_PAGE));
    call.reply(
        new JsonObject()
            .array("data", page.entries())
            .put("next_cursor", page.next().orElse(null)));
  }

  private void owners(Call call) {
    int limit = call.query("limit", OWNERS_PAGE, 1, MAX_OWNERS_PAGE);
    // One more because of the server's own, and one to know whether there are more.
    List<String> found =
        settings.store().owners(call.queryText("cursor"), limit + 2).stream()
            .filter(owner -> !owner.equals(Tokens.OWNER))
            .toList();
    List<String> shown = found.subList(0, Math.min(limit, found.size()));
    Optional<String> next =
        found.size() > limit ? Optional.of(shown.get(limit - 1)) : Optional.empty();
    call.replyPage(shown.stream().map(this::owner).toList(), next);
  }

  private JsonObject owner(String owner) {
    return Storage.of(settings.store(), owner, MOST_PAGES)
        .fields(new JsonObject().put("owner", owner));
  }

  private void mcp(Call call) {
    McpSettings mcp = settings.mcp();
    List<JsonObject> servers =
        mcp.servers().stream()
            .map(
                server ->
                    new JsonObject().put("name", server.name()).put("address", server.address()))
            .toList();
    call.reply(
        new JsonObject()
            .putAll("servers", servers)
            .put("allowed", mcp.allowed())
            .put("allowed_private", mcp.allowedPrivate()));
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
