package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.TurnSettings;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a request, in OpenAI's words and in OpenAI's order. */
class ResponseFaultsTest {
  /** 65 characters; a safety identifier may have 128. */
  private static final String TOO_LONG_KEY =
      "0123456789012345678901234567890123456789012345678901234567890123x";

  private static final MemoryStore STORE = MemoryStore.builder().build();
  private static final ScriptedModel MODEL = new ScriptedModel();
  private static final LiveServer LIVE =
      new LiveServer(
          STORE,
          settings ->
              settings.model(MODEL, "tiny").turns(TurnSettings.DEFAULT.contextTokens(2000)));
  private final String bearer = "Bearer " + LIVE.token("ann");

  @AfterAll
  static void stop() {
    LIVE.close();
    STORE.close();
  }

  private HttpResponse<String> post(String path, String body) {
    return LIVE.send("POST", path, body, "Authorization", bearer);
  }

  /** Fields of the error; quotes in bodies are written as single ones, to be read. */
  private Map<String, String> error(String body) {
    HttpResponse<String> answer = post("/v1/responses", body.replace('\'', '"'));
    assertThat(answer.statusCode()).as(answer.body()).isIn(400, 404);
    return Json.fields(Json.fields(answer.body()).get("error"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ | invalid_json |",
        "[] | invalid_json |",
        "{'input':'x'} | missing_required_parameter | model",
        "{} | missing_required_parameter | model",
        "{'model':'m'} | missing_required_parameter |",
        "{'model':'m','input':''} | missing_required_parameter |",
        "{'model':'m','input':[]} | missing_required_parameter |",
        "{'model':'m','messages':[]} | unsupported_parameter |",
        "{'model':1,'input':'x'} | invalid_type | model",
        "{'model':'m','input':7} | invalid_type | input",
        "{'model':'m','input':[7]} | invalid_type | input[0]",
        "{'model':'m','input':[{'role':'king','content':''}]} | invalid_value | input[0].role",
        "{'model':'m','input':[{'role':'user'}]} | missing_required_parameter | input[0].content",
        "{'model':'m','input':[{'role':'user','content':[{'type':'output_text','text':''}]}]} | invalid_value | input[0].content[0]",
        "{'model':'m','input':[{'role':'assistant','content':[{'type':'input_text','text':''}]}]} | invalid_value | input[0].content[0]",
        "{'model':'m','input':[{'type':'reasoning','summary':[]}]} | invalid_item | input[0]",
        "{'model':'m','input':'x','stream':'yes'} | invalid_type | stream",
        "{'model':'m','input':'x','temperature':3} | decimal_above_max_value | temperature",
        "{'model':'m','input':'x','temperature':'hot'} | invalid_type | temperature",
        "{'model':'m','input':'x','temperature':1e999999999} | invalid_type | temperature",
        "{'model':'m','input':'x','top_p':-0.1} | decimal_below_min_value | top_p",
        "{'model':'m','input':'x','presence_penalty':2.5} | decimal_above_max_value | presence_penalty",
        "{'model':'m','input':'x','frequency_penalty':-3} | decimal_below_min_value | frequency_penalty",
        "{'model':'m','input':'x','prompt_cache_key':'"
            + TOO_LONG_KEY
            + "'} | string_above_max_length | prompt_cache_key",
        "{'model':'m','input':'x','safety_identifier':'"
            + TOO_LONG_KEY
            + TOO_LONG_KEY
            + "'} | string_above_max_length | safety_identifier",
        "{'model':'m','input':'x','max_output_tokens':0} | integer_below_min_value | max_output_tokens",
        "{'model':'m','input':'x','max_output_tokens':16.5} | invalid_type | max_output_tokens",
        "{'model':'m','input':'x','top_logprobs':21} | integer_above_max_value | top_logprobs",
        "{'model':'m','input':'x','metadata':[]} | invalid_type | metadata",
        "{'model':'m','input':'x','include':[7]} | invalid_type | include[0]",
        "{'model':'m','input':'x','truncation':'some'} | invalid_value | truncation",
        "{'model':'m','input':'x','tools':[{}]} | missing_required_parameter | tools[0].type",
        "{'model':'m','input':'x','tools':[{'type':'function'}]} | missing_required_parameter | tools[0].name",
        "{'model':'m','input':'x','tool_choice':'maybe'} | invalid_value | tool_choice",
        "{'model':'m','input':'x','tool_choice':{'type':'x','a':1e999999999999}} | invalid_value | tool_choice",
        "{'model':'m','input':'x','tools':[{'type':'x','a':[1e999999999999]}]} | invalid_value | tools[0]",
        "{'model':'m','input':'x','reasoning':{'a':1e999999999999}} | invalid_value | reasoning",
        "{'model':'m','input':'x','prompt_cache_retention':1e999999999999} | invalid_value | prompt_cache_retention",
        "{'model':'m','input':'x','text':{'format':{'type':'xml'}}} | invalid_value | text.format.type",
        "{'model':'m','input':'x','text':{'format':{'type':'json_schema','name':'n'}}} | missing_required_parameter | text.format.schema",
        "{'model':'m','input':'x','background':true,'store':false} | invalid_value | background",
        "{'model':'m','input':'x','context_management':[{'type':'compaction','compact_threshold':5}]} | integer_below_min_value | context_management[0].compact_threshold",
        "{'model':'m','input':'x','conversation':7} | invalid_type | conversation",
        "{'model':'m','input':'x','conversation':'c','previous_response_id':'r'} | mutually_exclusive_parameters |",
        "{'model':'m','input':'x','previous_response_id':'r'} | previous_response_not_found | previous_response_id",
        "{'model':'m','input':'x','previous_response_id':'../../r'} | previous_response_not_found | previous_response_id",
        "{'model':'m','input':'x','conversation':'c'} | |",
        "{'model':'m','input':'x','prompt':{'id':'p'}} | |",
        "{'model':'m','input':[{'type':'item_reference','id':'msg_1'}]} | |",
        "{'model':'m','input':[{'type':'function_call_output','call_id':'c','output':''}]} | | input",
        "{'model':'m','input':[{'type':'function_call','call_id':'c','name':'n','arguments':''}]} | | input",
        "{'model':'m','input':[{'type':'compaction','encrypted_content':'clew1.AAAA'}]} | invalid_item | item",
        "{'model':'m','input':[{'type':'compaction','encrypted_content':'other'}]} | invalid_item | item",
      })
  void aFaultHasItsCodeAndItsPlace(String body, String code, String param) {
    int asked = MODEL.requests().size();
    Map<String, String> error = error(body);
    assertThat(Json.string(error.get("code"))).isEqualTo(code);
    assertThat(Json.string(error.get("param"))).isEqualTo(param);
    assertThat(Json.string(error.get("type"))).isEqualTo("invalid_request_error");
    assertThat(MODEL.requests()).hasSize(asked);
  }

  @Test
  void aBodyThatIsTooDeepIsRefusedWithoutAWordAboutJava() {
    String body = "{'model':'m','input':" + "[".repeat(200) + "]".repeat(200) + "}";
    assertThat(error(body))
        .containsEntry("code", "\"invalid_json\"")
        .containsEntry(
            "message",
            "\"Invalid body: failed to parse JSON value. nested deeper than 200 levels\"");
  }

  @Test
  void theModelIsMissedBeforeTheInput_andSyntaxBeforeState() {
    assertThat(error("{'input':7,'conversation':'c'}")).containsEntry("param", "\"model\"");
    assertThat(error("{'model':'m','input':'x','conversation':'c','top_p':9}"))
        .containsEntry("param", "\"top_p\"");
  }

  @Test
  void unknownThingsToIncludeAreIgnored_orRefusedIfStrict() {
    String body = "{\"model\":\"tiny\",\"input\":\"x\",\"include\":[\"nothing\"]}";
    HttpResponse<String> made = post("/v1/responses", body);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    assertThat(MODEL.lastRequest().settings().get("include")).isEmpty();
    String one = "/v1/responses/" + Json.string(Json.fields(made.body()).get("id"));
    List<String> reading =
        List.of(one + "?include[]=nothing", one + "/input_items?include[]=nothing");
    for (String path : reading) {
      assertThat(LIVE.send("GET", path, "", "Authorization", bearer).statusCode()).isEqualTo(200);
    }
    try (LiveServer strict =
        new LiveServer(STORE, settings -> settings.model(MODEL, "tiny").strict(true))) {
      String token = "Bearer " + strict.token("ann");
      assertThat(strict.send("POST", "/v1/responses", body, "Authorization", token).body())
          .contains("\"code\":\"invalid_value\"", "\"param\":\"include[0]\"");
      for (String path : reading) {
        assertThat(strict.send("GET", path, "", "Authorization", token).body())
            .contains("\"param\":\"include[0]\"");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'file_search'} | 'file_search'",
        "{'type':'custom','name':'run_code'} | 'run_code' (custom)",
      })
  void aToolThatTheModelCannotRunIsRefusedByName(String tool, String name) {
    int asked = MODEL.requests().size();
    String function = "{'type':'function','name':'f'}";
    Map<String, String> error =
        error("{'model':'m','input':'x','stream':true,'tools':[" + function + "," + tool + "]}");
    assertThat(Json.string(error.get("code"))).isEqualTo("unsupported_value");
    assertThat(Json.string(error.get("param"))).isEqualTo("tools[1]");
    assertThat(Json.string(error.get("message"))).contains("tool " + name);
    assertThat(MODEL.requests()).hasSize(asked);
  }

  @Test
  void unknownFieldsAreIgnored_orRefusedIfStrict() {
    String body = "{\"model\":\"tiny\",\"input\":\"x\",\"colour\":1}";
    assertThat(post("/v1/responses", body).statusCode()).isEqualTo(200);
    try (LiveServer strict =
        new LiveServer(STORE, settings -> settings.model(MODEL, "tiny").strict(true))) {
      String token = "Bearer " + strict.token("ann");
      assertThat(strict.send("POST", "/v1/responses", body, "Authorization", token).body())
          .contains("\"code\":\"unknown_parameter\"")
          .contains("Unknown parameter: 'colour'.");
      String inside =
          "{\"model\":\"tiny\",\"input\":[{\"type\":\"function_call\",\"call_id\":\"c\","
              + "\"name\":\"f\",\"arguments\":\"{}\",\"created_at\":1}]}";
      assertThat(strict.send("POST", "/v1/responses", inside, "Authorization", token).body())
          .contains("Unknown parameter: 'input[0].created_at'.");
      String known =
          "{\"model\":\"tiny\",\"input\":[{\"role\":\"user\",\"content\":\"x\"},"
              + "{\"type\":\"acme:thing\",\"colour\":1}]}";
      assertThat(strict.send("POST", "/v1/responses", known, "Authorization", token).statusCode())
          .isEqualTo(200);
      String other = "{\"model\":\"huge\",\"input\":\"x\"}";
      assertThat(strict.send("POST", "/v1/responses", other, "Authorization", token).body())
          .contains("\"code\":\"model_not_found\"")
          .contains("The requested model 'huge' does not exist.");
    }
  }

  @Test
  void anInputThatIsTooLongIsRefused_unlessTheOldestMayGo() {
    String items =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    "{\"role\":\"user\",\"content\":\"number "
                        + i
                        + " "
                        + "word ".repeat(20)
                        + "\"}")
            .collect(Collectors.joining(","));
    String body = "{\"model\":\"tiny\",\"input\":[" + items + "]";
    assertThat(post("/v1/responses", body + "}").body())
        .contains("\"code\":\"context_length_exceeded\"");
    assertThat(post("/v1/responses", body + ",\"truncation\":\"auto\"}").statusCode())
        .isEqualTo(200);
    List<String> shown = MODEL.lastShown();
    assertThat(shown.size()).isBetween(10, 150);
    assertThat(shown.get(shown.size() - 1)).startsWith("number 199");
  }

