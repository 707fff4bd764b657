package dev.clew.server.internal.page;

import static java.util.Map.entry;

import dev.clew.json.Json;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI document of a table of routes. Stateless. What a route takes and returns stands in
 * the resource {@code api.json}, by method and path; what all routes have in common is said here.
 */
public final class OpenApi {
  private static final String RESOURCE = "api.json";
  private static final Pattern PARAMETER = Pattern.compile("[{<](\\w+)[}>]");
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          entry("302", "It is elsewhere."),
          entry("303", "Look elsewhere."),
          entry("304", "It has not changed."),
          entry("400", "The request is wrong."),
          entry("401", "No caller is known by this token."),
          entry("403", "The caller may not do this."),
          entry("404", "There is no such thing, or it is somebody else's."),
          entry("409", "Something else happens at this moment, or has happened before."),
          entry("413", "The body is too large."),
          entry("429", "Too much at once; Retry-After says when to come again."),
          entry("500", "The server failed."),
          entry("502", "The model failed."),
          entry("503", "Not now; Retry-After says when to come again."));

  private OpenApi() {}

  /**
   * The document.
   *
   * @throws IllegalStateException if a route is not described
   */
  public static String of(List<Route> routes) {
    Map<String, Object> api = api();
    Map<String, Object> operations = object(api.get("operations"));
    Map<String, Object> paths = new LinkedHashMap<>();
    for (Route route : described(routes)) {
      Object operation = operations.get(route.toString());
      if (operation == null) {
        throw new IllegalStateException(route + " is not described in " + RESOURCE);
      }
      String path = route.path().replace('<', '{').replace('>', '}'); // those that may have slashes
      object(paths.computeIfAbsent(path, each -> new LinkedHashMap<String, Object>()))
          .put(route.method().name().toLowerCase(Locale.ROOT), operation(route, object(operation)));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put(
        "info",
        Map.of(
            "title", "Clew",
            "description", "Conversations for agents: OpenAI's wire, and a plain chat API.",
            "version", version()));
    document.put("servers", List.of(Map.of("url", "/")));
    document.put("security", List.of(Map.of("token", List.of()), Map.of("cookie", List.of())));
    document.put("paths", paths);
    Map<String, Object> components = new LinkedHashMap<>();
    components.put(
        "securitySchemes",
        Map.of(
            "token", Map.of("type", "http", "scheme", "bearer"),
            "cookie", Map.of("type", "apiKey", "in", "cookie", "name", "clew")));
    components.put("parameters", parameters(object(api.get("parameters"))));
    components.put("schemas", object(api.get("schemas")));
    document.put("components", components);
    return Json.write(document);
  }

  /** The routes that are described: not those under the names that clients may leave out. */
  public static List<Route> described(List<Route> routes) {
    Set<String> all = routes.stream().map(Route::toString).collect(Collectors.toSet());
    return routes.stream()
        .filter(route -> !all.contains(route.at("/v1" + route.path()).toString()))
        .toList();
  }

  /** The operations that are described, by method and path. */
  public static Set<String> operations() {
    return new TreeSet<>(object(api().get("operations")).keySet());
  }

  private static Map<String, Object> operation(Route route, Map<String, Object> described) {
    boolean open = route.scope() == Scope.OPEN;
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("summary", route.summary());
    operation.put("tags", List.of(tag(route)));
    if (open) {
      operation.put("security", List.of());
    } else {
      operation.put("x-scope", route.scope().name().toLowerCase(Locale.ROOT));
    }
    List<Object> parameters = new ArrayList<>();
    Matcher names = PARAMETER.matcher(route.path());
    while (names.find()) {
      parameters.add(
          Map.of(
              "name",
              names.group(1),
              "in",
              "path",
              "required",
              true,
              "schema",
              Map.of("type", "string")));
    }
    for (Object name : list(described.get("query"))) {
      parameters.add(Map.of("$ref", "#/components/parameters/" + parameter((String) name)));
    }
    if (!parameters.isEmpty()) {
      operation.put("parameters", parameters);
    }
    Object body = described.get("body");
    if (body != null) {
      operation.put(
          "requestBody",
          Map.of(
              "required",
              !described.containsKey("optional_body"),
              "content",
              Map.of(
                  described.getOrDefault("body_type", "application/json"),
                  content((String) body))));
    }
    operation.put("responses", responses(route, described, body != null));
    return operation;
  }

  private static Map<String, Object> responses(
      Route route, Map<String, Object> described, boolean hasBody) {
    Map<String, Object> responses = new LinkedHashMap<>();
    if (described.containsKey("returns")) {
      Map<String, Object> content = new LinkedHashMap<>();
      object(described.get("returns"))
          .forEach((type, schema) -> content.put(type, content((String) schema)));
      responses.put("200", Map.of("description", "Done.", "content", content));
    }
    String error = route.path().startsWith("/api/") ? "ApiError" : "Error";
    Map<String, Object> errorContent = Map.of("application/json", Map.of("schema", schema(error)));
    for (String status : errors(route, described, hasBody)) {
      responses.put(status, Map.of("description", reason(status), "content", errorContent));
    }
    if (described.containsKey("others")) {
      object(described.get("others"))
          .forEach(
              (status, type) ->
                  responses.put(
                      status,
                      type.equals("")
                          ? Map.of("description", reason(status))
                          : Map.of(
                              "description",
                              reason(status),
                              "content",
                              Map.of(type, content("")))));
    }
    return responses;
  }

  /** What has a content of this schema; without a name, any text. */
  private static Map<String, Object> content(String schema) {
    return Map.of("schema", schema.isEmpty() ? Map.of("type", "string") : schema(schema));
  }

  private static String reason(String status) {
    return REASONS.getOrDefault(status, "Something else.");
  }

  private static Set<String> errors(Route route, Map<String, Object> described, boolean hasBody) {
    Stream<String> common =
        route.scope() == Scope.OPEN
            ? Stream.of("400", "403", "500")
            : Stream.of("400", "401", "403", "429", "500", "503");
    Set<String> errors = common.collect(Collectors.toCollection(TreeSet::new));
    if (hasBody) {
      errors.add("413");
    }
    if (route.path().contains("{")) {
      errors.add("404");
    }
    list(described.get("errors")).forEach(status -> errors.add(String.valueOf(status)));
    return errors;
  }

  private static String tag(Route route) {
    String path = route.path();
    if (path.startsWith("/v1/")) {
      return path.split("/", -1)[2];
    }
    return path.startsWith("/api/") ? "chat" : "server";
  }

  private static Map<String, Object> parameters(Map<String, Object> described) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    described.forEach((name, value) -> parameters.put(parameter(name), value));
    return parameters;
  }

  /** A name that may stand in a reference. */
  private static String parameter(String name) {
    return name.replace("[]", "");
  }

  private static Map<String, Object> schema(String name) {
    return Map.of("$ref", "#/components/schemas/" + name);
  }

  private static String version() {
    String version = OpenApi.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static Map<String, Object> api() {
    try (InputStream in = OpenApi.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + RESOURCE + " is missing");
      }
      return Json.readObject(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  private static List<?> list(@Nullable Object value) {
    return value == null ? List.of() : (List<?>) value;
  }
}
