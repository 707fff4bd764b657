package dev.clew.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.okhttp.OpenAIOkHttpClient;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many tokens a model takes, as far as that can be found out. */
class ContextSizesTest {
  private final TestServer server = new TestServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private OptionalLong told(String list) {
    server.then(TestServer.json(200, list));
    return OpenAiModels.builder(Map.of())
        .baseUrl(server.baseUrl())
        .modelName("qwen3")
        .chat()
        .contextTokens();
  }

  @ParameterizedTest
  @CsvSource({"max_model_len", "context_window", "max_context_length", "context_length"})
  void aServerThatTellsIsBelieved(String field) {
    String other = "{\"id\":\"other\",\"" + field + "\":1}";
    String mine = "{\"id\":\"qwen3\",\"" + field + "\":40960}";
    assertThat(told("{\"object\":\"list\",\"data\":[" + other + "," + mine + "]}")).hasValue(40960);
    assertThat(server.last().path()).isEqualTo("/v1/models");
  }

  @Test
  void theOnlyModelOfAServerIsMeantWhateverItsNameIs() {
    assertThat(told("{\"data\":[{\"id\":\"/models/q.gguf\",\"context_length\":8192}]}"))
        .hasValue(8192);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"data":[{"id":"qwen3"}]}
          {"data":[{"id":"a","max_model_len":1},{"id":"b","max_model_len":2}]}
          {"data":[{"id":"qwen3","max_model_len":"many"}]}
          {"data":[{"id":"qwen3","max_model_len":0}]}
          {"data":{}}
          {"data":[1]}
          {}
          """)
  void aServerThatDoesNotTellIsNoFailure(String list) {
    assertThat(told(list)).isEmpty();
  }

  @Test
  void aServerThatRefusesOrIsGoneIsNoFailure_andIsAskedOnce() {
    server.then(TestServer.json(503, TestServer.error("Loading", "loading")));
    var model = OpenAiModels.builder(Map.of()).baseUrl(server.baseUrl()).modelName("m").chat();
    assertThat(model.contextTokens()).isEmpty();
    assertThat(server.received()).hasSize(1);
    server.close();
    assertThat(model.contextTokens()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"gpt-5.4-mini,272000", "gpt-4o-mini,128000", "gpt-4,8192", "o3,200000"})
  void theModelsOfOpenAiAreKnown(String name, long tokens) {
    var client = OpenAIOkHttpClient.builder().apiKey("k").build();
    assertThat(OpenAiModels.builder().client(client).modelName(name).responses().contextTokens())
        .hasValue(tokens);
    assertThat(OpenAiModels.builder().client(client).modelName("new").chat().contextTokens())
        .isEmpty();
    client.close();
  }
}
