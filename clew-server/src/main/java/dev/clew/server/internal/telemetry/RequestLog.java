package dev.clew.server.internal.telemetry;

import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import dev.clew.server.internal.http.Principal;
import dev.clew.server.settings.ServerSettings.LogFormat;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line for each answered call. As thread-safe as the reader of the lines. It contains the
 * route, not the path, so nothing that a caller wrote; without a route, only the plain words of the
 * path.
 */
public record RequestLog(Clock clock, LogFormat format, Consumer<String> lines)
    implements CallListener {
  private static final String UNREAD = "(unread)";

  @Override
  public void answered(Call call) {
    String at = now();
    double millis = Math.round(call.nanos() / 1e4) / 1e2;
    String owner = call.caller().map(Principal::owner).map(Sha256::brief).orElse(null);
    String who = call.caller().map(Principal::name).orElse(null);
    lines.accept(
        format == LogFormat.JSON
            ? json(call, at, millis, owner, who)
            : String.format(
                Locale.ROOT,
                "%s %s %s %s %d %.2f ms%s",
                at,
                call.requestId(),
                call.method(),
                call.isRouted() ? call.route() : LoggedPath.of(call.path()),
                call.status(),
                millis,
                owner == null ? "" : " owner " + owner + " (" + who + ")"));
  }

  @Override
  public void refusedUnread(int status) {
    String at = now();
    lines.accept(
        format == LogFormat.JSON
            ? new JsonObject().put("at", at).put("route", UNREAD).put("status", status).toString()
            : at + " - " + UNREAD + " " + status);
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static String json(
      Call call, String at, double millis, @Nullable String owner, @Nullable String who) {
    JsonObject line =
        new JsonObject()
            .put("at", at)
            .put("request_id", call.requestId())
            .put("method", call.method())
            .put("route", call.route());
    if (!call.isRouted()) {
      line.put("path", LoggedPath.of(call.path()));
    }
    return line.put("status", call.status())
        .raw("duration_ms", String.valueOf(millis))
        .put("owner", owner)
        .put("who", who)
        .toString();
  }
}
