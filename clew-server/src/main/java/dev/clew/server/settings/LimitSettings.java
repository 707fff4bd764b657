package dev.clew.server.settings;

/**
 * Limits for one caller; 0 means no limit. Immutable.
 *
 * @param requestsPerMinute requests of a principal per minute, also in one burst
 * @param openCalls unfinished calls and streams of a principal
 * @param failedSignInsPerMinute wrong tokens, cookies and links from one address per minute
 */
public record LimitSettings(int requestsPerMinute, int openCalls, int failedSignInsPerMinute) {
  public static final LimitSettings DEFAULT = new LimitSettings(6_000, 1_000, 600);

  public static final LimitSettings NONE = new LimitSettings(0, 0, 0);

  public LimitSettings {
    if (requestsPerMinute < 0 || openCalls < 0 || failedSignInsPerMinute < 0) {
      throw new IllegalArgumentException("a limit cannot be negative; 0 means no limit");
    }
  }

  public LimitSettings requestsPerMinute(int value) {
    return new LimitSettings(value, openCalls, failedSignInsPerMinute);
  }

  public LimitSettings openCalls(int value) {
    return new LimitSettings(requestsPerMinute, value, failedSignInsPerMinute);
  }

  public LimitSettings failedSignInsPerMinute(int value) {
    return new LimitSettings(requestsPerMinute, openCalls, value);
  }
}
