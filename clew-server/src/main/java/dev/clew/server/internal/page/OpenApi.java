package dev.clew.server.internal.page;

import static java.util.Map.entry;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI document of a table of routes. Stateless. The resource {@code api.json} describes
 * what each route takes and returns.
 */
public final class OpenApi {
  private static final String RESOURCE = "api.json";
  private static final Pattern PARAMETER = Pattern.compile("[{<](\\w+)[}>]");
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          entry("101", "The connection is a WebSocket now."),
          entry("202", "Accepted."),
          entry("302", "Found at another address."),
          entry("303", "See another address."),
          entry("304", "Not modified."),
          entry("400", "The request is invalid."),
          entry("401", "The token is missing or invalid."),
          entry("403", "The caller may not do this."),
          entry("404", "It does not exist, or belongs to another owner."),
          entry("405", "The method is not allowed."),
          entry("406", "The caller does not accept the answer."),
          entry("409", "It conflicts with another request or with the current state."),
          entry("413", "The body is too large."),
          entry("415", "The body has another type, or a Content-Encoding other than gzip or zstd."),
          entry("426", "The client did not ask for a WebSocket."),
          entry("429", "Too many requests; Retry-After says when to try again."),
          entry("500", "The server failed."),
          entry("502", "The model failed."),
          entry("503", "Unavailable at the moment; Retry-After says when to try again."));

  private OpenApi() {}

  /**
   * The document.
   *
   * @throws IllegalStateException if a route is not described
   */
  public static String of(List<Route> routes) {
    Map<String, Object> api = api();
    Map<String, Object> operations = object(api.get("operations"));
    Map<String, JsonObject> byPath = new LinkedHashMap<>();
    for (Route route : described(routes)) {
      Object operation = operations.get(route.toString());
      if (operation == null) {
        throw new IllegalStateException(route + " is not described in " + RESOURCE);
      }
      String path = route.path().replace('<', '{').replace('>', '}'); // may contain slashes
      byPath
          .computeIfAbsent(path, each -> new JsonObject())
          .put(route.method().name().toLowerCase(Locale.ROOT), operation(route, object(operation)));
    }
    JsonObject paths = new JsonObject();
    byPath.forEach(paths::put);
    JsonObject parameters = new JsonObject();
    object(api.get("parameters"))
        .forEach((name, value) -> parameters.put(withoutBrackets(name), value));
    JsonObject schemes =
        new JsonObject()
            .put("token", Map.of("type", "http", "scheme", "bearer"))
            .put("cookie", Map.of("type", "apiKey", "in", "cookie", "name", "clew"));
    return new JsonObject()
        .put("openapi", "3.1.0")
        .put(
            "info",
            new JsonObject()
                .put("title", "Clew")
                .put("description", "Sessions for agents: OpenAI's API, and a simple chat API.")
                .put("version", version()))
        .put("servers", List.of(Map.of("url", "/")))
        .put("security", List.of(Map.of("token", List.of()), Map.of("cookie", List.of())))
        .put("paths", paths)
        .put(
            "components",
            new JsonObject()
                .put("securitySchemes", schemes)
                .put("parameters", parameters)
                .put("schemas", api.get("schemas")))
        .toString();
  }

  /** The routes that are described: each one once, under the path with the version. */
  public static List<Route> described(List<Route> routes) {
    Set<String> all = routes.stream().map(Route::toString).collect(Collectors.toSet());
    return routes.stream()
        .filter(route -> !all.contains(route.at("/v1" + route.path()).toString()))
        .toList();
  }

  /** The operations in the resource, by method and path. */
  public static Set<String> operations() {
    return new TreeSet<>(object(api().get("operations")).keySet());
  }

  private static JsonObject operation(Route route, Map<String, Object> described) {
    JsonObject operation =
        new JsonObject().put("summary", route.summary()).put("tags", List.of(tag(route)));
    if (route.scope() == Scope.OPEN) {
      operation.put("security", List.of());
    } else {
      operation.put("x-scope", route.scope().word());
    }
    List<JsonObject> parameters = new ArrayList<>();
    PARAMETER
        .matcher(route.path())
        .results()
        .forEach(
            name ->
                parameters.add(
                    new JsonObject()
                        .put("name", name.group(1))
                        .put("in", "path")
                        .put("required", true)
                        .put("schema", Map.of("type", "string"))));
    for (Object name : list(described.get("query"))) {
      String reference = "#/components/parameters/" + withoutBrackets((String) name);
      parameters.add(new JsonObject().put("$ref", reference));
    }
    if (!parameters.isEmpty()) {
      operation.putAll("parameters", parameters);
    }
    if (described.get("body") instanceof String body) {
      String type = (String) described.getOrDefault("body_type", "application/json");
      operation.put(
          "requestBody",
          new JsonObject()
              .put("required", !described.containsKey("optional_body"))
              .put("content", content(type, body)));
    }
    return operation.put("responses", responses(route, described));
  }

  private static JsonObject responses(Route route, Map<String, Object> described) {
    JsonObject responses = new JsonObject();
    if (described.containsKey("returns")) {
      JsonObject content = new JsonObject();
      object(described.get("returns"))
          .forEach((type, schema) -> content.put(type, schema((String) schema)));
      responses.put("200", new JsonObject().put("description", "Success.").put("content", content));
    }
    String usual = route.path().startsWith("/api/") ? "ApiError" : "Error";
    String error = (String) described.getOrDefault("error", usual);
    Map<String, Object> others =
        described.containsKey("others") ? object(described.get("others")) : Map.of();
    Set<String> errors = errors(route, described);
    for (String status : errors) {
      JsonObject content = content("application/json", error);
      if (others.get(status) instanceof String type) { // for people
        content.put(type, schema(""));
      }
      responses.put(status, reason(status).put("content", content));
    }
    others.forEach(
        (status, type) -> {
          if (!errors.contains(status)) {
            responses.put(
                status,
                type.equals("")
                    ? reason(status)
                    : reason(status).put("content", content((String) type, "")));
          }
        });
    return responses;
  }

  private static JsonObject content(String type, String schema) {
    return new JsonObject().put(type, schema(schema));
  }

  /** Content of a schema; without a name, any text. */
  private static JsonObject schema(String name) {
    return new JsonObject()
        .put(
            "schema",
            name.isEmpty()
                ? Map.of("type", "string")
                : Map.of("$ref", "#/components/schemas/" + name));
  }

  private static JsonObject reason(String status) {
    return new JsonObject().put("description", REASONS.getOrDefault(status, "Another response."));
  }

  private static Set<String> errors(Route route, Map<String, Object> described) {
    Set<String> errors =
        new TreeSet<>(
            route.scope() == Scope.OPEN
                ? List.of("400", "403", "500")
                : List.of("400", "401", "403", "429", "500", "503"));
    if (described.containsKey("body")) {
      errors.addAll(List.of("413", "415"));
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

  /** References may not contain brackets. */
  private static String withoutBrackets(String name) {
    return name.replace("[]", "");
  }

  private static String version() {
    String version = OpenApi.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static Map<String, Object> api() {
    return Json.readObject(Assets.text(RESOURCE));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  private static List<?> list(@Nullable Object value) {
    return value == null ? List.of() : (List<?>) value;
  }
}
