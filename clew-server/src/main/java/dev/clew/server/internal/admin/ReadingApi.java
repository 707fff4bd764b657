package dev.clew.server.internal.admin;

import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.transcript.TranscriptDocument;
import java.util.List;
import java.util.Optional;

/**
 * Other owners' conversations, for administrators. Thread-safe. It must be enabled, and the audit
 * log records each read with the owner.
 */
public record ReadingApi(SessionStore store, AuditLog audit, boolean allowed) {
  private static final int PAGE = 50;
  private static final int MAX_PAGE = 100;
  private static final int MOST_ITEMS = 2_000;

  public List<Route> routes() {
    return List.of(
        Route.get(
            "/api/admin/sessions", Scope.ADMIN, "Lists another owner's sessions.", this::list),
        Route.get(
            "/api/admin/sessions/{session_id}",
            Scope.ADMIN,
            "Shows the newest items of another owner's session.",
            this::show));
  }

  private String owner(Call call) {
    if (!allowed) {
      throw Problem.refused(
          403,
          "reading_is_off",
          null,
          "Reading other owners' conversations is off; 'clew serve --admin-reads' allows it.");
    }
    String owner = call.query("owner").orElseThrow(() -> Problem.missing("owner"));
    if (owner.equals(Tokens.OWNER)) {
      throw Addressed.notFound(owner); // the server's own documents
    }
    return owner;
  }

  private void list(Call call) {
    String owner = owner(call);
    SessionPage page;
    try {
      SessionQuery query = SessionQuery.of(owner).limit(call.query("limit", PAGE, 1, MAX_PAGE));
      Optional<String> cursor = call.queryText("cursor");
      page = BoundedPage.list(store, query, cursor);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid("invalid_value", "cursor", "Invalid 'cursor' or 'owner'.");
    }
    note(call, owner, "");
    call.replyPage(page.sessions().stream().map(ReadingApi::session).toList(), page.next());
  }

  private static JsonObject session(SessionInfo info) {
    return new JsonObject()
        .put("session_id", info.key().id())
        .put("title", info.title())
        .put("updated_at", info.updatedAt().toString())
        .put("item_count", info.itemCount());
  }

  private void show(Call call) {
    String owner = owner(call);
    String id = call.path("session_id");
    SessionInfo info = Addressed.info(store, Addressed.key(owner, id));
    call.needs(BoundedPage.estimate(info, MOST_ITEMS));
    List<Entry> newest = BoundedPage.read(store, info, Range.latest(MOST_ITEMS)).entries();
    note(call, owner, id);
    call.answerHeader(
        "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    call.answerHeader("Cache-Control", "no-store");
    call.reply(200, "text/html; charset=utf-8", TranscriptDocument.html(info, newest));
  }

  /**
   * Records the read before anything is shown, with the owner, which the route does not contain.
   */
  private void note(Call call, String owner, String session) {
    audit.note(
        call.principal().name(),
        owner,
        session.isEmpty() ? "listed sessions" : "read a session",
        session.isEmpty() ? null : Sha256.brief(owner + "\n" + session),
        "200",
        call.requestId());
  }
}
