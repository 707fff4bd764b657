package dev.clew.server.settings;

/**
 * How much one caller may ask for; 0 is any amount. Immutable.
 *
 * @param requestsPerMinute requests of one principal in a minute, and at once after a rest
 * @param openCalls calls of one principal that are not finished, streams among them
 * @param failedSignInsPerMinute wrong tokens, cookies and links from one address in a minute
 */
public record LimitSettings(int requestsPerMinute, int openCalls, int failedSignInsPerMinute) {
  /** Far more than a person or a well-behaved program needs. */
  public static final LimitSettings DEFAULT = new LimitSettings(6_000, 1_000, 600);

  /** No limits, for measuring. */
  public static final LimitSettings NONE = new LimitSettings(0, 0, 0);

  /** Checks the numbers. */
  public LimitSettings {
    if (requestsPerMinute < 0 || openCalls < 0 || failedSignInsPerMinute < 0) {
      throw new IllegalArgumentException("a limit cannot be below 0, which is none");
    }
  }

  /** With another number of requests. */
  public LimitSettings requestsPerMinute(int value) {
    return new LimitSettings(value, openCalls, failedSignInsPerMinute);
  }

  /** With another number of open calls. */
  public LimitSettings openCalls(int value) {
    return new LimitSettings(requestsPerMinute, value, failedSignInsPerMinute);
  }

  /** With another number of failures. */
  public LimitSettings failedSignInsPerMinute(int value) {
    return new LimitSettings(requestsPerMinute, openCalls, value);
  }
}
