package dev.clew.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A parsed URL of a server: {@code scheme://user:password@host:port,host:port/path?name=value}.
 * Immutable. No message contains its text, because of the password.
 */
public final class ServerUrl {
  private final String scheme;
  private final String user;
  private final Optional<String> password;
  private final List<String> hosts = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final String path;
  private final StoreUrl parameters;

  /**
   * Parses a URL.
   *
   * @param usage what such a URL names, with an example, for messages
   * @param known the parameters this store has
   * @throws IllegalArgumentException naming what is wrong
   */
  public ServerUrl(String url, String usage, int defaultPort, Set<String> known) {
    int colon = url.indexOf(':');
    scheme = url.substring(0, Math.max(0, colon));
    int question = url.indexOf('?');
    String address = url.substring(colon + 1, question < 0 ? url.length() : question);
    if (!address.startsWith("//") || address.length() == 2) {
      throw new IllegalArgumentException(usage);
    }
    int at = address.lastIndexOf('@');
    int slash = address.indexOf('/', Math.max(2, at));
    int end = slash < 0 ? address.length() : slash;
    String[] userInfo = at < 0 ? new String[0] : address.substring(2, at).split(":", 2);
    user = decode("user", userInfo.length == 0 ? "" : userInfo[0]);
    password =
        userInfo.length < 2 ? Optional.empty() : Optional.of(decode("password", userInfo[1]));
    path = slash < 0 ? "" : decode("path", address.substring(slash + 1));
    for (String host : address.substring(at < 0 ? 2 : at + 1, end).split(",", -1)) {
      int bracket = host.indexOf(']');
      int portColon = host.indexOf(':', Math.max(0, bracket));
      String name = portColon < 0 ? host : host.substring(0, portColon);
      String port = portColon < 0 ? "" + defaultPort : host.substring(portColon + 1);
      if (name.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
        throw new IllegalArgumentException("'" + host + "' is not a host and port; " + usage);
      }
      hosts.add(name);
      ports.add(Integer.parseInt(port));
    }
    String query = question < 0 ? "" : url.substring(question);
    parameters = StoreUrl.parse(scheme + "://" + address() + "/…" + query, known);
  }

  private static String decode(String what, String raw) {
    try {
      return StoreUrl.parse("x:" + raw, Set.of()).path();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the "
              + what
              + " in the store URL has a % that begins no escape; write a percent sign as %25");
    }
  }

  /** The part before the first colon. */
  public String scheme() {
    return scheme;
  }

  /** What stands before the hosts, up to a colon; may be empty. */
  public String user() {
    return user;
  }

  /** What stands after that colon; none if there is no colon. */
  public Optional<String> password() {
    return password;
  }

  /** The names or addresses of the hosts; at least one. */
  public List<String> hosts() {
    return List.copyOf(hosts);
  }

  /** The ports of the hosts. */
  public List<Integer> ports() {
    return List.copyOf(ports);
  }

  /** All hosts with their ports. */
  public String address() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      all.add(hosts.get(i) + ":" + ports.get(i));
    }
    return String.join(",", all);
  }

  /** The part between the hosts and the parameters, decoded, without the slash; may be empty. */
  public String path() {
    return path;
  }

  /** The parameters. */
  public StoreUrl parameters() {
    return parameters;
  }
}
