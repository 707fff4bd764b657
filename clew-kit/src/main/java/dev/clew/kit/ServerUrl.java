package dev.clew.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A parsed URL of a server: {@code scheme://user:password@host:port,host:port/path?name=value}.
 * Immutable. No message contains its text, because of the password.
 *
 * @param scheme what stands before the first colon
 * @param user what stands before the hosts, up to a colon; may be empty
 * @param password what stands after that colon; none if there is no colon
 * @param hosts the names or addresses of the hosts; at least one
 * @param ports the ports of the hosts
 * @param path what stands after the slash, decoded; may be empty
 * @param parameters the parameters
 */
public record ServerUrl(
    String scheme,
    String user,
    Optional<String> password,
    List<String> hosts,
    List<Integer> ports,
    String path,
    StoreUrl parameters) {
  /**
   * Parses a URL.
   *
   * @param usage what such a URL names, with an example, for messages
   * @param known the parameters this store has
   * @throws IllegalArgumentException naming what is wrong
   */
  public static ServerUrl parse(String url, String usage, int defaultPort, Set<String> known) {
    int colon = url.indexOf(':');
    String scheme = url.substring(0, Math.max(0, colon));
    int question = url.indexOf('?');
    String address = url.substring(colon + 1, question < 0 ? url.length() : question);
    if (!address.startsWith("//") || address.length() == 2) {
      throw new IllegalArgumentException(usage);
    }
    int at = address.lastIndexOf('@');
    int slash = address.indexOf('/', Math.max(2, at));
    int end = slash < 0 ? address.length() : slash;
    String[] userInfo = at < 0 ? new String[] {""} : address.substring(2, at).split(":", 2);
    List<String> hosts = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (String host : address.substring(at < 0 ? 2 : at + 1, end).split(",", -1)) {
      int port = host.indexOf(':', Math.max(0, host.indexOf(']')));
      String number = port < 0 ? "" + defaultPort : host.substring(port + 1);
      if (port == 0
          || host.isEmpty()
          || !number.matches("[0-9]{1,5}")
          || Integer.parseInt(number) > 65_535) {
        throw new IllegalArgumentException("'" + host + "' is not a host and port; " + usage);
      }
      hosts.add(port < 0 ? host : host.substring(0, port));
      ports.add(Integer.parseInt(number));
    }
    String query = question < 0 ? "" : url.substring(question);
    return new ServerUrl(
        scheme,
        decode("user", userInfo[0]),
        userInfo.length < 2 ? Optional.empty() : Optional.of(decode("password", userInfo[1])),
        hosts,
        ports,
        slash < 0 ? "" : decode("path", address.substring(slash + 1)),
        StoreUrl.parse(scheme + "://" + address(hosts, ports) + "/…" + query, known));
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

  private static String address(List<String> hosts, List<Integer> ports) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      all.add(hosts.get(i) + ":" + ports.get(i));
    }
    return String.join(",", all);
  }

  /** All hosts with their ports. */
  public String address() {
    return address(hosts, ports);
  }

  /** Without user and password. */
  @Override
  public String toString() {
    return parameters.toString();
  }
}