  @Test
  void foreignAndAbsentResponsesAnswerTheSame() {
    String mine =
        Json.string(
            Json.fields(post("/v1/responses", "{\"model\":\"m\",\"input\":\"x\"}").body())
                .get("id"));
    String bob = "Bearer " + LIVE.token("bob");
    List<String[]> calls =
        List.of(
            new String[] {"GET", "/v1/responses/%s", ""},
            new String[] {"GET", "/v1/responses/%s?stream=true", ""},
            new String[] {"DELETE", "/v1/responses/%s", ""},
            new String[] {"POST", "/v1/responses/%s/cancel", ""},
            new String[] {"GET", "/v1/responses/%s/input_items", ""},
            new String[] {
              "POST",
              "/v1/responses",
              "{\"model\":\"m\",\"input\":\"x\",\"previous_response_id\":\"%s\"}"
            },
            new String[] {
              "POST", "/v1/responses/compact", "{\"model\":\"m\",\"previous_response_id\":\"%s\"}"
            },
            new String[] {
              "POST",
              "/v1/responses/input_tokens",
              "{\"model\":\"m\",\"previous_response_id\":\"%s\"}"
            },
            new String[] {
              "POST", "/v1/responses", "{\"model\":\"m\",\"input\":\"x\",\"conversation\":\"%s\"}"
            });
    String absent = mine.replaceAll("[0-9a-f]{8}$", "00000000");
    for (String[] call : calls) {
      HttpResponse<String> foreign =
          LIVE.send(
              call[0], call[1].formatted(mine), call[2].formatted(mine), "Authorization", bob);
      HttpResponse<String> none =
          LIVE.send(
              call[0], call[1].formatted(absent), call[2].formatted(absent), "Authorization", bob);
      assertThat(foreign.statusCode()).as(call[1]).isEqualTo(none.statusCode()).isIn(400, 404);
      assertThat(foreign.body().replace(mine, absent)).isEqualTo(none.body());
    }
    assertThat(STORE.session(new SessionKey("ann", mine)).getItems())
        .extracting(Item::type)
        .containsExactly("message", "message");
  }

