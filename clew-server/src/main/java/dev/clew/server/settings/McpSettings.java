package dev.clew.server.settings;

import dev.clew.mcptools.McpTools;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The MCP servers that clients of the Responses API may use. Immutable.
 *
 * <p>A client that names a server of the operator gets it as the operator set it up, credentials
 * included. A client that sends a URL sends its own credentials too; the URL must be allowed here.
 *
 * @param servers those that the operator has set up, by their names; whoever opened them closes
 *     them
 * @param allowed URLs that clients may send, and those below them, if their hosts have public
 *     addresses
 * @param allowedPrivate the same for hosts that have any address
 */
public record McpSettings(
    List<McpTools> servers, List<String> allowed, List<String> allowedPrivate) {
  /** No servers. */
  public static final McpSettings NONE = new McpSettings(List.of(), List.of(), List.of());

  /** What another program may read as a way out of a folder. */
  private static final Pattern WAY_OUT = Pattern.compile("(?i)/\\.\\.?(/|;|$)|%2e|%2f|%5c|;");

  /**
   * Checks the names and URLs.
   *
   * @throws IllegalArgumentException if two servers have one name, or a URL is none of http
   */
  public McpSettings {
    servers = List.copyOf(servers);
    allowed = List.copyOf(allowed);
    allowedPrivate = List.copyOf(allowedPrivate);
    Set<String> names = new HashSet<>();
    for (McpTools server : servers) {
      if (!names.add(server.name())) {
        throw new IllegalArgumentException(
            "two MCP servers have the name '" + server.name() + "'; rename one");
      }
    }
    allowed.forEach(McpTools::http);
    allowedPrivate.forEach(McpTools::http);
  }

  /** Adds a server that clients may name. */
  public McpSettings server(McpTools value) {
    return new McpSettings(with(servers, value), allowed, allowedPrivate);
  }

  /** Adds a URL that clients may send. */
  public McpSettings allow(String url) {
    return new McpSettings(servers, with(allowed, url), allowedPrivate);
  }

  /** Adds a URL that clients may send, even if its host has a private address. */
  public McpSettings allowPrivate(String url) {
    return new McpSettings(servers, allowed, with(allowedPrivate, url));
  }

  private static <T> List<T> with(List<T> list, T value) {
    List<T> more = new ArrayList<>(list);
    more.add(value);
    return more;
  }

  /** The server of that name, if the operator has set one up. */
  public Optional<McpTools> named(String name) {
    return servers.stream().filter(server -> server.name().equals(name)).findFirst();
  }

  /** Whether clients may send a URL. */
  public boolean allows(String url) {
    return allowsPrivate(url) || covers(allowed, url);
  }

  /** Whether they may if its host has a private address. */
  public boolean allowsPrivate(String url) {
    return covers(allowedPrivate, url);
  }

  private static boolean covers(List<String> allowed, String url) {
    URI wanted = URI.create(url.strip());
    String path = path(wanted);
    return !WAY_OUT.matcher(path).find()
        && allowed.stream().map(URI::create).anyMatch(each -> covers(each, wanted, path));
  }

  private static boolean covers(URI allowed, URI wanted, String path) {
    String start = path(allowed);
    boolean below =
        path.equals(start) || path.startsWith(start.endsWith("/") ? start : start + "/");
    return below && place(allowed).equals(place(wanted));
  }

  private static String path(URI url) {
    String path = url.getRawPath();
    return path == null || path.isEmpty() ? "/" : path;
  }

  private static String place(URI url) {
    String scheme = url.getScheme().toLowerCase(Locale.ROOT);
    int usual = scheme.equals("https") ? 443 : 80;
    int port = url.getPort() < 0 ? usual : url.getPort();
    return scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port;
  }
}
