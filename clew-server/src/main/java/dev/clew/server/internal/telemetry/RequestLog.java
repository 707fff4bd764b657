package dev.clew.server.internal.telemetry;

import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import dev.clew.server.internal.http.Principal;
import dev.clew.server.internal.http.Upgrade;
import dev.clew.server.settings.ServerSettings.LogFormat;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
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
    String path = call.isRouted() ? null : LoggedPath.of(call.path());
    write(
        call.requestId(),
        call.method(),
        call.route(),
        path,
        call.status(),
        call.nanos(),
        call.caller());
  }

  @Override
  public void answered(Upgrade.Answered request) {
    write(
        request.requestId(),
        Upgrade.Answered.METHOD,
        request.route(),
        null,
        request.status(),
        request.nanos(),
        Optional.of(request.caller()));
  }

  private void write(
      String requestId,
      String method,
      String route,
      @Nullable String path,
      int status,
      long nanos,
      Optional<Principal> caller) {
    String at = now();
    double millis = Math.round(nanos / 1e4) / 1e2;
    String owner = caller.map(Principal::owner).map(Sha256::brief).orElse(null);
    String who = caller.map(Principal::name).orElse(null);
    if (format == LogFormat.JSON) {
      JsonObject line =
          new JsonObject()
              .put("at", at)
              .put("request_id", requestId)
              .put("method", method)
              .put("route", route);
      if (path != null) {
        line.put("path", path);
      }
      lines.accept(
          line.put("status", status)
              .raw("duration_ms", String.valueOf(millis))
              .put("owner", owner)
              .put("who", who)
              .toString());
    } else {
      lines.accept(
          String.format(
              Locale.ROOT,
              "%s %s %s %s %d %.2f ms%s",
              at,
              requestId,
              method,
              path == null ? route : path,
              status,
              millis,
              owner == null ? "" : " owner " + owner + " (" + who + ")"));
    }
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
}
