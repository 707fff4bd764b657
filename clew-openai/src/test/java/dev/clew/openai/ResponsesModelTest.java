package dev.clew.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.ModelSettings;
import dev.clew.agent.OutputSchema;
import dev.clew.agent.ToolSpec;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes to the Responses API and what comes back. */
class ResponsesModelTest {
  private static final String ODD =
      "{\"zeta\":1e400,\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\","
          + "\"text\":\"\\u00e9\\/\\ud800 \u4f60\u597d \\u0000\",\"later\":{\"b\":0.10,\"a\":null}}],"
          + "\"alpha\":123456789012345678901234567890}";
  private static final String ODD_ANSWER =
      "{\"status\":\"completed\",\"id\":\"msg_1\",\"x\":-0.0,\"role\":\"assistant\",\"content\":"
          + "[{\"text\":\"\\u003cb\\u003e \\ud83d\",\"type\":\"output_text\",\"p\":1E+2}],"
          + "\"type\":\"message\"}";

  private final TestServer server = new TestServer();
  private final Model model =
      OpenAiModels.builder(Map.of())
          .baseUrl(server.baseUrl())
          .apiKey("sk-test-key-12345678")
          .organization("org_1")
          .project("proj_1")
          .modelName("gpt-test")
          .responses();

  @AfterEach
  void stop() {
    server.close();
  }

  private static String response(String... output) {
    return "{\"id\":\"resp_1\",\"object\":\"response\",\"created_at\":1,\"status\":\"completed\","
        + "\"error\":null,\"incomplete_details\":null,\"output\":["
        + String.join(",", output)
        + "],\"usage\":{\"input_tokens\":36,\"input_tokens_details\":{\"cached_tokens\":12,"
        + "\"cache_write_tokens\":0},\"output_tokens\":8,\"output_tokens_details\":"
        + "{\"reasoning_tokens\":3},\"total_tokens\":44}}";
  }

  private static ModelRequest request(Item... items) {
    return ModelRequest.of("Be brief.", List.of(items));
  }

  private Map<String, String> sent() {
    return Json.fields(server.last().body());
  }

  @Test
  void itemsGoOutAndComeBackByteForByte() {
    server.then(TestServer.json(200, response(ODD_ANSWER)));

    ModelResponse response = model.respond(request(Item.parse(ODD), Item.user("plain")));

    assertThat(sent().get("input")).isEqualTo("[" + ODD + "," + Item.user("plain").json() + "]");
    assertThat(response.output()).extracting(Item::json).containsExactly(ODD_ANSWER);
  }

  @Test
  void itemsComeBackByteForByteFromAStreamToo() {
    server.then(
        TestServer.events(
            "{\"type\":\"response.completed\",\"response\":" + response(ODD_ANSWER) + "}"));

    ModelResponse response = model.stream(request(Item.parse(ODD)), event -> {});

    assertThat(sent().get("input")).isEqualTo("[" + ODD + "]");
    assertThat(sent().get("stream")).isEqualTo("true");
    assertThat(response.output()).extracting(Item::json).containsExactly(ODD_ANSWER);
  }

  @Test
  void anAnswerHasItsUsageAndItsId() {
    server.then(TestServer.json(200, response(ODD_ANSWER)));

    ModelResponse response = model.respond(request(Item.user("Hello")));

    assertThat(response.usage()).isEqualTo(new Usage(1, 36, 12, 8, 3));
    assertThat(response.responseId()).contains("resp_1");
    TestServer.Received received = server.last();
    assertThat(received.method() + " " + received.path()).isEqualTo("POST /v1/responses");
    assertThat(received.headers().getFirst("Authorization"))
        .isEqualTo("Bearer sk-test-key-12345678");
    assertThat(received.headers().getFirst("OpenAI-Organization")).isEqualTo("org_1");
    assertThat(received.headers().getFirst("OpenAI-Project")).isEqualTo("proj_1");
    assertThat(sent())
        .containsEntry("model", "\"gpt-test\"")
        .containsEntry("instructions", "\"Be brief.\"")
        .doesNotContainKeys("tools", "stream", "text", "conversation");
  }

