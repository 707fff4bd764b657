package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.memory.MemoryStore;
import dev.clew.server.EventReader;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.internal.wire.WireItems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every response object and event has the fields that Open Responses requires. */
class OpenResponsesTest {
  private static final String INTEGER = "-?\\d+";
  private static final String NUMBER = "-?\\d+(\\.\\d+)?";
  private static final String FLAG = "true|false";
  private static final String TEXT = "\".*\"";
  private static final String OBJECT = "\\{.*}";
  private static final String LIST = "\\[.*]";

  /** The fields of a response, and what their JSON text is like. */
  private static final Map<String, String> REQUIRED =
      Map.ofEntries(
          Map.entry("id", TEXT),
          Map.entry("object", "\"response\""),
          Map.entry("created_at", INTEGER),
          Map.entry("completed_at", orNull(INTEGER)),
          Map.entry("status", TEXT),
          Map.entry("incomplete_details", orNull("\\{\"reason\":\".*\"}")),
          Map.entry("model", TEXT),
          Map.entry("previous_response_id", orNull(TEXT)),
          Map.entry("instructions", orNull(TEXT)),
          Map.entry("output", LIST),
          Map.entry("error", orNull("\\{\"code\":\".*\",\"message\":\".*\"}")),
          Map.entry("tools", LIST),
          Map.entry("tool_choice", TEXT + "|" + OBJECT),
          Map.entry("truncation", "\"(auto|disabled)\""),
          Map.entry("parallel_tool_calls", FLAG),
          Map.entry("text", "\\{.*\"format\":.*}"),
          Map.entry("top_p", NUMBER),
          Map.entry("presence_penalty", NUMBER),
          Map.entry("frequency_penalty", NUMBER),
          Map.entry("top_logprobs", INTEGER),
          Map.entry("temperature", NUMBER),
          Map.entry("reasoning", "\\{.*\"effort\":.*\"summary\":.*}"),
          Map.entry("usage", orNull("\\{.*\"cached_tokens\":.*\"reasoning_tokens\":.*}")),
          Map.entry("max_output_tokens", orNull(INTEGER)),
          Map.entry("max_tool_calls", orNull(INTEGER)),
          Map.entry("store", FLAG),
          Map.entry("background", FLAG),
          Map.entry("service_tier", TEXT),
          Map.entry("metadata", orNull(OBJECT)),
          Map.entry("safety_identifier", orNull(TEXT)),
          Map.entry("prompt_cache_key", orNull(TEXT)));

  private final MemoryStore store = MemoryStore.builder().build();
  private final ScriptedModel model = new ScriptedModel();
  private final LiveServer live = new LiveServer(store, settings -> settings.model(model, "tiny"));
  private final String bearer = "Bearer " + live.token("ann");

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private static String orNull(String shape) {
    return "null|" + shape;
  }

  private static Map<String, String> checked(String response) {
    Map<String, String> fields = Json.fields(response);
    REQUIRED.forEach(
        (name, shape) -> assertThat(fields.get(name)).as(name).isNotNull().matches(shape));
    return fields;
  }

  private String body(String more) {
    return "{\"model\":\"tiny\",\"input\":\"hi\"" + more + "}";
  }

  private Map<String, String> made(String more) {
    return checked(live.send("POST", "/v1/responses", body(more), "Authorization", bearer).body());
  }

  private Map<String, String> read(String id) {
    return checked(live.send("GET", "/v1/responses/" + id, "", "Authorization", bearer).body());
  }

  private List<EventReader.Event> streamed(String more) {
    try (EventReader reader =
        live.events(
            "POST", "/v1/responses", body(",\"stream\":true" + more), "Authorization", bearer)) {
      return reader.rest().stream().filter(event -> !event.data().equals("[DONE]")).toList();
    }
  }

  private static String id(Map<String, String> response) {
    return Json.string(response.get("id"));
  }

  @Test
  void aResponseHasThem_alsoWhenItIsReadBack() {
    Map<String, String> made = made("");
    assertThat(made)
        .containsEntry("presence_penalty", "0")
        .containsEntry("status", "\"completed\"");
    assertThat(read(id(made))).isEqualTo(made);
  }

