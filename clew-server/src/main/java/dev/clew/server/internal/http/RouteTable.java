package dev.clew.server.internal.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a path by its segments, in time that does not depend on the number of routes.
 * Immutable.
 *
 * <p>Literal segments take precedence over parameters, and a path may end with a slash. A parameter
 * in angle brackets at the end of a route takes the rest of the path.
 */
final class RouteTable {

  /** A route and the values of its parameters, in order. Immutable. */
  record Match(Route route, Map<String, String> parameters) {}

  private static final class Node {
    final Map<String, Node> segments = new HashMap<>();
    @Nullable Node parameter;
    @Nullable Route here;
    @Nullable Route rest;
  }

  private final Map<Route.Method, Node> roots = new EnumMap<>(Route.Method.class);

  RouteTable(List<Route> routes) {
    routes.forEach(this::add);
  }

  private void add(Route route) {
    Node node = roots.computeIfAbsent(route.method(), any -> new Node());
    for (String segment : segments(route.path())) {
      if (segment.startsWith("<")) {
        node.rest = node.rest == null ? route : node.rest;
        return;
      } else if (segment.startsWith("{")) {
        node.parameter = node.parameter == null ? new Node() : node.parameter;
        node = node.parameter;
      } else {
        node = node.segments.computeIfAbsent(segment, any -> new Node());
      }
    }
    node.here = node.here == null ? route : node.here;
  }

  private static String[] segments(String path) {
    return path.substring(1).split("/", -1);
  }

  /**
   * The route of an undecoded path.
   *
   * @throws IllegalArgumentException if a parameter cannot be decoded
   */
  Optional<Match> find(Route.Method method, String path) {
    if (!path.startsWith("/")) {
      return Optional.empty();
    }
    String[] segments = segments(path);
    Node root = roots.get(method);
    Route route = root == null ? null : find(root, segments, 0);
    return route == null ? Optional.empty() : Optional.of(match(route, segments));
  }

  private static @Nullable Route find(Node node, String[] segments, int next) {
    boolean end = next == segments.length;
    if (end || (next == segments.length - 1 && next > 0 && segments[next].isEmpty())) {
      if (node.here != null) {
        return node.here;
      }
    }
    if (end) {
      return null;
    }
    Node same = node.segments.get(segments[next]);
    Route found = same == null ? null : find(same, segments, next + 1);
    if (found == null && node.parameter != null && !segments[next].isEmpty()) {
      found = find(node.parameter, segments, next + 1);
    }
    return found != null || segments[next].isEmpty() ? found : node.rest;
  }

  private static Match match(Route route, String[] given) {
    Map<String, String> parameters = new LinkedHashMap<>();
    String[] names = segments(route.path());
    for (int i = 0; i < names.length; i++) {
      String name = names[i].isEmpty() ? "" : names[i].substring(1, names[i].length() - 1);
      if (names[i].startsWith("{")) {
        parameters.put(name, decode(given[i]));
      } else if (names[i].startsWith("<")) {
        parameters.put(name, decode(String.join("/", List.of(given).subList(i, given.length))));
      }
    }
    return new Match(route, parameters);
  }

  private static String decode(String raw) {
    return raw.indexOf('%') < 0
        ? raw
        : URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
