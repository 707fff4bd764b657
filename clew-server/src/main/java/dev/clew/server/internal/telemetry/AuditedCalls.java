package dev.clew.server.internal.telemetry;

import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import dev.clew.server.internal.http.Principal;
import dev.clew.server.internal.http.Upgrade;
import dev.clew.server.internal.limits.RateLimiter;
import dev.clew.server.operate.AuditLog;

/** Records important and refused calls in the audit log. Thread-safe. */
public final class AuditedCalls implements CallListener {
  private static final String ANONYMOUS = "anonymous";

  /**
   * Keeps refused callers from filling the store: a limit per caller, and one per status for all
   * anonymous callers.
   */
  private static final int REFUSALS_PER_MINUTE = 60;

  private static final int MOST_REFUSED = 1_000;

  private final AuditLog log;
  private final RateLimiter refusals =
      new RateLimiter(REFUSALS_PER_MINUTE, MOST_REFUSED, System::nanoTime);

  public AuditedCalls(AuditLog log) {
    this.log = log;
  }

  @Override
  public void handled(Call call) {
    boolean refused = call.status() == 401 || call.status() == 403;
    String who = call.caller().map(Principal::name).orElse(ANONYMOUS);
    String owner = call.caller().map(Principal::owner).orElse(null);
    String bucket = who + '\n' + (owner == null ? call.status() : owner);
    if (refused ? refusals.take(bucket, 1).taken() : matters(call)) {
      log.note(
          who,
          owner,
          call.method() + " " + call.route(),
          call.subject().map(id -> AuditLog.key(owner, id)).orElse(null),
          String.valueOf(call.status()),
          call.requestId());
    }
  }

  @Override
  public void answered(Upgrade.Answered request) {
    Principal who = request.caller();
    boolean refused = request.status() == 401 || request.status() == 403;
    if (refused && refusals.take(who.name() + '\n' + who.owner(), 1).taken()) {
      log.note(
          who.name(),
          who.owner(),
          Upgrade.Answered.METHOD + " " + request.route(),
          null,
          String.valueOf(request.status()),
          request.requestId());
    }
  }

  private static boolean matters(Call call) {
    String route = call.route();
    return call.method().equals("DELETE")
        || route.equals("/sign-in")
        || route.endsWith("/export")
        || route.endsWith("/import")
        || route.startsWith("/api/admin/");
  }
}
