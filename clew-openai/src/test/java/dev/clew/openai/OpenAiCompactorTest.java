package dev.clew.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.agent.CompactionOptions;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compaction by the provider. */
class OpenAiCompactorTest {
  private static final String COMPACTION =
      "{\"id\":\"cmp_001\",\"type\":\"compaction\",\"encrypted_content\":\"gAAAA\\u003d\",\"n\":1e400}";
  private static final String ANSWER =
      "{\"id\":\"resp_001\",\"object\":\"response.compaction\",\"created_at\":1764967971,"
          + "\"output\":["
          + Item.user("Hello").json()
          + ", "
          + COMPACTION
          + "],\"usage\":{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":1},"
          + "\"output_tokens\":20,\"output_tokens_details\":{\"reasoning_tokens\":2},"
          + "\"total_tokens\":120}}";

  private final TestServer server = new TestServer();
  private final OpenAiCompactor compactor =
      OpenAiModels.builder(Map.of())
          .baseUrl(server.baseUrl())
          .modelName("gpt-test")
          .maxRetries(0)
          .compactor();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void itemsAreCompacted() {
    server.then(TestServer.json(200, ANSWER));

    OpenAiCompactor.Result result =
        compactor.compact(List.of(Item.user("Hello"), Item.assistant("Hi")));

    assertThat(server.last().path()).isEqualTo("/v1/responses/compact");
    assertThat(server.last().body())
        .isEqualTo(
            "{\"model\":\"gpt-test\",\"input\":["
                + Item.user("Hello").json()
                + ","
                + Item.assistant("Hi").json()
                + "]}");
    assertThat(result.items())
        .extracting(Item::json)
        .containsExactly(Item.user("Hello").json(), COMPACTION);
    assertThat(result.usage()).isEqualTo(new Usage(1, 100, 1, 20, 2));
    assertThat(result.responseId()).contains("resp_001");
  }

  @Test
  void aResponseIsCompacted() {
    server.then(TestServer.json(200, ANSWER));

    compactor.compactResponse("resp_0");

    assertThat(Json.fields(server.last().body()))
        .containsEntry("previous_response_id", "\"resp_0\"")
        .doesNotContainKey("input");
  }

  @Test
  void aSessionIsCompactedFromItsItems() {
    server.then(TestServer.json(200, ANSWER));
    MemorySession memory = new MemorySession();
    memory.addItems(List.of(Item.user("Hello"), Item.assistant("Hi"), Item.assistant("More")));

    CompactionSession.over(memory, compactor).runCompaction(CompactionOptions.FORCE);

    assertThat(memory.getItems())
        .extracting(Item::json)
        .containsExactly(Item.user("Hello").json(), COMPACTION);
  }

  @Test
  void aConversationThatTheProviderManagesIsNotWrapped() {
    OpenAiConversationsSession conversation =
        OpenAiModels.builder().baseUrl(server.baseUrl()).conversation();

    assertThatThrownBy(() -> CompactionSession.over(conversation, compactor))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aCompactionToNothingFails() {
    server
        .then(TestServer.json(200, "{\"id\":\"resp_1\",\"output\":[]}"))
        .then(TestServer.json(400, TestServer.error("No such response", "not_found")));

    assertThatThrownBy(() -> compactor.compact(List.of(Item.user("x"))))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("without items");
    assertThatThrownBy(() -> compactor.compactResponse("resp_x"))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("No such response");
  }
}
