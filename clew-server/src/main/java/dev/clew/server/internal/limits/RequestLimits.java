package dev.clew.server.internal.limits;

import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import dev.clew.server.internal.http.Principal;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.settings.LimitSettings;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls of each principal. Thread-safe. A principal is a token, the page's cookie or a
 * user of the provider, so a runaway program does not lock out its owner.
 */
public final class RequestLimits implements CallListener {
  public static final int EXPENSIVE = 10;

  private static final int MOST_PRINCIPALS = 100_000;
  private static final Set<String> EXPENSIVE_ROUTES =
      Set.of(
          "GET /api/sessions/{session_id}/export",
          "GET /api/sessions/{session_id}/insight",
          "GET /api/insight",
          "GET /api/tags",
          "DELETE /api/projects/{project_id}",
          "GET /api/admin/owners",
          "POST /api/sessions/import",
          "GET /api/export",
          "POST /api/import",
          "POST /api/sessions/{session_id}/fork",
          "POST /api/sessions/{session_id}/compact",
          "POST /v1/responses/compact");

  private final @Nullable RateLimiter limiter;
  private final int mostOpen;
  private final ConcurrentHashMap<String, Integer> open = new ConcurrentHashMap<>();

  public RequestLimits(LimitSettings settings) {
    int most = settings.requestsPerMinute();
    this.limiter = most == 0 ? null : new RateLimiter(most, MOST_PRINCIPALS, System::nanoTime);
    this.mostOpen = settings.openCalls();
  }

  public static int cost(Route route) {
    String name = route.toString();
    return EXPENSIVE_ROUTES.contains(name) || EXPENSIVE_ROUTES.contains(name.replace(" /", " /v1/"))
        ? EXPENSIVE
        : 1;
  }

  @Override
  public void admitted(Call call, Route route, Principal principal) {
    String caller = name(principal);
    if (limiter != null) {
      RateLimiter.Take take = limiter.take(caller, cost(route));
      call.answerHeader("x-ratelimit-limit-requests", String.valueOf(limiter.capacity()));
      call.answerHeader("x-ratelimit-remaining-requests", String.valueOf(take.remaining()));
      call.answerHeader("x-ratelimit-reset-requests", seconds(take.waitNanos()) + "s");
      check(limiter, take);
    }
    if (mostOpen > 0) {
      enter(call, caller);
    }
  }

  @Override
  public void received(Principal principal) {
    if (limiter != null) {
      check(limiter, limiter.take(name(principal), 1));
    }
  }

  private static String name(Principal principal) {
    return principal.name() + '\n' + principal.owner();
  }

  private static void check(RateLimiter limiter, RateLimiter.Take take) {
    if (!take.taken()) {
      throw Problem.tooMany(
          "rate_limit_exceeded",
          "Rate limit reached: " + limiter.capacity() + " requests per minute. Try again later.",
          seconds(take.waitNanos()));
    }
  }

  private void enter(Call call, String caller) {
    int now = open.merge(caller, 1, Integer::sum);
    call.onAnswered(() -> open.computeIfPresent(caller, (same, n) -> n == 1 ? null : n - 1));
    if (now > mostOpen) {
      throw Problem.tooMany(
          "too_many_open_calls",
          "Too many open calls or streams; the limit is " + mostOpen + ".",
          1);
    }
  }

  static int seconds(long nanos) {
    return (int) Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos + 999_999_999));
  }
}
