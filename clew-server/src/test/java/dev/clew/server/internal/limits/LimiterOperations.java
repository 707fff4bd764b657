package dev.clew.server.internal.limits;

import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Tokens are taken at one instant: none is given out twice, none is lost. */
@Param(name = "caller", gen = IntGen.class, conf = "0:1")
@Param(name = "tokens", gen = IntGen.class, conf = "1:3")
public class LimiterOperations {
  private static final long TOKEN = 15_000_000_000L; // four in a minute

  private final AtomicLong now = new AtomicLong();
  private final RateLimiter limiter = new RateLimiter(4, 10, now::get);

  @Operation
  public String take(@Param(name = "caller") int caller, @Param(name = "tokens") int tokens) {
    RateLimiter.Take take = limiter.take("c" + caller, tokens);
    return take.taken() + " " + take.remaining();
  }

  @Operation
  public void waitForOne() {
    now.addAndGet(TOKEN);
  }

  /** The same with nothing but whole tokens, one call after another. */
  public static class Model {
    private final int[] left = {4, 4};

    public String take(int caller, int tokens) {
      boolean enough = left[caller] >= tokens;
      left[caller] -= enough ? tokens : 0;
      return enough + " " + left[caller];
    }

    public void waitForOne() {
      left[0] = Math.min(4, left[0] + 1);
      left[1] = Math.min(4, left[1] + 1);
    }
  }
}