  @Test
  void everyEventThatCarriesAResponseHasThem() {
    List<Map<String, String>> responses =
        streamed("").stream()
            .filter(event -> event.fields().containsKey("response"))
            .map(event -> checked(event.fields().get("response")))
            .toList();
    assertThat(responses).hasSize(3);
    assertThat(read(id(responses.get(2)))).isEqualTo(responses.get(2));
  }

  @Test
  void aFailedOneHasThem() {
    model.thenFail(new ClewException.ModelFailed("down", null, false));
    List<EventReader.Event> events = streamed("");
    EventReader.Event last = events.get(events.size() - 1);
    assertThat(last.name()).isEqualTo("response.failed");
    Map<String, String> failed = checked(last.fields().get("response"));
    assertThat(failed).containsEntry("status", "\"failed\"");
    assertThat(read(id(failed))).isEqualTo(failed);
  }

  @Test
  void anIncompleteOneHasThem() {
    model.thenItems(
        Item.parse(
            "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"incomplete\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"once\"}]}"));
    Map<String, String> made = made("");
    assertThat(made).containsEntry("status", "\"incomplete\"");
    assertThat(read(id(made))).isEqualTo(made);
  }

  @Test
  void oneThatAnEarlierVersionStoredHasThem() {
    String id = id(made(""));
    String name = "response/" + id;
    var record = store.documents().get("ann", name).orElseThrow();
    Map<String, String> stored = new LinkedHashMap<>(Json.fields(record.json()));
    Map<String, String> response = new LinkedHashMap<>(Json.fields(stored.get("response")));
    response.keySet().removeAll(List.of("presence_penalty", "frequency_penalty"));
    response.put("output", response.get("output").replace("\"role\"", "\"phase\":null,\"role\""));
    stored.put("response", WireItems.object(response));
    store
        .documents()
        .put("ann", name, WireItems.object(stored), OptionalLong.empty(), Optional.empty());
    Map<String, String> read = read(id);
    assertThat(read).containsEntry("frequency_penalty", "0");
    assertThat(read.get("output")).contains("\"role\":\"assistant\"").doesNotContain("phase");
  }

  @Test
  void whatWasAskedForIsUsedAndSaid() {
    Map<String, String> made = made(",\"presence_penalty\":0.5,\"frequency_penalty\":-2");
    assertThat(made)
        .containsEntry("presence_penalty", "0.5")
        .containsEntry("frequency_penalty", "-2");
    assertThat(model.lastRequest().settings().get("presence_penalty").orElseThrow())
        .hasToString("0.5");
    assertThat(model.lastRequest().settings().get("frequency_penalty").orElseThrow())
        .hasToString("-2");
  }

  @Test
  void itemsHaveNoNulls_whichOnlyOpenAisOwnClientsTake() {
    model.thenItems(
        Item.parse(
            "{\"type\":\"reasoning\",\"summary\":[],\"content\":null,\"encrypted_content\":null}"),
        Item.parse(
            "{\"type\":\"message\",\"role\":\"assistant\",\"phase\":null,\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"yes\",\"annotations\":null}]}"));
    List<String> output = Json.elements(made("").get("output"));
    assertThat(Json.fields(output.get(0)))
        .containsOnlyKeys("id", "type", "summary")
        .doesNotContainValue("null");
    assertThat(Json.fields(output.get(1)))
        .containsOnlyKeys("id", "type", "role", "status", "content");
    assertThat(output.get(1)).contains("\"annotations\":[]");
  }

  @Test
  void aFunctionToolIsShownWithAllItsFields() {
    Map<String, String> made = made(",\"tools\":[{\"type\":\"function\",\"name\":\"f\"}]");
    assertThat(made)
        .containsEntry(
            "tools",
            "["
                + new JsonObject()
                    .put("type", "function")
                    .put("name", "f")
                    .put("description", (Object) null)
                    .raw("parameters", "{}")
                    .put("strict", true)
                + "]");
  }
}
