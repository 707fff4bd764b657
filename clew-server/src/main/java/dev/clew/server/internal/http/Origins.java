package dev.clew.server.internal.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other web pages from talking to the server with the visitor's cookie, and names that were
 * made to point at this machine from passing for it. Thread-safe.
 */
public final class Origins {
  private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "[::1]");

  /** Four numbers, as browsers write them: anything else that begins with 127 may be a name. */
  private static final Pattern LOOPBACK_V4 =
      Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)){3}");

  /** What a browser says of a request that another site's page, or a sibling's, has caused. */
  private static final Set<String> ELSEWHERE = Set.of("cross-site", "same-site");

  private static final String METHODS = "GET, POST, PATCH, DELETE";
  private static final String HEADERS =
      "Authorization, Content-Type, Idempotency-Key, Last-Event-ID";

  private final boolean loopbackOnly;
  private final Set<String> allowed;

  /**
   * What to let through.
   *
   * @param loopbackOnly whether the server is for this machine only, so that its names are known
   * @param allowed origins of pages served elsewhere, such as {@code https://chat.example.org}
   */
  public Origins(boolean loopbackOnly, Set<String> allowed) {
    this.loopbackOnly = loopbackOnly;
    this.allowed = Set.copyOf(allowed);
  }

  /** Whether an address is one of this machine only. */
  public static boolean isLoopback(String host) {
    return LOOPBACK.contains(host) || LOOPBACK_V4.matcher(host).matches();
  }

  /**
   * Checks where a request comes from, and tells the browser if that page may read the answer.
   *
   * @param open whether the route shows everybody the same, so that any page may link to it
   * @throws Problem if it may not come from there
   */
  void check(Transfer transfer, boolean open) {
    String host = transfer.header("Host");
    if (loopbackOnly && !(host != null && isLoopback(name(host)))) {
      throw Problem.forbidden(
          "host_not_allowed",
          "This server is for its own machine; call it as localhost or 127.0.0.1.");
    }
    String origin = transfer.header("Origin");
    if (origin == null) {
      String site = transfer.header("Sec-Fetch-Site");
      if (site != null && ELSEWHERE.contains(site) && !(open && isLink(transfer))) {
        throw notAllowed();
      }
      return;
    }
    if (allowed.contains(origin)) {
      transfer.setHeader("Access-Control-Allow-Origin", origin);
      transfer.setHeader(
          "Access-Control-Expose-Headers",
          "x-request-id, Retry-After, x-ratelimit-limit-requests, x-ratelimit-remaining-requests,"
              + " x-ratelimit-reset-requests");
      transfer.setHeader("Vary", "Origin");
    } else if (!sameOrigin(origin, host)) {
      throw notAllowed();
    }
  }

  private static Problem notAllowed() {
    return Problem.forbidden(
        "origin_not_allowed",
        "Pages of this origin may not call the server; allow it with --allow-origin.");
  }

  /** Whether somebody follows a link, which is no call of the page that has it. */
  private static boolean isLink(Transfer transfer) {
    return transfer.method().equals("GET") && "navigate".equals(transfer.header("Sec-Fetch-Mode"));
  }

  /** Answers the question a browser asks before a call from another origin. */
  void preflight(Transfer transfer) {
    check(transfer, true);
    transfer.setHeader("Access-Control-Allow-Methods", METHODS);
    transfer.setHeader("Access-Control-Allow-Headers", HEADERS);
    transfer.setHeader("Access-Control-Max-Age", "600");
    transfer.answer(204, null, new byte[0]);
  }

  private static boolean sameOrigin(String origin, @Nullable String host) {
    try {
      String authority = new URI(origin).getRawAuthority();
      return authority != null && host != null && authority.equalsIgnoreCase(host);
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** The host without its port. */
  private static String name(String host) {
    int colon = host.endsWith("]") ? -1 : host.lastIndexOf(':');
    return (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
  }
}
