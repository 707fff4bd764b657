package dev.clew.server.internal.admin;

import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import java.util.List;
import java.util.Optional;

/** The audit log for administrators. Thread-safe. */
public final class AuditApi {
  private static final int MOST = 100;
  private static final String CURSOR = "[0-9a-f]{16}-[0-9a-f]{8}";

  private final AuditLog log;

  public AuditApi(AuditLog log) {
    this.log = log;
  }

  public List<Route> routes() {
    return List.of(Route.get("/api/admin/audit", Scope.ADMIN, "Lists the audit log.", this::list));
  }

  private void list(Call call) {
    Optional<String> cursor = call.query("cursor");
    if (cursor.isPresent() && !cursor.get().matches(CURSOR)) {
      throw Problem.invalidValue("cursor", "take the next_cursor of the page before");
    }
    AuditLog.Page page = log.read(cursor, call.query("limit", MOST, 1, MOST));
    call.reply(
        new JsonObject()
            .array("data", page.entries())
            .put("next_cursor", page.next().orElse(null)));
  }
}
