package dev.clew.server.internal.limits;

import dev.clew.server.internal.http.Problem;
import dev.clew.server.settings.LimitSettings;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Limits wrong tokens, cookies and links per address. Thread-safe.
 *
 * <p>Valid ones always pass: many people may share an address, and secrets are too long to guess.
 * The limit keeps failures from filling the logs.
 */
public final class FailedSignIns {
  private static final int MOST_ADDRESSES = 10_000;
  private static final int IPV6_NETWORK_BYTES = 8; // one customer's network

  private final @Nullable RateLimiter limiter;

  public FailedSignIns(LimitSettings settings) {
    int most = settings.failedSignInsPerMinute();
    this.limiter = most == 0 ? null : new RateLimiter(most, MOST_ADDRESSES, System::nanoTime);
  }

  /** The response to a failure: the failure, or that there were too many. */
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
      byte[] bytes =
          java.net.InetAddress.getByName(address).getAddress(); // no DNS lookup for an address
      return HexFormat.of()
          .formatHex(Arrays.copyOf(bytes, Math.min(bytes.length, IPV6_NETWORK_BYTES)));
    } catch (java.net.UnknownHostException e) {
      return address;
    }
  }
}
