package dev.clew.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.View;
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

/** Items as messages and back. */
class ChatModelTest {
  private final TestServer server = new TestServer();
  private final Model model =
      OpenAiModels.builder(Map.of()).baseUrl(server.baseUrl()).modelName("local").chat();

  @AfterEach
  void stop() {
    server.close();
  }

  private static String completion(String message, String finish) {
    return "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,"
        + "\"message\":"
        + message
        + ",\"finish_reason\":\""
        + finish
        + "\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4,\"total_tokens\":13,"
        + "\"prompt_tokens_details\":{\"cached_tokens\":5},"
        + "\"completion_tokens_details\":{\"reasoning_tokens\":2}}}";
  }

  private static String text(String text) {
    return completion("{\"role\":\"assistant\",\"content\":\"" + text + "\"}", "stop");
  }

  private Map<String, String> sent() {
    return Json.fields(server.last().body());
  }

  private List<String> messages(Item... items) {
    server.then(TestServer.json(200, text("ok")));
    model.respond(ModelRequest.of("", List.of(items)));
    return Json.elements(sent().get("messages"));
  }

  @Test
  void aTextIsAskedAndAnswered() {
    server.then(TestServer.json(200, text("San \\u00e9 \\ud83d")));

    ModelResponse response = model.respond(ModelRequest.of("Be brief.", List.of(Item.user("?"))));

    TestServer.Received received = server.last();
    assertThat(received.method() + " " + received.path()).isEqualTo("POST /v1/chat/completions");
    assertThat(received.body())
        .isEqualTo(
            "{\"model\":\"local\",\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},"
                + "{\"role\":\"user\",\"content\":\"?\"}]}");
    assertThat(response.output())
        .extracting(Item::json)
        .containsExactly(
            "{\"type\":\"message\",\"role\":\"assistant\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"San \\u00e9 \\ud83d\"}]}");
    assertThat(response.usage()).isEqualTo(new Usage(1, 9, 5, 4, 2));
    assertThat(response.responseId()).isEmpty();
  }

  @Test
  void aModelsBreathIsOneMessage() {
    assertThat(
            messages(
                Item.developer("Rules"),
                Item.user("Weather?"),
                Item.parse(
                    "{\"type\":\"reasoning\",\"summary\":[],\"content\":"
                        + "[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]}"),
                Item.assistant("Let me look."),
                Item.functionCall("c1", "weather", "{\"city\":\"Oslo\"}"),
                Item.functionCall("c2", "weather", "{\"city\":\"Rome\"}"),
                Item.functionCallOutput("c1", "rain"),
                Item.functionCallOutput("c2", "sun")))
        .containsExactly(
            "{\"role\":\"system\",\"content\":\"Rules\"}",
            "{\"role\":\"user\",\"content\":\"Weather?\"}",
            "{\"role\":\"assistant\",\"content\":\"Let me look.\",\"reasoning_content\":\"hm\","
                + "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":"
                + "{\"name\":\"weather\",\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\"}\"}},"
                + "{\"id\":\"c2\",\"type\":\"function\",\"function\":"
                + "{\"name\":\"weather\",\"arguments\":\"{\\\"city\\\":\\\"Rome\\\"}\"}}]}",
            "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"rain\"}",
            "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"sun\"}");
  }

  @Test
  void whatWasThoughtInEarlierTurnsIsNotSent() {
    assertThat(
            messages(
                Item.user("1"),
                Item.parse(
                    "{\"type\":\"reasoning\",\"summary\":[],\"content\":"
                        + "[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]}"),
                Item.functionCall("c1", "f", "{}"),
                Item.functionCallOutput("c1", "x"),
                Item.assistant("done"),
                Item.user("2")))
        .hasSize(5)
        .noneMatch(message -> message.contains("hm"));
  }

