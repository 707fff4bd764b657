package dev.clew.server.internal.limits;

import dev.clew.server.internal.http.Problem;
import dev.clew.server.settings.LimitSettings;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Counts the wrong tokens, cookies and links that come from an address. Thread-safe.
 *
 * <p>A right one always passes: many people may share an address behind a proxy, and what we hand
 * out is too long to be guessed. The limit keeps failures from filling logs and the audit log.
 */
public final class FailedSignIns {
  private static final int MOST_ADDRESSES = 10_000;
  private static final int IPV6_NETWORK_BYTES = 8; // what one customer has to choose from

  private final @Nullable RateLimiter limiter;

  public FailedSignIns(LimitSettings settings) {
    int most = settings.failedSignInsPerMinute();
    this.limiter = most == 0 ? null : new RateLimiter(most, MOST_ADDRESSES, System::nanoTime);
  }

  /** How to answer a failure: as it is, or that there were too many. */
  public Problem answer(String address, Problem failure) {
    if (limiter == null) {
      return failure;
    }
    RateLimiter.Take take = limiter.take(network(address), 1);
    return take.taken()
        ? failure
        : Problem.tooMany(
            "too_many_failed_sign_ins",
            "Too many failed sign-ins from this address; try again later.",
            RequestLimits.seconds(take.waitNanos()));
  }

  static String network(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      byte[] bytes = java.net.InetAddress.getByName(address).getAddress(); // digits: no look-up
      return HexFormat.of()
          .formatHex(Arrays.copyOf(bytes, Math.min(bytes.length, IPV6_NETWORK_BYTES)));
    } catch (java.net.UnknownHostException e) {
      return address;
    }
  }
}
