package dev.clew.server.internal.limits;

import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Delays the answers of callers who are refused again and again. Thread-safe.
 *
 * <p>Refusing a call costs little, but thousands of refusals a second keep the processors busy, and
 * then every commit of the others waits for its turn at each step of a sync. A client that asks
 * again as soon as it is refused asks only once a second this way, on each of its connections. One
 * that waits as long as {@code Retry-After} says is hardly ever delayed.
 */
public final class SlowRefusals implements CallListener {
  static final Duration DELAY = Duration.ofSeconds(1);

  /** How many refusals of one caller are answered at once in a minute. */
  static final int PROMPT = 120;

  /** How many calls of one caller are kept waiting; each holds a connection. */
  static final int MOST_WAITING = 1_000;

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int MOST_CALLERS = 10_000;

  private final RateLimiter prompt;
  private final Map<String, Integer> waiting = new HashMap<>();

  public SlowRefusals() {
    this(System::nanoTime);
  }

  /**
   * For tests.
   *
   * @param nanos a monotonic clock
   */
  SlowRefusals(LongSupplier nanos) {
    prompt = new RateLimiter(PROMPT, MOST_CALLERS, nanos);
  }

  @Override
  public void handled(Call call) {
    if (call.status() != TOO_MANY_REQUESTS) {
      return;
    }
    String who =
        call.caller()
            .map(caller -> "owner " + caller.owner())
            .orElseGet(() -> FailedSignIns.network(call.address()));
    if (begin(who)) {
      call.onAnswered(() -> end(who));
      call.answerAfter(DELAY);
    }
  }

  /** Whether another refusal of this caller is to wait; if so, {@link #end} must follow. */
  boolean begin(String who) {
    if (prompt.take(who, 1).taken()) {
      return false;
    }
    synchronized (waiting) {
      int now = waiting.getOrDefault(who, 0);
      if (now == MOST_WAITING) {
        return false;
      }
      waiting.put(who, now + 1);
      return true;
    }
  }

  void end(String who) {
    synchronized (waiting) {
      waiting.computeIfPresent(who, (same, count) -> count == 1 ? null : count - 1);
    }
  }

  /** How many calls wait. */
  int waiting() {
    synchronized (waiting) {
      return waiting.values().stream().mapToInt(Integer::intValue).sum();
    }
  }
}
