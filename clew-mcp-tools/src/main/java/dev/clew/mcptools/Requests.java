package dev.clew.mcptools;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks what a request to a server is made of. Stateless. */
final class Requests {
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
  private static final int LONGEST_HEADER = 8_192;

  /** Headers that HTTP or the protocol needs, or that carry the credentials of others. */
  private static final Set<String> OURS =
      Set.of(
          "accept",
          "accept-encoding",
          "connection",
          "content-length",
          "content-type",
          "cookie",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private Requests() {}

  static URI checkedUrl(String url) {
    URI uri;
    try {
      uri = URI.create(url.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + shown(url) + "' is not a URL");
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException(
          "the URL of an MCP server begins with https:// or http://, unlike '" + shown(url) + "'");
    }
    if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "the URL of an MCP server must have a host, and neither a user nor a fragment; send"
              + " credentials in a header");
    }
    return uri;
  }

  /** Without what may be secret: the user, the query and the fragment. */
  private static String shown(String url) {
    return Bounds.quoted(url.replaceFirst("[?#][\\s\\S]*", "").replaceFirst("//[^/]*@", "//"));
  }

  static void checkHeader(String header, String value) {
    String lower = header.toLowerCase(Locale.ROOT);
    if (!HEADER.matcher(header).matches()
        || OURS.contains(lower)
        || lower.startsWith("mcp-")
        || lower.startsWith("proxy-")) {
      throw new IllegalArgumentException(
          "the header '" + Bounds.quoted(header) + "' cannot be set for an MCP server");
    }
    String wrong =
        value.length() > LONGEST_HEADER
            ? "is longer than " + LONGEST_HEADER + " characters"
            : value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 127)
                ? "has a line break or another control character"
                : value.chars().anyMatch(c -> c > 127) ? "has characters that are not ASCII" : "";
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("the header '" + header + "' " + wrong);
    }
  }
}
