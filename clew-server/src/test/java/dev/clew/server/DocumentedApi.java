package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.page.OpenApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Holds answers against the OpenAPI document: the status, the type of the content and every field
 * must be there. Thread-safe. The clients of the tests show it all that they are answered.
 */
public final class DocumentedApi {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String EVENTS = "text/event-stream";
  private static final Pattern DATA = Pattern.compile("(?m)^data: (.*)$");
  private static final Map<String, DocumentedApi> KNOWN = new ConcurrentHashMap<>();

  private final JsonNode document;
  private final ObjectNode components;
  private final List<Path> paths = new ArrayList<>();
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  private record Path(Pattern pattern, String path) {}

  private DocumentedApi(String text) {
    try {
      document = JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    components = document.get("components").deepCopy();
    close(components.get("schemas"));
    document
        .get("paths")
        .fieldNames()
        .forEachRemaining(
            path ->
                paths.add(
                    new Path(
                        // The names of files may have slashes.
                        Pattern.compile(
                            path.replace("{name}", ".+").replaceAll("\\{\\w+}", "[^/]+")),
                        path)));
  }

  static DocumentedApi of(List<Route> routes) {
    return KNOWN.computeIfAbsent(OpenApi.of(routes), DocumentedApi::new);
  }

  /** Clients must bear new fields, so the document leaves objects open; our tests must not. */
  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object
        && object.get("properties") instanceof ObjectNode
        && object.path("type").asText().equals("object")
        && !object.has("additionalProperties")) {
      object.put("additionalProperties", false);
    }
    schema.forEach(DocumentedApi::close);
  }

  /** What a path answers with events, each of which is to be checked. */
  record Answered(DocumentedApi api, String method, String path) {
    void checkEvent(String data) {
      if (!data.equals("[DONE]")) {
        api.checkOne(method, path, 200, EVENTS, data);
      }
    }
  }

  Answered answered(String method, String path) {
    return new Answered(this, method, path);
  }

  /**
   * Fails if an answer is not what the document says.
   *
   * @param path with its query
   * @param contentType empty if there was none
   */
  public void check(String method, String path, int status, String contentType, String body) {
    if (method.equals("OPTIONS") || method.equals("HEAD")) {
      return; // what browsers ask before they ask, and what has no body
    }
    if (contentType.startsWith(EVENTS)) {
      Answered answered = answered(method, path);
      DATA.matcher(body).results().forEach(line -> answered.checkEvent(line.group(1)));
    } else {
      checkOne(method, path, status, contentType, body);
    }
  }

  private void checkOne(String method, String path, int status, String contentType, String body) {
    String what = method + " " + path + " → " + status + " " + contentType + "\n" + body;
    Optional<JsonNode> operation = operation(method, path.replaceAll("\\?.*", ""));
    if (operation.isEmpty()) { // no route: what Dispatcher says of it
      assertThat(status).as("not documented: %s", what).isEqualTo(404);
      validate(path.startsWith("/api/") ? "ApiError" : "Error", body, what);
      return;
    }
    JsonNode answer = operation.get().path("responses").path(String.valueOf(status));
    assertThat(answer.isObject()).as("the status is not documented: %s", what).isTrue();
    if (!answer.has("content")) {
      assertThat(body).as(what).isEmpty();
      return;
    }
    String type = contentType.replaceAll(";.*", "").toLowerCase(Locale.ROOT).strip();
    JsonNode contents = answer.get("content");
    JsonNode content = contents.has("*/*") ? contents.get("*/*") : contents.path(type);
    assertThat(content.isObject()).as("the type is not documented: %s", what).isTrue();
    String reference = content.path("schema").path("$ref").asText();
    if (!reference.isEmpty()) {
      validate(reference.substring(reference.lastIndexOf('/') + 1), body, what);
    }
  }

  private Optional<JsonNode> operation(String method, String path) {
    String versioned =
        path.matches("/(conversations|responses|models|chat/completions)(/.*)?")
            ? "/v1" + path
            : path;
    return paths.stream()
        .filter(each -> each.pattern().matcher(versioned).matches())
        .map(each -> document.get("paths").get(each.path()).get(method.toLowerCase(Locale.ROOT)))
        .filter(each -> each != null)
        .findFirst();
  }

  private void validate(String name, String body, String what) {
    Schema schema = schemas.computeIfAbsent(name, this::schema);
    assertThat(schema.validate(body, InputFormat.JSON)).as("not as documented: %s", what).isEmpty();
  }

  private Schema schema(String name) {
    ObjectNode root = JSON.createObjectNode();
    root.put("$ref", "#/components/schemas/" + name);
    root.set("components", components);
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(root);
  }
}
