package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.errors.SseException;
import com.openai.models.responses.ResponseCreateParams;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.EventReader;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The events of a streamed response, as they stand on the wire. */
class ResponseEventsTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final ScriptedModel model = new ScriptedModel();
  private final LiveServer live = new LiveServer(store, settings -> settings.model(model, "tiny"));
  private final String bearer = "Bearer " + live.token("ann");

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private EventReader ask(String more) {
    return live.events(
        "POST",
        "/v1/responses",
        "{\"model\":\"tiny\",\"stream\":true,\"input\":\"hi\"" + more + "}",
        "Authorization",
        bearer);
  }

  private List<EventReader.Event> events(String more) {
    try (EventReader reader = ask(more)) {
      List<EventReader.Event> all = reader.rest();
      assertThat(all.get(all.size() - 1).data()).isEqualTo("[DONE]");
      List<EventReader.Event> events = all.subList(0, all.size() - 1);
      for (int i = 0; i < events.size(); i++) {
        assertThat(events.get(i).number()).isEqualTo(i);
        assertThat(Json.string(events.get(i).fields().get("type"))).isEqualTo(events.get(i).name());
        assertThat(events.get(i).fields().containsKey("error"))
            .isEqualTo(events.get(i).name().equals("error"));
      }
      return events;
    }
  }

  private static List<String> names(List<EventReader.Event> events) {
    return events.stream().map(event -> event.name().replace("response.", "")).toList();
  }

  private static Map<String, String> response(EventReader.Event event) {
    return Json.fields(event.fields().get("response"));
  }

  /** What a event says, with ids of this run replaced by their prefix. */
  private static String shape(EventReader.Event event) {
    return event.data().replaceAll("([a-z]+)_[0-9a-f]{50}", "$1_");
  }

  @Test
  void aStreamHasTheHeadersThatKeepOthersFromHoldingItBack() {
    try (EventReader reader = ask("")) {
      var headers = reader.response().headers();
      assertThat(headers.firstValue("content-type").orElseThrow()).startsWith("text/event-stream");
      assertThat(headers.firstValue("cache-control")).hasValue("no-store");
      assertThat(headers.firstValue("x-accel-buffering")).hasValue("no");
      assertThat(headers.firstValue("x-request-id")).isPresent();
      assertThat(reader.rest()).isNotEmpty();
    }
  }

  @Test
  void aTextComesInThisOrderWithTheseFields() {
    model.thenText("Hel", "lo");
    List<EventReader.Event> events = events("");
    assertThat(names(events))
        .containsExactly(
            "created",
            "in_progress",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "completed");
    assertThat(events.subList(2, 9))
        .extracting(ResponseEventsTest::shape)
        .containsExactly(
            "{\"type\":\"response.output_item.added\",\"sequence_number\":2,\"output_index\":0,"
                + "\"item\":{\"id\":\"msg_\",\"type\":\"message\",\"status\":\"in_progress\","
                + "\"content\":[],\"role\":\"assistant\"}}",
            "{\"type\":\"response.content_part.added\",\"sequence_number\":3,\"item_id\":\"msg_\","
                + "\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_text\","
                + "\"text\":\"\",\"annotations\":[],\"logprobs\":[]}}",
            "{\"type\":\"response.output_text.delta\",\"sequence_number\":4,\"item_id\":\"msg_\","
                + "\"output_index\":0,\"content_index\":0,\"delta\":\"Hel\",\"logprobs\":[]}",
            "{\"type\":\"response.output_text.delta\",\"sequence_number\":5,\"item_id\":\"msg_\","
                + "\"output_index\":0,\"content_index\":0,\"delta\":\"lo\",\"logprobs\":[]}",
            "{\"type\":\"response.output_text.done\",\"sequence_number\":6,\"item_id\":\"msg_\","
                + "\"output_index\":0,\"content_index\":0,\"text\":\"Hello\",\"logprobs\":[]}",
            "{\"type\":\"response.content_part.done\",\"sequence_number\":7,\"item_id\":\"msg_\","
                + "\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_text\","
                + "\"text\":\"Hello\",\"annotations\":[],\"logprobs\":[]}}",
            "{\"type\":\"response.output_item.done\",\"sequence_number\":8,\"output_index\":0,"
                + "\"item\":{\"id\":\"msg_\",\"status\":\"completed\",\"type\":\"message\","
                + "\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
                + "\"text\":\"Hello\",\"annotations\":[],\"logprobs\":[]}]}}");
    assertThat(response(events.get(0)))
        .containsEntry("status", "\"in_progress\"")
        .containsEntry("output", "[]")
        .containsEntry("usage", "null")
        .containsEntry("service_tier", "\"auto\"")
        .containsEntry("completed_at", "null");
    assertThat(response(events.get(9)))
        .containsEntry("status", "\"completed\"")
        .containsEntry("service_tier", "\"default\"")
        .containsEntry("output", "[" + events.get(8).fields().get("item") + "]");
  }

  @Test
  void aCallIsToldWithItsNameBeforeItsArguments() {
    Item call = Item.functionCall("call_1", "weather", "{\"city\":\"Kyoto\"}");
    model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.ItemStarted(Item.functionCall("call_1", "weather", "")));
          listener.accept(new ModelEvent.ArgumentsDelta("call_1", "{\"city\":"));
          listener.accept(new ModelEvent.ArgumentsDelta("call_1", "\"Kyoto\"}"));
          return ScriptedModel.counted(call);
        });
    List<EventReader.Event> events = events("");
    assertThat(names(events).subList(2, 7))
        .containsExactly(
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done");
    assertThat(shape(events.get(2)))
        .contains(
            "\"item\":{\"id\":\"fc_\",\"type\":\"function_call\",\"status\":\"in_progress\","
                + "\"arguments\":\"\",\"call_id\":\"call_1\",\"name\":\"weather\"}");
    assertThat(shape(events.get(5)))
        .endsWith(
            "\"item_id\":\"fc_\",\"output_index\":0,\"name\":\"weather\","
                + "\"arguments\":\"{\\\"city\\\":\\\"Kyoto\\\"}\"}");
  }

  @Test
  void aModelThatSaysOnlyAtTheEndWhatItCallsIsToldAsAWhole() {
    model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.ArgumentsDelta("call_1", "{}"));
          return ScriptedModel.counted(
              Item.functionCall("call_1", "a", "{}"), Item.functionCall("call_2", "b", "{}"));
        });
    List<EventReader.Event> events = events("");
    assertThat(names(events).subList(2, 10))
        .containsExactly(
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done",
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done");
  }

  @Test
  void reasoningComesBeforeTheTextItLedTo_underTheIdThatItsProviderGaveIt() {
    Item reasoning =
        Item.parse(
            "{\"id\":\"rs_up\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\","
                + "\"text\":\"Hm.\"}],\"encrypted_content\":\"gAAA\"}");
    model.then(
        (request, listener) -> {
          listener.accept(
              new ModelEvent.ItemStarted(
                  Item.parse("{\"id\":\"rs_up\",\"type\":\"reasoning\",\"summary\":[]}")));
          listener.accept(new ModelEvent.ReasoningDelta("Hm."));
          listener.accept(new ModelEvent.ItemDone(reasoning));
          listener.accept(new ModelEvent.TextDelta("Yes."));
          return ScriptedModel.counted(reasoning, Item.assistant("Yes."));
        });
    List<EventReader.Event> events = events("");
    assertThat(names(events))
        .containsExactly(
            "created",
            "in_progress",
            "output_item.added",
            "reasoning_summary_part.added",
            "reasoning_summary_text.delta",
            "reasoning_summary_text.done",
            "reasoning_summary_part.done",
            "output_item.done",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "completed");
    assertThat(events.get(7).fields()).containsEntry("item", reasoning.json());
    assertThat(events.get(8).fields()).containsEntry("output_index", "1");

    String id = Json.string(response(events.get(0)).get("id"));
    assertThat(events(",\"previous_response_id\":\"" + id + "\"")).isNotEmpty();
    assertThat(model.lastRequest().input().get(1)).isEqualTo(reasoning);
  }

  @Test
  void reasoningInClearIsText() {
    model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.ReasoningDelta("Hm."));
          listener.accept(new ModelEvent.TextDelta("Yes."));
          return ScriptedModel.counted(
              Item.parse(
                  "{\"type\":\"reasoning\",\"summary\":[],\"content\":"
                      + "[{\"type\":\"reasoning_text\",\"text\":\"Hm.\"}]}"),
              Item.assistant("Yes."));
        });
    assertThat(names(events("")))
        .containsSubsequence(
            "output_item.added",
            "content_part.added",
            "reasoning_text.delta",
            "reasoning_text.done",
            "content_part.done",
            "output_item.added",
            "output_text.delta",
            "completed");
  }

  @Test
  void aRefusalIsNoText() {
    Item refused =
        Item.parse(
            "{\"type\":\"message\",\"role\":\"assistant\",\"content\":"
                + "[{\"type\":\"refusal\",\"refusal\":\"No.\"}]}");
    model.thenItems(refused);
    model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.RefusalDelta("No."));
          return ScriptedModel.counted(refused);
        });
    for (int i = 0; i < 2; i++) {
      assertThat(names(events("")).subList(3, 7))
          .containsExactly(
              "content_part.added", "refusal.delta", "refusal.done", "content_part.done");
    }
  }

  @Test
  void anAnswerThatWasFilteredSaysSo() {
    model.then(
        (request, listener) ->
            new ModelResponse(
                List.of(Item.assistant("Half")),
                Usage.NONE,
                Optional.empty(),
                Optional.of("content_filter")));
    List<EventReader.Event> events = events("");
    assertThat(names(events)).endsWith("incomplete");
    assertThat(events.get(events.size() - 1).data())
        .contains("\"incomplete_details\":{\"reason\":\"content_filter\"}");
  }

  @Test
  void aCompactionOnTheWayIsAnItemOfTheOutput() {
    String id = conversation();
    store
        .session(new SessionKey("ann", id))
        .addItems(List.of(Item.user("word ".repeat(1500)), Item.assistant("Indeed.")));
    model.thenText("Many words.");
    List<EventReader.Event> events =
        events(
            ",\"conversation\":\""
                + id
                + "\",\"context_management\":[{\"type\":\"compaction\","
                + "\"compact_threshold\":1000}]");
    assertThat(names(events))
        .startsWith(
            "created",
            "in_progress",
            "output_item.added",
            "output_item.done",
            "output_item.added",
            "content_part.added")
        .endsWith("completed");
    assertThat(events.get(3).fields().get("item")).contains("\"type\":\"compaction\"");
    assertThat(response(events.get(events.size() - 1)).get("usage"))
        .contains("\"input_tokens\":60"); // of the summary and of the answer
  }

  @Test
  void anAnswerThatWasCutOffIsIncomplete() {
    model.thenItems(
        Item.parse(
            "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"incomplete\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"Once upon\"}]}"));
    List<EventReader.Event> events = events("");
    EventReader.Event last = events.get(events.size() - 1);
    assertThat(last.name()).isEqualTo("response.incomplete");
    assertThat(response(last))
        .containsEntry("status", "\"incomplete\"")
        .containsEntry("incomplete_details", "{\"reason\":\"max_output_tokens\"}");
  }

  @Test
  void aFailureIsAnErrorAndThenAFailedResponse_andNothingIsWritten() {
    String id = conversation();
    model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.TextDelta("Half"));
          throw new ClewException.ModelFailed("secret", null, true);
        });
    List<EventReader.Event> events = events(",\"conversation\":\"" + id + "\"");
    assertThat(names(events)).endsWith("output_text.delta", "error", "failed");
    EventReader.Event error = events.get(events.size() - 2);
    assertThat(error.fields()).containsEntry("code", "\"server_error\"").containsKey("message");
    assertThat(Json.fields(error.fields().get("error")))
        .containsKeys("type", "code", "message", "param");
    assertThat(error.data()).doesNotContain("secret");
    assertThat(response(events.get(events.size() - 1))).containsEntry("status", "\"failed\"");
    assertThat(store.session(new SessionKey("ann", id)).getItems()).isEmpty();
    String response = Json.string(response(events.get(0)).get("id"));
    assertThat(live.send("GET", "/v1/responses/" + response, "", "Authorization", bearer).body())
        .contains("\"status\":\"failed\"");
  }

  private String conversation() {
    return Json.string(
        Json.fields(live.send("POST", "/v1/conversations", "{}", "Authorization", bearer).body())
            .get("id"));
  }

  @Test
  void theOfficialClientThrowsAtAnErrorInAStream() {
    model.thenFail(new ClewException.ModelFailed("secret", null, true));
    try (var stream =
        live.openAi("ann")
            .responses()
            .createStreaming(ResponseCreateParams.builder().model("tiny").input("hi").build())) {
      assertThatThrownBy(() -> stream.stream().forEach(event -> {}))
          .isInstanceOf(SseException.class);
    }
  }

  @Test
  void whatIsWrongBeforeTheFirstEventIsAnOrdinaryAnswer() {
    try (EventReader reader = ask(",\"conversation\":\"conv_none\"")) {
      assertThat(reader.response().statusCode()).isEqualTo(404);
      assertThat(reader.response().headers().firstValue("content-type").orElseThrow())
          .startsWith("application/json");
    }
  }
}