  @Test
  void toolsSettingsAndTheShapeOfTheAnswerAreSent() {
    server.then(TestServer.json(200, response()));

    model.respond(
        new ModelRequest(
            "other-model",
            "",
            List.of(Item.user("Weather?")),
            List.of(
                new ToolSpec("weather", "The weather", "{\"type\":\"object\",\"n\":1e400}", true)),
            Optional.of(new OutputSchema("My Answer", "{\"type\":\"object\"}", true)),
            ModelSettings.DEFAULT
                .temperature(0.2)
                .toolChoice("weather")
                .store(false)
                .with("reasoning", Map.of("effort", "low"))
                .with("text", Map.of("verbosity", "low"))
                .with("tools", List.of(Map.of("type", "web_search"))),
            Optional.of("conv_9"),
            Optional.empty()));

    assertThat(sent())
        .containsEntry("model", "\"other-model\"")
        .containsEntry(
            "tools",
            "[{\"type\":\"function\",\"name\":\"weather\",\"description\":\"The weather\","
                + "\"parameters\":{\"type\":\"object\",\"n\":1e400},\"strict\":true},"
                + "{\"type\":\"web_search\"}]")
        .containsEntry("tool_choice", "{\"type\":\"function\",\"name\":\"weather\"}")
        .containsEntry(
            "text",
            "{\"verbosity\":\"low\",\"format\":{\"type\":\"json_schema\",\"name\":\"My_Answer\","
                + "\"schema\":{\"type\":\"object\"},\"strict\":true}}")
        .containsEntry("temperature", "0.2")
        .containsEntry("store", "false")
        .containsEntry("reasoning", "{\"effort\":\"low\"}")
        .containsEntry("include", "[\"reasoning.encrypted_content\"]")
        .containsEntry("conversation", "\"conv_9\"")
        .doesNotContainKeys("instructions", "previous_response_id");
  }

  @Test
  void aResponseCanFollowAnother() {
    server.then(TestServer.json(200, response()));

    model.respond(
        new ModelRequest(
            "",
            "",
            List.of(Item.user("And?")),
            List.of(),
            Optional.empty(),
            ModelSettings.DEFAULT.toolChoice("required"),
            Optional.empty(),
            Optional.of("resp_0")));

    assertThat(sent())
        .containsEntry("previous_response_id", "\"resp_0\"")
        .doesNotContainKeys("conversation", "tool_choice");
  }

  @Test
  void shortPartTypesAreWrittenInTheWordsOfTheApi() {
    server.then(TestServer.json(200, response()));
    Item user =
        Item.parse(
            "{\"role\":\"user\",\"content\":[{\"text\":\"a\\u0062\",\"type\":\"text\"},"
                + "{\"type\":\"image\",\"image_url\":\"https://x/y.jpg\",\"detail\":\"low\"},"
                + "{\"type\":\"audio\",\"audio_url\":\"https://x/y.mp3\",\"transcript\":\"hi\"},"
                + "{\"type\":\"audio\",\"audio_url\":\"data:audio/mpeg;base64,AAAA\"},"
                + "{\"type\":\"input_text\",\"text\":\"z\"}],\"q\":1e400}");
    Item assistant =
        Item.message(
            Role.ASSISTANT,
            List.of(
                Part.parse("{\"type\":\"text\",\"text\":\"b\"}"), Part.image("https://i", null)));
    Item output =
        Item.parse(
            "{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":"
                + "[{\"type\":\"image\",\"image_url\":\"https://z\"}]}");

    model.respond(request(user, assistant, output));

    assertThat(Json.elements(sent().get("input")))
        .containsExactly(
            "{\"role\":\"user\",\"content\":[{\"text\":\"a\\u0062\",\"type\":\"input_text\"},"
                + "{\"type\":\"input_image\",\"image_url\":\"https://x/y.jpg\",\"detail\":\"low\"},"
                + "{\"type\":\"input_text\",\"text\":\"hi\"},"
                + "{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"AAAA\",\"format\":\"mp3\"}},"
                + "{\"type\":\"input_text\",\"text\":\"z\"}],\"q\":1e400}",
            "{\"type\":\"message\",\"role\":\"assistant\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"b\"},"
                + "{\"type\":\"output_text\",\"text\":\"[image: https://i]\"}]}",
            "{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":"
                + "[{\"type\":\"input_image\",\"image_url\":\"https://z\",\"detail\":\"auto\"}]}");
  }

  @Test
  void reasoningIsSentBackUnlessTheServerCannotKnowIt() {
    server.then(TestServer.json(200, response()));
    Item kept = Item.parse("{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[]}");
    Item sealed =
        Item.parse("{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gAAA\"}");
    Item foreign =
        Item.parse(
            "{\"type\":\"reasoning\",\"summary\":[],\"content\":"
                + "[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]}");
    Item compaction = Item.parse("{\"type\":\"compaction\",\"summary\":\"They met.\"}");

    model.respond(request(kept, sealed, foreign, compaction));

    assertThat(Json.elements(sent().get("input")))
        .containsExactly(
            kept.json(),
            sealed.json(),
            Item.developer("Summary of the conversation until here:\nThey met.").json());
  }