  @Test
  void picturesSoundsAndFilesAreSent() {
    assertThat(
            messages(
                Item.parse(
                    "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Look\"},"
                        + "{\"type\":\"input_image\",\"image_url\":\"https://i\",\"detail\":\"low\"},"
                        + "{\"type\":\"audio\",\"audio_url\":\"https://a\",\"transcript\":\"hi\"},"
                        + "{\"type\":\"input_audio\",\"input_audio\":"
                        + "{\"data\":\"AAA\",\"format\":\"mp3\"}},"
                        + "{\"type\":\"input_file\",\"filename\":\"a.pdf\",\"file_data\":\"BBB\"},"
                        + "{\"type\":\"input_file\",\"filename\":\"a.txt\","
                        + "\"file_data\":\"data:text/plain;base64,aMO8\"}]}"),
                Item.functionCall("c1", "draw", "{}"),
                Item.parse(
                    "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":["
                        + "{\"type\":\"input_text\",\"text\":\"Here: \"},"
                        + "{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,C\"}]}")))
        .containsExactly(
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Look\"},"
                + "{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://i\",\"detail\":\"low\"}},"
                + "{\"type\":\"text\",\"text\":\"hi\"},"
                + "{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"AAA\",\"format\":\"mp3\"}},"
                + "{\"type\":\"file\",\"file\":{\"filename\":\"a.pdf\",\"file_data\":\"BBB\"}},"
                + "{\"type\":\"text\",\"text\":\"[file: a.txt]\\nhü\"}]}",
            "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\","
                + "\"type\":\"function\",\"function\":{\"name\":\"draw\",\"arguments\":\"{}\"}}]}",
            "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"Here: [image]\"}",
            "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":"
                + "{\"url\":\"data:image/png;base64,C\"}}]}");
  }

  @Test
  void refusalsAndSummariesAreSentAndWhatCannotBeSaidIsLeftOut() {
    assertThat(
            messages(
                Item.parse("{\"type\":\"compaction\",\"summary\":\"They met.\"}"),
                Item.parse(
                    "{\"role\":\"assistant\",\"content\":"
                        + "[{\"type\":\"refusal\",\"refusal\":\"I can't.\"}]}"),
                Item.parse("{\"type\":\"web_search_call\",\"id\":\"ws_1\"}"),
                Item.parse("{\"type\":\"adk_event\",\"n\":1}"),
                Item.user("Why?")))
        .containsExactly(
            "{\"role\":\"system\",\"content\":"
                + "\"Summary of the conversation until here:\\nThey met.\"}",
            "{\"role\":\"assistant\",\"content\":null,\"refusal\":\"I can't.\"}",
            "{\"role\":\"user\",\"content\":\"Why?\"}");
  }

  @Test
  void toolsSettingsAndTheShapeOfTheAnswerAreSent() {
    server.then(TestServer.json(200, text("{}")));

    model.respond(
        new ModelRequest(
            "other",
            "",
            List.of(Item.user("?")),
            List.of(new ToolSpec("f", "Does", "{\"type\":\"object\"}", true)),
            Optional.of(new OutputSchema("Answer", "{\"type\":\"object\"}", true)),
            ModelSettings.DEFAULT
                .toolChoice("f")
                .maxOutputTokens(50)
                .temperature(0.5)
                .truncation("auto")
                .with("reasoning", Map.of("effort", "high"))
                .with("seed", 7),
            Optional.empty(),
            Optional.empty()));

    assertThat(sent())
        .containsEntry("model", "\"other\"")
        .containsEntry(
            "tools",
            "[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\"Does\","
                + "\"parameters\":{\"type\":\"object\"},\"strict\":true}}]")
        .containsEntry("tool_choice", "{\"type\":\"function\",\"function\":{\"name\":\"f\"}}")
        .containsEntry(
            "response_format",
            "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"Answer\","
                + "\"schema\":{\"type\":\"object\"},\"strict\":true}}")
        .containsEntry("max_tokens", "50")
        .containsEntry("temperature", "0.5")
        .containsEntry("reasoning_effort", "\"high\"")
        .containsEntry("seed", "7")
        .doesNotContainKeys("truncation", "max_output_tokens", "reasoning", "stream");
  }

  @Test
  void callsReasoningAndRefusalsComeBackAsItems() {
    server.then(
        TestServer.json(
            200,
            completion(
                "{\"role\":\"assistant\",\"content\":null,\"refusal\":\"No\","
                    + "\"reasoning\":\"hm\",\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\","
                    + "\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1e400}\"}},"
                    + "{\"function\":{\"name\":\"g\",\"arguments\":{\"b\":2}}}]}",
                "tool_calls")));

    List<Item> output = model.respond(ModelRequest.of("", List.of(Item.user("?")))).output();

    assertThat(output).hasSize(4);
    assertThat(output.get(0).json())
        .isEqualTo(
            "{\"type\":\"reasoning\",\"summary\":[],\"content\":"
                + "[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]}");
    assertThat(output.get(1).json()).contains("{\"type\":\"refusal\",\"refusal\":\"No\"}");
    assertThat(output.get(2).view()).isEqualTo(new View.FunctionCall("c1", "f", "{\"a\":1e400}"));
    View.FunctionCall second = (View.FunctionCall) output.get(3).view();
    assertThat(second.callId()).startsWith("call_");
    assertThat(second.arguments()).isEqualTo("{\"b\":2}");
  }

  private static String sameId(int index) {
    return "{\"index\":"
        + index
        + ",\"id\":\"call_0\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"i\\\":"
        + index
        + "}\"}}";
  }

  @Test
  void callsWithTheSameIdGetDifferentOnes() {
    String calls = "\"tool_calls\":[" + sameId(0) + "," + sameId(1) + "]";
    server.then(
        TestServer.json(
            200,
            completion("{\"role\":\"assistant\",\"content\":null," + calls + "}", "tool_calls")));
    ModelRequest request = ModelRequest.of("", List.of(Item.user("?")));
    assertDifferent(model.respond(request).output());

    server.then(
        TestServer.events(
            "{\"choices\":[{\"index\":0,\"delta\":{" + calls + "}}]}",
            "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}",
            "[DONE]"));
    List<ModelEvent> events = new ArrayList<>();
    List<Item> output = model.stream(request, events::add).output();
    assertDifferent(output);
    View.FunctionCall second = (View.FunctionCall) output.get(1).view();
    assertThat(events).contains(new ModelEvent.ArgumentsDelta(second.callId(), "{\"i\":1}"));
  }

  private static void assertDifferent(List<Item> calls) {
    assertThat(calls).hasSize(2);
    View.FunctionCall first = (View.FunctionCall) calls.get(0).view();
    View.FunctionCall second = (View.FunctionCall) calls.get(1).view();
    assertThat(first).isEqualTo(new View.FunctionCall("call_0", "f", "{\"i\":0}"));
    assertThat(second.callId()).startsWith("call_").isNotEqualTo("call_0");
    assertThat(second.arguments()).isEqualTo("{\"i\":1}");
  }

  @Test
  void anAnswerThatWasTooLongIsIncomplete() {
    server.then(
        TestServer.json(
            200, completion("{\"role\":\"assistant\",\"content\":\"Once\"}", "length")));

    assertThat(model.respond(ModelRequest.of("", List.of(Item.user("?")))).output())
        .extracting(Item::json)
        .containsExactly(
            "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"incomplete\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"Once\"}]}");
  }

  @Test
  void aStreamIsPutTogether() {
    server.then(
        TestServer.events(
            "{\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}",
            "{\"choices\":[{\"delta\":{\"reasoning_content\":\"h\"}}]}",
            "{\"choices\":[{\"delta\":{\"reasoning_content\":\"m\"}}]}",
            "{\"choices\":[{\"delta\":{\"content\":\"San \"}}]}",
            "{\"choices\":[{\"delta\":{\"content\":\"Jos\\u00e9\"}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\","
                + "\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,"
                + "\"function\":{\"arguments\":\"{\\\"a\\\"\"}}]}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,"
                + "\"function\":{\"arguments\":\":1}\"}}]}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"c2\","
                + "\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]}}]}",
            "{\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}",
            "{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}",
            "[DONE]"));
    List<ModelEvent> events = new ArrayList<>();

    ModelResponse response =
        model.stream(ModelRequest.of("", List.of(Item.user("?"))), events::add);

    assertThat(sent())
        .containsEntry("stream", "true")
        .containsEntry("stream_options", "{\"include_usage\":true}");
    assertThat(events)
        .containsExactly(
            new ModelEvent.ReasoningDelta("h"),
            new ModelEvent.ReasoningDelta("m"),
            new ModelEvent.TextDelta("San "),
            new ModelEvent.TextDelta("Jos\u00e9"),
            new ModelEvent.ItemStarted(Item.functionCall("c1", "f", "")),
            new ModelEvent.ArgumentsDelta("c1", "{\"a\""),
            new ModelEvent.ArgumentsDelta("c1", ":1}"),
            new ModelEvent.ItemStarted(Item.functionCall("c2", "g", "")),
            new ModelEvent.ArgumentsDelta("c2", "{}"));
    assertThat(response.output())
        .extracting(Item::json)
        .containsExactly(
            "{\"type\":\"reasoning\",\"summary\":[],\"content\":"
                + "[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]}",
            Item.assistant("San Jos\u00e9").json(),
            Item.functionCall("c1", "f", "{\"a\":1}").json(),
            Item.functionCall("c2", "g", "{}").json());
    assertThat(response.usage()).isEqualTo(new Usage(1, 9, 0, 4, 0));
  }

  @Test
  void aRefusalIsNoText_andAFilteredAnswerSaysSo() {
    server.then(
        TestServer.events(
            "{\"choices\":[{\"delta\":{\"refusal\":\"I \"}}]}",
            "{\"choices\":[{\"delta\":{\"refusal\":\"can't.\"}}]}",
            "{\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}",
            "[DONE]"));
    List<ModelEvent> events = new ArrayList<>();
    ModelResponse response =
        model.stream(ModelRequest.of("", List.of(Item.user("?"))), events::add);
    assertThat(events)
        .containsExactly(new ModelEvent.RefusalDelta("I "), new ModelEvent.RefusalDelta("can't."));
    assertThat(response.output().get(0).json()).contains("\"refusal\":\"I can't.\"");
    assertThat(response.incomplete()).hasValue("content_filter");
  }

  @Test
  void aConversationAtTheProviderIsRefused() {
    assertThatThrownBy(
            () ->
                model.respond(
                    new ModelRequest(
                        "",
                        "",
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        ModelSettings.DEFAULT,
                        Optional.of("conv_1"),
                        Optional.empty())))
        .isInstanceOf(ClewException.NotSupported.class)
        .hasMessageContaining("responses()");
  }

  @Test
  void theFormatOfTheAnswerIsSent() {
    server.then(TestServer.json(200, text("{}"))).then(TestServer.json(200, text("{}")));
    Map<String, Object> json = Map.of("format", Map.of("type", "json_object"), "verbosity", "low");
    model.respond(ModelRequest.of("", List.of(Item.user("hi"))).settings(textSettings(json)));
    assertThat(sent().get("response_format")).isEqualTo("{\"type\":\"json_object\"}");
    assertThat(sent().get("verbosity")).isEqualTo("\"low\"");

    Map<String, Object> schema =
        Map.of("format", Map.of("type", "json_schema", "name", "n", "schema", Map.of()));
    model.respond(ModelRequest.of("", List.of(Item.user("hi"))).settings(textSettings(schema)));
    Map<String, String> format = Json.fields(sent().get("response_format"));
    assertThat(format.get("type")).isEqualTo("\"json_schema\"");
    assertThat(Json.fields(format.get("json_schema"))).containsOnlyKeys("name", "schema");
  }

  private static ModelSettings textSettings(Map<String, Object> value) {
    return ModelSettings.DEFAULT.with("text", value);
  }
}