  @Test
  void aCompactionItemOpensForItsOwnerOnly() {
    MODEL.thenText("They met.");
    String compacted =
        post("/v1/responses/compact", "{\"model\":\"m\",\"input\":\"we met\"}").body();
    List<String> output = Json.elements(Json.fields(compacted).get("output"));
    String sealed = output.get(output.size() - 1);
    String body =
        "{\"model\":\"m\",\"input\":[" + sealed + ",{\"role\":\"user\",\"content\":\"?\"}]}";
    assertThat(post("/v1/responses", body).statusCode()).isEqualTo(200);
    assertThat(MODEL.lastShown())
        .containsExactly("Summary of the conversation so far:\n\nThey met.", "?");
    assertThat(
            LIVE.send("POST", "/v1/responses", body, "Authorization", "Bearer " + LIVE.token("bob"))
                .body())
        .contains("\"code\":\"invalid_item\"");
    int place = body.indexOf("clew1.") + 30;
    char other = body.charAt(place) == 'A' ? 'B' : 'A';
    String changed = body.substring(0, place) + other + body.substring(place + 1);
    assertThat(post("/v1/responses", changed).body()).contains("\"code\":\"invalid_item\"");
    assertThat(post("/v1/responses", body.replace("clew1.", "clew2.")).body())
        .contains("\"code\":\"invalid_item\"");
  }
}