  @Test
  void whatAnotherFrameworkKeepsForItselfIsNotSentAndOtherUnknownTypesAre() {
    server.then(TestServer.json(200, response(Item.assistant("ok").json())));
    Item ofTomorrow = Item.parse("{\"type\":\"hologram_call\",\"id\":\"h_1\"}");

    model.respond(
        request(
            Item.parse("{\"type\":\"langchain4j_custom\",\"text\":\"x\"}"),
            Item.parse("{\"type\":\"springai_media\",\"text\":\"x\"}"),
            ofTomorrow,
            Item.parse("{\"type\":\"adk_event\",\"text\":\"x\"}"),
            Item.parse("{\"type\":\"agentscope_hint\",\"text\":\"x\"}"),
            Item.user("?")));

    assertThat(Json.elements(Json.fields(server.last().body()).get("input")))
        .containsExactly(ofTomorrow.json(), Item.user("?").json());
  }

  @Test
  void aStreamGivesTextReasoningAndArgumentsAsTheyCome() {
    String call =
        "{\"id\":\"fc_1\",\"type\":\"function_call\",\"status\":\"completed\","
            + "\"arguments\":\"{\\\"a\\\":1}\",\"call_id\":\"call_1\",\"name\":\"weather\"}";
    server.then(
        TestServer.events(
            "{\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\"}}",
            "{\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"Hm\"}",
            "{\"type\":\"response.output_text.delta\",\"delta\":\"San \"}",
            "{\"type\":\"response.output_text.delta\",\"delta\":\"Francisco\\u00e9\"}",
            "{\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":"
                + "{\"id\":\"fc_1\",\"type\":\"function_call\",\"call_id\":\"call_1\"}}",
            "{\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"fc_1\","
                + "\"delta\":\"{\\\"a\\\":\"}",
            "{\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"fc_1\","
                + "\"delta\":\"1}\"}",
            "{\"type\":\"vendor.unknown\",\"x\":1}",
            "{\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":" + call + "}",
            "{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":"
                + ODD_ANSWER
                + "}",
            "{\"type\":\"response.completed\",\"response\":" + response() + "}",
            "[DONE]"));
    List<ModelEvent> events = new ArrayList<>();

    ModelResponse response = model.stream(request(Item.user("?")), events::add);

    assertThat(events)
        .containsExactly(
            new ModelEvent.ReasoningDelta("Hm"),
            new ModelEvent.TextDelta("San "),
            new ModelEvent.TextDelta("Francisco\u00e9"),
            new ModelEvent.ItemStarted(
                Item.parse("{\"id\":\"fc_1\",\"type\":\"function_call\",\"call_id\":\"call_1\"}")),
            new ModelEvent.ArgumentsDelta("call_1", "{\"a\":"),
            new ModelEvent.ArgumentsDelta("call_1", "1}"),
            new ModelEvent.ItemDone(Item.parse(call)),
            new ModelEvent.ItemDone(Item.stored(ODD_ANSWER)));
    assertThat(response.output()).extracting(Item::json).containsExactly(ODD_ANSWER, call);
    assertThat(response.usage().outputTokens()).isEqualTo(8);
  }

  @Test
  void aRefusalIsNoText_andAFilteredAnswerSaysSo() {
    String item =
        "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"incomplete\",\"content\":"
            + "[{\"type\":\"refusal\",\"refusal\":\"No.\"}]}";
    server.then(
        TestServer.events(
            "{\"type\":\"response.refusal.delta\",\"delta\":\"No.\"}",
            "{\"type\":\"response.incomplete\",\"response\":{\"id\":\"r\",\"status\":\"incomplete\","
                + "\"incomplete_details\":{\"reason\":\"content_filter\"},\"output\":["
                + item
                + "]}}"));
    List<ModelEvent> events = new ArrayList<>();
    ModelResponse response = model.stream(request(Item.user("?")), events::add);
    assertThat(events).containsExactly(new ModelEvent.RefusalDelta("No."));
    assertThat(response.incomplete()).hasValue("content_filter");

    server.then(TestServer.json(200, response(item)));
    events.clear();
    response = model.stream(request(Item.user("?")), events::add);
    assertThat(events).containsExactly(new ModelEvent.RefusalDelta("No."));
    assertThat(response.incomplete()).isEmpty();
  }

  @Test
  void aServerThatDoesNotStreamIsHeardToo() {
    server.then(TestServer.json(200, response(Item.assistant("All at once").json())));
    List<ModelEvent> events = new ArrayList<>();

    ModelResponse response = model.stream(request(Item.user("?")), events::add);

    assertThat(events).containsExactly(new ModelEvent.TextDelta("All at once"));
    assertThat(response.output()).containsExactly(Item.assistant("All at once"));
  }

  @Test
  void whatAListenerThrowsComesOut() {
    server.then(
        TestServer.events(
            "{\"type\":\"response.output_text.delta\",\"delta\":\"x\"}",
            "{\"type\":\"response.completed\",\"response\":" + response() + "}"));

    assertThatThrownBy(
            () ->
                model.stream(
                    request(Item.user("?")),
                    event -> {
                      throw new IllegalStateException("enough");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("enough");
  }
}
