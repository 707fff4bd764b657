package dev.clew.server.internal.completions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionDeleteParams;
import com.openai.models.chat.completions.ChatCompletionListParams;
import com.openai.models.chat.completions.ChatCompletionMessageToolCall;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.chat.completions.ChatCompletionUpdateParams;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.server.Caller;
import dev.clew.server.EventReader;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The official client, and the wire itself, against the Chat Completions API. */
class CompletionsTest {
  @TempDir Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private SessionStore store;
  private LiveServer live;
  private OpenAIClient ann;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("c.db"));
    live = new LiveServer(store, settings -> settings.model(model, "tiny", "gpt-tiny"));
    ann = live.openAi("ann");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private static ChatCompletionCreateParams.Builder ask(String text) {
    return ChatCompletionCreateParams.builder().model("gpt-tiny").addUserMessage(text);
  }

  private ChatCompletion create(ChatCompletionCreateParams.Builder params) {
    return ann.chat().completions().create(params.build());
  }

  private static String text(ChatCompletion completion) {
    return completion.choices().get(0).message().content().orElse("");
  }

  private HttpResponse<String> post(String body) {
    return live.send(
        "POST", "/v1/chat/completions", body, "Authorization", "Bearer " + live.token("ann"));
  }

  private static String body(String fields, String... messages) {
    return "{\"model\":\"m\"," + fields + "\"messages\":[" + String.join(",", messages) + "]}";
  }

  private static final String USER = "{\"role\":\"user\",\"content\":\"hi\"}";

  private List<ChatCompletionChunk> stream(ChatCompletionCreateParams.Builder params) {
    try (StreamResponse<ChatCompletionChunk> stream =
        ann.chat().completions().createStreaming(params.build())) {
      return stream.stream().toList();
    }
  }

  @Test
  void anAnswer_hasTextAndUsage() {
    ChatCompletion answer = create(ask("hello").addDeveloperMessage("Be brief."));

    assertThat(text(answer)).isEqualTo("echo hello");
    assertThat(answer.model()).isEqualTo("gpt-tiny");
    assertThat(answer.choices().get(0).finishReason())
        .isEqualTo(ChatCompletion.Choice.FinishReason.STOP);
    assertThat(answer.usage().orElseThrow().promptTokens()).isEqualTo(30);
    assertThat(answer.usage().orElseThrow().totalTokens()).isEqualTo(38);
    assertThat(model.lastShown()).containsExactly("hello", "Be brief.");
  }

  @Test
  void aStream_addsUpToTheAnswer() {
    ChatCompletionAccumulator sum = ChatCompletionAccumulator.create();
    List<ChatCompletionChunk> chunks =
        stream(
            ask("hello")
                .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build()));
    chunks.forEach(sum::accumulate);

    assertThat(text(sum.chatCompletion())).isEqualTo("echo hello");
    assertThat(chunks.get(0).choices().get(0).delta().role()).isPresent();
    assertThat(chunks.get(0).choices().get(0).delta().content()).contains("");
    ChatCompletionChunk last = chunks.get(chunks.size() - 1);
    assertThat(last.choices()).isEmpty();
    assertThat(last.usage().orElseThrow().totalTokens()).isEqualTo(38);
    assertThat(chunks.stream().map(ChatCompletionChunk::id).distinct()).hasSize(1);
  }

  @Test
  void usageInAStream_isOnlySentIfAskedFor_andTheStreamEndsWithDone() {
    String body = body("\"stream\":true,", USER);
    try (EventReader events =
        live.events(
            "POST", "/v1/chat/completions", body, "Authorization", "Bearer " + live.token("ann"))) {
      List<EventReader.Event> all = events.rest();
      assertThat(all).allSatisfy(event -> assertThat(event.name()).isEmpty());
      assertThat(all).noneSatisfy(event -> assertThat(event.data()).contains("\"usage\""));
      assertThat(all.get(all.size() - 1).data()).isEqualTo("[DONE]");
    }
  }

  private static ChatCompletionCreateParams.Builder withTool(
      ChatCompletionCreateParams.Builder params) {
    return params.addFunctionTool(
        FunctionDefinition.builder()
            .name("get_weather")
            .parameters(
                FunctionParameters.builder()
                    .putAdditionalProperty("type", JsonValue.from("object"))
                    .build())
            .build());
  }

  @Test
  void theClientRunsTools() {
    model.answers(
        Item.assistant("Let me see."), Item.functionCall("call_1", "get_weather", "{\"a\":1}"));
    ChatCompletion first = create(withTool(ask("weather?")));
    ChatCompletion.Choice choice = first.choices().get(0);
    assertThat(choice.finishReason()).isEqualTo(ChatCompletion.Choice.FinishReason.TOOL_CALLS);
    ChatCompletionMessageToolCall call = choice.message().toolCalls().orElseThrow().get(0);
    assertThat(call.asFunction().function().name()).isEqualTo("get_weather");
    assertThat(model.lastRequest().tools().get(0).name()).isEqualTo("get_weather");

    model.says("18 degrees");
    ChatCompletion second =
        create(
            withTool(ask("weather?"))
                .addMessage(choice.message())
                .addMessage(
                    ChatCompletionToolMessageParam.builder()
                        .toolCallId("call_1")
                        .content("18")
                        .build()));
    assertThat(text(second)).isEqualTo("18 degrees");
    assertThat(model.lastShown())
        .containsExactly("weather?", "Let me see.", "function_call", "function_call_output");
  }

  @Test
  void callsInAStream_areJoinedByTheirIndex() {
    model.then(
        (request, listener) -> {
          Item first = Item.functionCall("call_1", "get_weather", "{\"city\":\"Oslo\"}");
          Item second = Item.functionCall("call_2", "get_weather", "{}");
          listener.accept(
              new ModelEvent.ItemStarted(Item.functionCall("call_1", "get_weather", "")));
          listener.accept(new ModelEvent.ArgumentsDelta("call_1", "{\"city\":"));
          return ScriptedModel.counted(first, second);
        });
    ChatCompletionAccumulator sum = ChatCompletionAccumulator.create();
    stream(withTool(ask("weather?"))).forEach(sum::accumulate);

    List<ChatCompletionMessageToolCall> calls =
        sum.chatCompletion().choices().get(0).message().toolCalls().orElseThrow();
    assertThat(calls.stream().map(call -> call.asFunction().function().arguments()))
        .containsExactly("{\"city\":\"Oslo\"}", "{}");
    assertThat(calls.stream().map(call -> call.asFunction().id()))
        .containsExactly("call_1", "call_2");
  }

  @Test
  void functionsFromBeforeTools_areAnsweredInTheirOwnForm() {
    model.calls("call_1", "get", "{}");
    Map<String, String> message =
        message(post(body("\"functions\":[{\"name\":\"get\"}],", USER)).body());
    assertThat(message.get("function_call")).isEqualTo("{\"name\":\"get\",\"arguments\":\"{}\"}");

    model.says("done");
    post(
        body(
            "",
            USER,
            "{\"role\":\"assistant\",\"content\":null,\"function_call\":"
                + message.get("function_call")
                + "}",
            "{\"role\":\"function\",\"name\":\"get\",\"content\":\"x\"}"));
    assertThat(model.lastShown()).containsExactly("hi", "function_call", "function_call_output");
  }

  private static Map<String, String> message(String body) {
    List<String> choices = Json.elements(Json.fields(body).getOrDefault("choices", "[]"));
    return Json.fields(Json.fields(choices.get(0)).getOrDefault("message", "{}"));
  }

  @Test
  void picturesFilesAndSound_reachTheModel() {
    post(
        body(
            "",
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"see\"},"
                + "{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x.org/a.png\",\"detail\":\"low\"}},"
                + "{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"AAAA\",\"format\":\"wav\"}},"
                + "{\"type\":\"file\",\"file\":{\"file_data\":\"data:text/plain;base64,aGk=\",\"filename\":\"a.txt\"}}]}"));

    View.Message said = (View.Message) model.lastRequest().input().get(0).view();
    assertThat(said.content().stream().map(part -> part.type()))
        .containsExactly("input_text", "input_image", "input_audio", "input_file");
  }

  @Test
  void settings_reachTheModelUnderTheirNamesInTheResponsesApi() {
    post(
        body(
            "\"max_tokens\":5,\"max_completion_tokens\":7,\"temperature\":0.5,\"stop\":[\"x\"],"
                + "\"reasoning_effort\":\"low\",\"verbosity\":\"low\",\"user\":{\"id\":1},"
                + "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"get\"}},"
                + "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"get\"}}],"
                + "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"s\",\"schema\":{\"type\":\"object\"},\"strict\":true}},",
            USER,
            "{\"role\":\"assistant\",\"content\":\"a\"}",
            USER));

    ModelRequest request = model.lastRequest();
    Map<String, Object> settings = request.settings().fields();
    assertThat(settings.get("max_output_tokens")).isEqualTo(7L);
    assertThat(settings)
        .containsEntry("stop", List.of("x"))
        .containsEntry("tool_choice", "get")
        .containsEntry("reasoning", Map.of("effort", "low"))
        .doesNotContainKeys("user", "max_tokens");
    assertThat(request.outputSchema().orElseThrow().name()).isEqualTo("s");
    assertThat(request.outputSchema().orElseThrow().strict()).isTrue();
  }

  @Test
  void allowedTools_areTheOnlyOnesThatTheModelSees() {
    String tools =
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"a\"}},"
            + "{\"type\":\"function\",\"function\":{\"name\":\"b\"}}],"
            + "\"tool_choice\":{\"type\":\"allowed_tools\",\"allowed_tools\":{\"mode\":\"required\","
            + "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"b\"}}]}},";
    post(body(tools, USER));

    assertThat(model.lastRequest().tools()).hasSize(1);
    assertThat(model.lastRequest().settings().get("tool_choice")).contains("required");
  }

  @Test
  void reasoning_isSentBesideTheText() {
    model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.ReasoningDelta("hm"));
          listener.accept(new ModelEvent.TextDelta("yes"));
          Item thought =
              Item.parse(
                  "{\"type\":\"reasoning\",\"summary\":[],\"content\":[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]}");
          return ScriptedModel.counted(thought, Item.assistant("yes"));
        });
    String answer = post(body("\"stream\":true,", USER)).body();
    assertThat(answer).contains("\"delta\":{\"reasoning_content\":\"hm\"}");
    assertThat(answer).contains("\"delta\":{\"content\":\"yes\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"messages\":[]}|model|missing_required_parameter",
        "{\"model\":\"m\"}|messages|missing_required_parameter",
        "{\"model\":\"m\",\"messages\":[]}|messages|empty_array",
        "{\"model\":\"m\",\"messages\":{}}|messages|invalid_type",
        "{\"model\":\"m\",\"messages\":[{\"role\":\"x\",\"content\":\"\"}]}|messages[0].role|invalid_value",
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\"}]}|messages[0].content|missing_required_parameter",
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":7}]}|messages[0].content|invalid_type",
        "{\"model\":\"m\",\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"\"}]}|messages[0].tool_call_id|null",
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"video\"}]}]}|messages[0].content[0].type|invalid_value",
        "{\"model\":\"m\",\"n\":2,\"messages\":[U]}|n|unsupported_value",
        "{\"model\":\"m\",\"stream_options\":{},\"messages\":[U]}|stream_options|invalid_value",
        "{\"model\":\"m\",\"modalities\":[\"audio\"],\"messages\":[U]}|modalities|unsupported_value",
        "{\"model\":\"m\",\"temperature\":3,\"messages\":[U]}|temperature|decimal_above_max_value",
        "{\"model\":\"m\",\"stop\":5,\"messages\":[U]}|stop|invalid_type",
        "{\"model\":\"m\",\"tools\":[{\"type\":\"mcp\"}],\"messages\":[U]}|tools[0].type|invalid_value",
        "{\"model\":\"m\",\"tools\":[{\"type\":\"custom\",\"custom\":{\"name\":\"sql\"}}],\"messages\":[U]}|tools[0]|unsupported_value",
        "{\"model\":\"m\",\"conversation\":\"conv_none\",\"messages\":[U]}|null|null",
        "{\"model\":\"m\",\"messages\":[U,{\"role\":\"assistant\",\"tool_calls\":[C]}]}|messages|null",
        "{\"model\":\"m\",\"messages\":[U,{\"role\":\"assistant\",\"tool_calls\":[C,C]}]}|messages[1].tool_calls[1].id|invalid_value",
      })
  void whatIsWrong_isRefusedByName_andNothingIsStored(String body, String param, String code) {
    String call =
        "{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}";
    HttpResponse<String> refused =
        post(body.replace("U", USER).replace("[C", "[" + call).replace(",C", "," + call));

    assertThat(refused.statusCode()).isIn(400, 404);
    Map<String, String> error =
        Json.fields(Json.fields(refused.body()).getOrDefault("error", "{}"));
    assertThat(String.valueOf(Json.string(error.get("param")))).isEqualTo(param);
    assertThat(String.valueOf(Json.string(error.get("code")))).isEqualTo(code);
    assertThat(Json.string(error.get("type"))).isEqualTo("invalid_request_error");
    assertThat(sessions()).isZero();
  }

  @Test
  void aWrongStopIsToldWhatItMayBe() {
    assertThat(post("{\"model\":\"m\",\"stop\":5,\"messages\":[" + USER + "]}").body())
        .contains("'stop': expected a string or an array of up to 4 strings, but got a number");
  }

  private int sessions() {
    return store.list(SessionQuery.of("ann")).sessions().size();
  }

  @Test
  void aHistoryThatIsTooLong_isRefused() {
    assertThatThrownBy(() -> create(ask("word ".repeat(130_000))))
        .isInstanceOfSatisfying(
            BadRequestException.class,
            e -> assertThat(e.code()).contains("context_length_exceeded"));
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void aHistoryThatIsMuchTooLong_isNotCountedToItsEnd() {
    String long30 = ChatClient.message("user", "word ".repeat(30_000));
    String[] messages = new String[20];
    Arrays.fill(messages, long30);
    assertThat(post(body("", messages)).body())
        .contains("context_length_exceeded")
        .containsPattern("at least 1[0-9]{5} tokens");
  }

  @Test
  void tooManyMessages_areRefused() {
    String many =
        IntStream.rangeClosed(0, MessageReader.MOST)
            .mapToObj(i -> USER)
            .collect(Collectors.joining(","));
    assertThat(post(body("", many)).body()).contains("array_above_max_length", "10000");
  }

  @Test
  void aMessageThatIsTooLong_isRefused() {
    String long10 = "{\"role\":\"user\",\"content\":\"" + "x".repeat(10 << 20) + "\"}";
    assertThat(post(body("", USER, long10)).body())
        .contains("string_above_max_length", "messages[1].content");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void aThousandCallsAndHalfCharacters_areTaken() {
    List<String> messages =
        new ArrayList<>(List.of("{\"role\":\"user\",\"content\":\"\\ud83d x\"}"));
    for (int i = 0; i < 1000; i++) {
      messages.add(
          "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_0\",\"type\":\"function\","
              + "\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"i\\\":"
              + i
              + "}\"}}]}");
      messages.add("{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"\\udc00\"}");
    }
    String body = body("", messages.toArray(String[]::new));
    assertThat(post(body).statusCode()).isEqualTo(200);
    assertThat(sessions()).isEqualTo(1);
    String again =
        body.replace("]}", "]}") // the same once more, with the answer
                .substring(0, body.length() - 2)
            + ",{\"role\":\"assistant\",\"content\":\"echo ? x\"},{\"role\":\"user\",\"content\":\"go on\"}]}";
    assertThat(post(again).statusCode()).isEqualTo(200);
  }

  @Test
  void aModelThatFails_isAnError_andNothingIsStored() {
    model.fails();
    assertThatThrownBy(() -> create(ask("hello"))).isInstanceOf(InternalServerException.class);
    model.fails();
    String stream = post(body("\"stream\":true,", USER)).body();
    assertThat(stream).contains("data: {\"error\":{").doesNotContain("[DONE]");
    assertThat(sessions()).isZero();
  }

  @Test
  void aStreamNamesItsSessionOnlyIfThatExists() {
    model.then(
        (request, listener) -> {
          listener.accept(new ModelEvent.TextDelta("half"));
          throw new ClewException.ModelFailed("gone", null, false);
        });
    HttpResponse<String> failed = post(body("\"stream\":true,", USER));
    assertThat(failed.headers().firstValue("X-Clew-Session")).isEmpty();
    assertThat(failed.body())
        .contains("\"half\"", "data: {\"error\":{")
        .doesNotContain("[DONE]", "\"stop\"");
    assertThat(sessions()).isZero();

    model.says("hello");
    HttpResponse<String> first = post(body("\"stream\":true,", USER));
    assertThat(first.headers().firstValue("X-Clew-Session")).isEmpty();
    String session = store.list(SessionQuery.of("ann")).sessions().get(0).key().id();
    String again =
        body("\"stream\":true,", USER, "{\"role\":\"assistant\",\"content\":\"hello\"}", USER);
    assertThat(post(again).headers().firstValue("X-Clew-Session")).hasValue(session);
    model.fails();
    assertThat(post(body("\"stream\":true,\"conversation\":\"" + session + "\",", USER)).body())
        .contains("data: {\"error\":{");
    assertThat(sessions()).isEqualTo(1);
  }

  private static final Item REFUSED =
      Item.parse(
          "{\"type\":\"message\",\"role\":\"assistant\",\"content\":"
              + "[{\"type\":\"refusal\",\"refusal\":\"I cannot help.\"}]}");

  @Test
  void aRefusalIsNoContent() {
    model.thenItems(REFUSED);
    ChatCompletion.Choice plain = create(ask("hello")).choices().get(0);
    assertThat(plain.message().refusal()).hasValue("I cannot help.");
    assertThat(plain.message().content()).isEmpty();
    assertThat(plain.finishReason()).isEqualTo(ChatCompletion.Choice.FinishReason.STOP);

    for (List<String> pieces : List.of(List.of("I cannot", " help."), List.<String>of())) {
      model.then(
          (request, listener) -> {
            pieces.forEach(piece -> listener.accept(new ModelEvent.RefusalDelta(piece)));
            return ScriptedModel.counted(REFUSED);
          });
      List<ChatCompletionChunk.Choice.Delta> deltas =
          stream(ask("hello")).stream().map(chunk -> chunk.choices().get(0).delta()).toList();
      assertThat(deltas.stream().flatMap(delta -> delta.refusal().stream()))
          .isEqualTo(pieces.isEmpty() ? List.of("I cannot help.") : pieces);
      assertThat(deltas.stream().flatMap(delta -> delta.content().stream())).containsExactly("");
    }
  }

  @Test
  void anAnswerThatWasFiltered_saysSo() {
    Item half =
        Item.parse(
            "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"incomplete\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"and then\"}]}");
    for (List<Item> output : List.of(List.of(half), List.<Item>of())) {
      ModelResponse filtered =
          new ModelResponse(output, Usage.NONE, Optional.empty(), Optional.of("content_filter"));
      model.then((request, listener) -> filtered).then((request, listener) -> filtered);
      assertThat(create(ask("hello")).choices().get(0).finishReason())
          .isEqualTo(ChatCompletion.Choice.FinishReason.CONTENT_FILTER);
      List<ChatCompletionChunk> chunks = stream(ask("hello"));
      assertThat(chunks.get(chunks.size() - 1).choices().get(0).finishReason())
          .hasValue(ChatCompletionChunk.Choice.FinishReason.CONTENT_FILTER);
    }
  }

  @Test
  void aClientThatLeaves_leavesWhatItHasSeen() {
    ScriptedModel.Held held = model.thenHold("seen", " never");
    try (EventReader events =
        live.events(
            "POST",
            "/v1/chat/completions",
            body("\"stream\":true,", USER),
            "Authorization",
            "Bearer " + live.token("ann"))) {
      Eventually.open("it has begun", held.begun);
      assertThat(events.next()).isPresent();
      assertThat(events.next()).isPresent();
    }
    Eventually.ask("recorded", this::sessions, count -> count == 1);
    Item last =
        store.list(SessionQuery.of("ann")).sessions().stream()
            .map(info -> store.session(info.key()).getItems())
            .findFirst()
            .map(items -> items.get(items.size() - 1))
            .orElseThrow();
    assertThat(last.json()).contains("\"seen\"", "\"incomplete\"");
  }

  @Test
  void anAnswerThatWasCut_saysSo() {
    model.thenItems(
        Item.parse(
            "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"incomplete\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"and then\"}]}"));
    assertThat(create(ask("hello")).choices().get(0).finishReason())
        .isEqualTo(ChatCompletion.Choice.FinishReason.LENGTH);
  }

  @Test
  void storedCompletions_areListedShownChangedAndDeleted() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 45; i++) {
      ids.add(
          create(
                  ask("message " + i)
                      .store(true)
                      .metadata(metadata("number", String.valueOf(i % 2))))
              .id());
    }
    create(ask("not stored"));
    var completions = ann.chat().completions();
    List<String> all = new ArrayList<>();
    completions.list().autoPager().forEach(each -> all.add(each.id()));
    assertThat(all).isEqualTo(ids);
    List<String> newest =
        completions
            .list(
                ChatCompletionListParams.builder()
                    .order(ChatCompletionListParams.Order.DESC)
                    .limit(7)
                    .build())
            .items()
            .stream()
            .map(ChatCompletion::id)
            .toList();
    assertThat(newest).hasSize(7).first().isEqualTo(ids.get(44));
    List<String> backwards = new ArrayList<>();
    completions
        .list(
            ChatCompletionListParams.builder()
                .order(ChatCompletionListParams.Order.DESC)
                .metadata(
                    ChatCompletionListParams.Metadata.builder()
                        .putAdditionalProperty("number", "1")
                        .build())
                .build())
        .autoPager()
        .forEach(each -> backwards.add(each.id()));
    assertThat(backwards).hasSize(22).first().isEqualTo(ids.get(43));

    ChatCompletion changed =
        completions.update(
            ChatCompletionUpdateParams.builder()
                .completionId(ids.get(0))
                .metadata(
                    ChatCompletionUpdateParams.Metadata.builder()
                        .putAdditionalProperty("a", JsonValue.from("b"))
                        .build())
                .build());
    assertThat(changed.id()).isEqualTo(ids.get(0));
    assertThat(
            live.send(
                    "GET",
                    "/v1/chat/completions/" + ids.get(0),
                    "",
                    "Authorization",
                    "Bearer " + live.token("ann"))
                .body())
        .contains("\"metadata\":{\"a\":\"b\"}");
    assertThat(text(completions.retrieve(ids.get(0)))).isEqualTo("echo message 0");
    List<String> messages = new ArrayList<>();
    completions
        .messages()
        .list(ids.get(3))
        .autoPager()
        .forEach(message -> messages.add(message.content().orElse("")));
    assertThat(messages).containsExactly("message 3");

    assertThat(
            completions
                .delete(ChatCompletionDeleteParams.builder().completionId(ids.get(0)).build())
                .deleted())
        .isTrue();
    assertThatThrownBy(() -> completions.retrieve(ids.get(0)))
        .isInstanceOf(com.openai.errors.NotFoundException.class);
    assertThatThrownBy(() -> live.openAi("bob").chat().completions().retrieve(ids.get(1)))
        .isInstanceOf(com.openai.errors.NotFoundException.class);
  }

  private static ChatCompletionCreateParams.Metadata metadata(String name, String value) {
    return ChatCompletionCreateParams.Metadata.builder()
        .putAdditionalProperty(name, JsonValue.from(value))
        .build();
  }

  @Test
  void theMessagesOfALaterTurn_areAllThatTheClientSent() {
    ChatCompletionCreateParams.Builder params =
        ChatCompletionCreateParams.builder().model("m").addSystemMessage("Be brief.");
    params.addUserMessage("one");
    ChatCompletion first = create(params.store(true));
    params.addMessage(first.choices().get(0).message());
    String id = create(params.addUserMessage("two")).id();

    List<String> messages = new ArrayList<>();
    ann.chat()
        .completions()
        .messages()
        .list(id)
        .autoPager()
        .forEach(message -> messages.add(message.id() + " " + message.content().orElse("")));
    assertThat(messages)
        .containsExactly(id + "-0 Be brief.", id + "-1 one", id + "-2 echo one", id + "-3 two");
  }

  private String stored(Caller bob, String text, int description) {
    String tool =
        "{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\""
            + "d".repeat(description)
            + "\"}}";
    String body =
        "{\"model\":\"gpt-tiny\",\"store\":true,\"messages\":[{\"role\":\"user\",\"content\":\""
            + text
            + "\"}],\"tools\":["
            + tool
            + "]}";
    return bob.post("/v1/chat/completions", body).is(200).text("id");
  }

  @ParameterizedTest
  @CsvSource({"asc", "desc"})
  void aPageOfStoredCompletionsIsBoundedInBytes_andGoesOn(String order) {
    Caller bob = new Caller(live, "bob");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      ids.add(stored(bob, "question " + i, 900_000));
    }
    if (order.equals("desc")) {
      Collections.reverse(ids);
    }
    List<Object> found = new ArrayList<>();
    boolean more = true;
    for (String after = ""; more; after = String.valueOf(found.get(found.size() - 1))) {
      Caller.Answer page =
          bob.get("/v1/chat/completions?limit=100&order=" + order + "&after=" + after).is(200);
      assertThat(page.body().length()).isLessThan(6 << 20);
      page.data().forEach(each -> found.add(each.get("id")));
      more = Boolean.TRUE.equals(page.json().get("has_more"));
    }
    assertThat(found).isEqualTo(ids);
  }

  @Test
  void oneThatIsTooLongIsAnsweredAndRecorded_butNotKeptToBeRetrieved() {
    Caller bob = new Caller(live, "bob");
    String id = stored(bob, "question", 1_100_000);
    bob.get("/v1/chat/completions/" + id).is(404);
    assertThat(bob.get("/v1/chat/completions").is(200).data()).isEmpty();
    assertThat(bob.get("/api/sessions").is(200).data()).hasSize(1);
  }

  @Test
  void messagesThatAreTooLongForAnAnswerAreRefused() {
    Caller bob = new Caller(live, "bob");
    String image =
        "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":"
            + "\"data:image/png;base64,"
            + "A".repeat(8 << 20)
            + "\"}}]}";
    String body =
        "{\"model\":\"gpt-tiny\",\"store\":true,\"messages\":[" + image + "," + image + "]}";
    String id = bob.post("/v1/chat/completions", body).is(200).text("id");
    bob.get("/v1/chat/completions/" + id + "/messages").is(400);
    assertThat(
            bob.get("/v1/chat/completions/" + stored(bob, "short", 1) + "/messages").is(200).data())
        .hasSize(1);
  }

  @Test
  void whatTheProviderRefuses_isTheClientsToChange() {
    model.thenFail(
        dev.clew.ClewException.ModelFailed.refused("model 'x' said no", "bad thing", null));
    HttpResponse<String> refused = new ChatClient(live, "ann").has("user", "bad").send();
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("model_refused", "bad thing").doesNotContain("'x'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\",\"foo\":1}] | messages[0].foo",
        "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"x\",\"foo\":1}]}] |"
            + " messages[0].content[0].foo",
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"a\",\"foo\":1}}] |"
            + " tools[0].function.foo",
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"a b\"}}] | tools[0].function.name",
        "\"logit_bias\":{\"1\":500} | logit_bias.1",
        "\"seed\":\"q\" | seed"
      })
  void aStrictServerRefusesWhatIsWrongWithin(String field, String param) {
    String messages =
        field.startsWith("\"messages\"")
            ? ""
            : "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],";
    String body = "{\"model\":\"tiny\"," + messages + field + "}";
    try (LiveServer strict =
        new LiveServer(store, settings -> settings.model(model, "tiny").strict(true))) {
      HttpResponse<String> refused = post(strict, body);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
      assertThat(refused.body()).contains("\"param\":\"" + param + "\"");
    }
    assertThat(post(live, body).statusCode()).isEqualTo(200);
  }

  @Test
  void contentIsAStringOrAnArray() {
    String body = "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":5}]}";
    assertThat(post(live, body).body()).contains("expected a string or an array, but got a number");
  }

  private static HttpResponse<String> post(LiveServer live, String body) {
    return live.send(
        "POST", "/v1/chat/completions", body, "Authorization", "Bearer " + live.token("ann"));
  }
}
