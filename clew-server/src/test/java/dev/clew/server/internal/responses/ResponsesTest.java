package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.errors.NotFoundException;
import com.openai.errors.RateLimitException;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.responses.CompactedResponse;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCompactParams;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.inputitems.InputItemListParams;
import com.openai.models.responses.inputtokens.InputTokenCountParams;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The official client works against the Responses API of a server over SQLite. */
class ResponsesTest {
  @TempDir Path folder;
  private final ScriptedModel model = new ScriptedModel();
  private SessionStore store;
  private LiveServer live;
  private OpenAIClient ann;

  @BeforeEach
  void start() {
    store = Stores.open("sqlite:" + folder.resolve("r.db"));
    live = new LiveServer(store, settings -> settings.model(model, "tiny", "gpt-tiny"));
    ann = live.openAi("ann");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private static ResponseCreateParams.Builder ask(String text) {
    return ResponseCreateParams.builder().model("gpt-tiny").input(text);
  }

  private static String text(Response response) {
    StringBuilder text = new StringBuilder();
    response
        .output()
        .forEach(
            item ->
                item.message()
                    .ifPresent(
                        message ->
                            message
                                .content()
                                .forEach(part -> text.append(part.asOutputText().text()))));
    return text.toString();
  }

  @Test
  void aResponseHasEverythingTheClientRequires() {
    Response response =
        ann.responses()
            .create(
                ask("hello")
                    .instructions("Be short.")
                    .temperature(0.5)
                    .metadata(
                        ResponseCreateParams.Metadata.builder()
                            .putAdditionalProperty("topic", JsonValue.from("demo"))
                            .build())
                    .build())
            .validate();
    assertThat(response.id()).matches("resp_[0-9a-f]{50}");
    assertThat(text(response)).isEqualTo("echo hello");
    assertThat(response.status()).contains(ResponseStatus.COMPLETED);
    assertThat(response.model().asString()).isEqualTo("gpt-tiny");
    assertThat(response.usage().orElseThrow().inputTokens()).isEqualTo(30);
    assertThat(response.usage().orElseThrow().inputTokensDetails().cachedTokens()).isEqualTo(10);
    assertThat(response.usage().orElseThrow().totalTokens()).isEqualTo(38);
    assertThat(response.temperature()).contains(0.5);
    assertThat(response._metadata().toString()).contains("topic=demo");
    assertThat(response.output().get(0).asMessage().id()).matches("msg_[0-9a-f]{50}");
    assertThat(model.lastRequest().instructions()).isEqualTo("Be short.");
    assertThat(model.lastRequest().settings().get("temperature").orElseThrow().toString())
        .isEqualTo("0.5");
  }

  @Test
  void aStoredResponseIsRetrievedAsItWas_andDeletedForGood() {
    Response made = ann.responses().create(ask("hello").build());
    assertThat(ann.responses().retrieve(made.id())).isEqualTo(made);
    ann.responses().delete(made.id());
    assertThatThrownBy(() -> ann.responses().retrieve(made.id()))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("Response with id '" + made.id() + "' not found.");
    assertThatThrownBy(() -> ann.responses().delete(made.id()))
        .isInstanceOf(NotFoundException.class);
    assertThat(store.session(new SessionKey("ann", made.id())).info()).isEmpty();
  }

  @Test
  void aStreamAccumulatesToTheResponseThatIsStored() {
    model.thenText("San ", "Fran", "cisco");
    ResponseAccumulator accumulator = ResponseAccumulator.create();
    List<String> deltas = new ArrayList<>();
    try (var stream = ann.responses().createStreaming(ask("where?").build())) {
      stream.stream()
          .peek(accumulator::accumulate)
          .forEach(
              event -> {
                event.outputTextDelta().ifPresent(delta -> deltas.add(delta.delta()));
                assertThat(event.isValid()).as(event.toString()).isTrue();
              });
    }
    Response response = accumulator.response().validate();
    assertThat(deltas).containsExactly("San ", "Fran", "cisco");
    assertThat(text(response)).isEqualTo("San Francisco");
    assertThat(ann.responses().retrieve(response.id())).isEqualTo(response);
  }

  @Test
  void aToolIsCalledByTheClientAndItsOutputGoesBack() {
    model.thenItems(Item.functionCall("call_1", "weather", "{\"city\":\"Kyoto\"}"));
    FunctionTool tool =
        FunctionTool.builder()
            .name("weather")
            .description("Tells the weather.")
            .parameters(
                FunctionTool.Parameters.builder()
                    .putAdditionalProperty("type", JsonValue.from("object"))
                    .build())
            .strict(true)
            .build();
    Response asked = ann.responses().create(ask("weather?").addTool(tool).build()).validate();
    ResponseFunctionToolCall call = asked.output().get(0).asFunctionCall();
    assertThat(call.name()).isEqualTo("weather");
    assertThat(call.id().orElseThrow()).startsWith("fc_");
    assertThat(model.lastRequest().tools())
        .extracting(each -> each.name())
        .containsExactly("weather");

    model.thenText("Rain.");
    Response answered =
        ann.responses()
            .create(
                ResponseCreateParams.builder()
                    .model("gpt-tiny")
                    .previousResponseId(asked.id())
                    .addTool(tool)
                    .inputOfResponse(
                        List.of(
                            ResponseInputItem.ofFunctionCallOutput(
                                ResponseInputItem.FunctionCallOutput.builder()
                                    .callId(call.callId())
                                    .output("rain")
                                    .build())))
                    .build());
    assertThat(text(answered)).isEqualTo("Rain.");
    assertThat(model.lastRequest().input())
        .extracting(Item::json)
        .containsExactly(
            Item.user("weather?").json(),
            "{\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"weather\","
                + "\"arguments\":\"{\\\"city\\\":\\\"Kyoto\\\"}\"}",
            "{\"output\":\"rain\",\"type\":\"function_call_output\",\"call_id\":\"call_1\"}");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 21, 100, 101, 250})
  void thePagerGoesThroughAllInputItems(int count) {
    List<ResponseInputItem> input =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    ResponseInputItem.ofEasyInputMessage(
                        com.openai.models.responses.EasyInputMessage.builder()
                            .role(com.openai.models.responses.EasyInputMessage.Role.USER)
                            .content("item " + i)
                            .build()))
            .toList();
    Response response =
        ann.responses()
            .create(
                ResponseCreateParams.builder().model("gpt-tiny").inputOfResponse(input).build());
    List<String> expected =
        new ArrayList<>(IntStream.range(0, count).mapToObj(i -> "item " + i).toList());
    assertThat(inputOf(response, InputItemListParams.Order.ASC)).isEqualTo(expected);
    Collections.reverse(expected);
    assertThat(inputOf(response, InputItemListParams.Order.DESC)).isEqualTo(expected);
  }

  private List<String> inputOf(Response response, InputItemListParams.Order order) {
    List<String> texts = new ArrayList<>();
    ann.responses()
        .inputItems()
        .list(response.id(), InputItemListParams.builder().order(order).build())
        .autoPager()
        .forEach(
            item ->
                texts.add(item.asResponseInputMessageItem().content().get(0).asInputText().text()));
    return texts;
  }

  @Test
  void inputItemsAreThoseOfTheRequestAlone() {
    Response first = ann.responses().create(ask("one").build());
    Response second = ann.responses().create(ask("two").previousResponseId(first.id()).build());
    assertThat(inputOf(second, InputItemListParams.Order.ASC)).containsExactly("two");
    assertThat(inputOf(first, InputItemListParams.Order.ASC)).containsExactly("one");
  }

  @Test
  void failuresBecomeTheClientsExceptions() {
    model.thenFail(new ClewException.ModelFailed("secret detail", null, true));
    assertThatThrownBy(() -> ann.responses().create(ask("x").build()))
        .isInstanceOf(InternalServerException.class)
        .hasMessageNotContaining("secret detail");
    model.thenFail(new ClewException.RateLimited("slow down", null));
    assertThatThrownBy(() -> ann.responses().create(ask("x").build()))
        .isInstanceOf(RateLimitException.class);
    assertThatThrownBy(
            () -> ann.responses().create(ask("x").previousResponseId("resp_none").build()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("Previous response with id 'resp_none' not found.");
    assertThatThrownBy(() -> ann.responses().create(ask("x").conversation("conv_none").build()))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("Conversation with id 'conv_none' not found.");
  }

  @Test
  void modelsAreListed() {
    assertThat(ann.models().list().data())
        .extracting(each -> each.validate().id())
        .containsExactly("tiny", "gpt-tiny");
    assertThat(ann.models().retrieve("tiny").ownedBy()).isEqualTo("clew");
    assertThatThrownBy(() -> ann.models().retrieve("huge")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void tokensAreCounted() {
    Response first = ann.responses().create(ask("hello there").build());
    long alone = tokens(InputTokenCountParams.builder().model("tiny").input("hi").build());
    long behind =
        tokens(
            InputTokenCountParams.builder()
                .model("tiny")
                .input("hi")
                .previousResponseId(first.id())
                .build());
    assertThat(alone).isBetween(1L, 10L);
    assertThat(behind).isGreaterThan(alone + 4);
  }

  private long tokens(InputTokenCountParams params) {
    return ann.responses().inputTokens().count(params).validate().inputTokens();
  }

  @Test
  void aCompactedContextCanBeGivenBackAndFollowed() {
    Response first = ann.responses().create(ask("my name is Ann").build());
    model.thenText("The user is Ann.");
    CompactedResponse compacted =
        ann.responses()
            .compact(
                ResponseCompactParams.builder()
                    .model("gpt-tiny")
                    .previousResponseId(first.id())
                    .build());
    List<ResponseOutputItem> output = compacted.output();
    String sealed = output.get(output.size() - 1).asCompaction().encryptedContent();
    assertThat(sealed).startsWith("clew1.").doesNotContain("Ann");
    assertThat(compacted.usage().inputTokens()).isEqualTo(30);

    ann.responses().create(ask("who am I?").previousResponseId(compacted.id()).build());
    assertThat(model.lastShown())
        .containsExactly(
            "my name is Ann",
            "Summary of the conversation so far:\n\nThe user is Ann.",
            "who am I?");
  }

  @Test
  void aCompactionTakesInstructions() {
    ann.responses()
        .compact(
            ResponseCompactParams.builder()
                .model("gpt-tiny")
                .input("my name is Ann")
                .instructions("Keep the names.")
                .build());
    assertThat(model.lastRequest().instructions() + model.lastShown()).contains("Keep the names.");
  }

  @Test
  void theTokensOfResponsesCountInInsight() {
    ann.responses().create(ask("hello").build());
    try (var stream = ann.responses().createStreaming(ask("again").build())) {
      assertThat(stream.stream().count()).isPositive();
    }
    String insight =
        live.send("GET", "/api/insight", "", "Authorization", "Bearer " + live.token("ann")).body();
    assertThat(insight).contains("\"input_tokens\":60").contains("\"output_tokens\":16");
  }

  @Test
  void aBackgroundResponseIsCancelledAndReadAgain() {
    ScriptedModel.Held held = model.thenHold("slow", "ly");
    Response begun = ann.responses().create(ask("hello").background(true).build()).validate();
    assertThat(begun.status()).contains(ResponseStatus.QUEUED);
    Eventually.open("it runs", held.begun);
    assertThat(ann.responses().cancel(begun.id()).validate().status())
        .contains(ResponseStatus.CANCELLED);
    ResponseAccumulator accumulator = ResponseAccumulator.create();
    try (var stream = ann.responses().retrieveStreaming(begun.id())) {
      stream.stream().forEach(accumulator::accumulate);
    }
    assertThat(accumulator.response().status()).contains(ResponseStatus.CANCELLED);
  }

  @Test
  void theOfflineModelAnswersToo() {
    try (LiveServer offline = new LiveServer(store)) {
      Response response = offline.openAi("ann").responses().create(ask("hello").build()).validate();
      assertThat(text(response)).isNotBlank();
    }
  }
}
