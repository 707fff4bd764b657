package dev.clew.server.internal.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Protects the visitor's cookie from other web pages, and a loopback server from DNS rebinding.
 * Thread-safe.
 *
 * @param loopbackOnly whether only loopback host names are valid
 * @param allowed origins of pages served elsewhere, such as {@code https://chat.example.org}
 */
public record Origins(boolean loopbackOnly, Set<String> allowed) {
  private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "[::1]");

  /** Four numbers: any other name that starts with 127 may be a host name. */
  private static final Pattern LOOPBACK_V4 =
      Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)){3}");

  /** Values of Sec-Fetch-Site for requests caused by pages of other sites. */
  private static final Set<String> ELSEWHERE = Set.of("cross-site", "same-site");

  private static final String METHODS = "GET, POST, PATCH, DELETE";
  private static final String HEADERS =
      "Authorization, Content-Type, Idempotency-Key, Last-Event-ID";

  public static boolean isLoopback(String host) {
    return LOOPBACK.contains(host) || LOOPBACK_V4.matcher(host).matches();
  }

  /**
   * Checks the origin of a request, and allows an accepted page to read the answer.
   *
   * @param open whether the route shows everybody the same, so that any page may link to it
   * @throws Problem if the origin is not accepted
   */
  void check(Transfer transfer, boolean open) {
    String host = transfer.header("Host");
    if (loopbackOnly && !(host != null && isLoopback(name(host)))) {
      throw Problem.forbidden(
          "host_not_allowed",
          "This server accepts calls from its own machine only, as localhost or 127.0.0.1.");
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

  /** Whether the browser follows a link, which does not expose the answer to the page. */
  private static boolean isLink(Transfer transfer) {
    return transfer.method().equals("GET") && "navigate".equals(transfer.header("Sec-Fetch-Mode"));
  }

  /** Answers a CORS preflight request. */
  void preflight(Transfer transfer) {
    check(transfer, true);
    transfer.setHeader("Access-Control-Allow-Methods", METHODS);
    transfer.setHeader("Access-Control-Allow-Headers", HEADERS);
    transfer.setHeader("Access-Control-Max-Age", "600");
    transfer.answer().set(204, null, new byte[0]);
  }

  private static boolean sameOrigin(String origin, @Nullable String host) {
    try {
      String authority = new URI(origin).getRawAuthority();
      return authority != null && host != null && authority.equalsIgnoreCase(host);
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static String name(String host) {
    int colon = host.endsWith("]") ? -1 : host.lastIndexOf(':');
    return (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
  }
}
