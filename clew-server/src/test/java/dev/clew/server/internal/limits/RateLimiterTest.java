package dev.clew.server.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Buckets that fill evenly, one for each caller, bounded in number. */
class RateLimiterTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND); // it may overflow
  private final RateLimiter limiter = new RateLimiter(60, 3, now::get);

  private boolean take(String caller, int tokens) {
    return limiter.take(caller, tokens).taken();
  }

  @Test
  void aBucketIsFullAtFirst_andGetsATokenASecond() {
    assertThat(take("a", 60)).isTrue();
    RateLimiter.Take refused = limiter.take("a", 3);
    assertThat(refused).isEqualTo(new RateLimiter.Take(false, 0, 3 * SECOND));
    now.addAndGet(2 * SECOND);
    assertThat(limiter.take("a", 3).waitNanos()).isEqualTo(SECOND);
    now.addAndGet(SECOND);
    assertThat(take("a", 3)).isTrue();
    assertThat(take("a", 1)).isFalse();
    now.addAndGet(3600 * SECOND);
    assertThat(limiter.take("a", 1).remaining()).isEqualTo(59);
  }

  @Test
  void whatCostsMoreThanABucketHoldsTakesAFullOne() {
    assertThat(limiter.take("a", 1000)).isEqualTo(new RateLimiter.Take(true, 0, 60 * SECOND));
    assertThat(take("a", 1)).isFalse();
  }

  @Test
  void bucketsThatAreFullAgainAreForgotten_andCallersBeyondTheBoundShareOne() {
    assertThat(take("a", 60)).isTrue();
    assertThat(take("b", 1)).isTrue();
    assertThat(take("c", 1)).isTrue();
    assertThat(take("d", 60)).isTrue();
    assertThat(take("e", 1)).as("shares the bucket of d").isFalse();
    assertThat(limiter.buckets()).isEqualTo(4);
    now.addAndGet(SECOND);
    assertThat(take("e", 2)).as("b and c have full buckets, so there is room for e").isTrue();
    assertThat(take("a", 2)).as("a is remembered").isFalse();
  }
}
