package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.agent.CompactionReport;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Model;
import dev.clew.memory.MemoryStore;
import dev.clew.openai.OpenAiConversationsSession;
import dev.clew.openai.OpenAiModels;
import dev.clew.openai.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples that talk to OpenAI, against a server that speaks its wire. */
class OpenAiExamplesTest {
  private static final String COMPACTION =
      "{\"id\":\"cmp_1\",\"type\":\"compaction\",\"encrypted_content\":\"gAAAA\"}";

  @TempDir Path folder;
  private final TestServer server = new TestServer();
  private final Model model = OpenAiModels.builder().baseUrl(server.baseUrl()).responses();

  @AfterEach
  void stop() {
    server.close();
  }

  private void answers(String... texts) {
    for (int i = 0; i < texts.length; i++) {
      String message = "{\"id\":\"msg_" + i + "\"," + Item.assistant(texts[i]).json().substring(1);
      output("resp_" + i, message);
    }
  }

  private void output(String id, String... items) {
    server.thenModel(
        TestServer.json(
            200,
            "{\"id\":\""
                + id
                + "\",\"status\":\"completed\",\"output\":["
                + String.join(",", items)
                + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":2}}"));
  }

  private String asked(int index) {
    return server.asked().get(index).body();
  }

  @Test
  void conversationsMemory_keepsTheHistoryAtTheProvider() {
    answers("San Francisco", "California");
    OpenAiConversationsSession session =
        OpenAiModels.builder().baseUrl(server.baseUrl()).conversation();
    assertThat(ConversationsMemory.talk(model, session))
        .containsExactly("San Francisco", "California");

    assertThat(asked(1)).contains("Golden Gate Bridge", "San Francisco", "What state is it in?");
    assertThat(server.conversations.ids()).hasSize(1);
    assertThat(server.conversations.items(session.id())).hasSize(4);
  }

  @Test
  void conversationsMemory_runsAsAProgram() throws IOException, InterruptedException {
    answers("San Francisco", "California");
    assertThat(Output.ofProcess("ConversationsMemory", server.baseUrl(), folder))
        .containsExactly("San Francisco", "California", "conv_1 has 4 items.");
    assertThat(server.conversations.ids()).isEmpty();
  }

  @Test
  void openConversations_sendsWhatItWasConfiguredWith() {
    String id = OpenAiModels.builder().baseUrl(server.baseUrl()).conversation().id();
    Session session = OpenConversations.complete(server.baseUrl(), "my-key", id);
    session.addItems(List.of(Item.user("Hello")));

    assertThat(server.conversations.items(id)).hasSize(1);
    TestServer.Received last = server.received().get(server.received().size() - 1);
    assertThat(last.headers().getFirst("Authorization")).isEqualTo("Bearer my-key");
    assertThat(last.headers().getFirst("OpenAI-Organization")).isEqualTo("org-example");
    assertThat(last.headers().getFirst("OpenAI-Project")).isEqualTo("proj-example");
  }

  @Test
  void openConversations_runsAsAProgram() throws IOException, InterruptedException {
    assertThat(Output.ofProcess("OpenConversations", server.baseUrl(), folder))
        .containsExactly(
            "nothing is made yet: 0 items", "by its id: 1 item", "made beforehand: 0 items");
    assertThat(server.received())
        .hasSizeGreaterThan(4)
        .allSatisfy(
            request ->
                assertThat(request.headers().getFirst("Authorization"))
                    .isEqualTo("Bearer key-of-the-test"));
    assertThat(server.conversations.ids()).isEmpty();
  }

  @Test
  void serverManagedHistory_sendsOnlyWhatIsNew() {
    answers("Paris", "Madrid", "Spain");
    String conversation = OpenAiModels.builder().baseUrl(server.baseUrl()).conversation().id();
    assertThat(
            ServerManagedHistory.byConversation(model, conversation, "What city is the Louvre in?"))
        .isEqualTo("Paris");
    assertThat(asked(0)).contains("\"conversation\":\"" + conversation + "\"");

    assertThat(ServerManagedHistory.byResponse(model, "What city is the Prado in?", "Country?"))
        .isEqualTo("Spain");
    assertThat(asked(2))
        .contains("\"previous_response_id\":\"resp_1\"", "Country?")
        .doesNotContain("Prado", "Madrid");
  }

  @Test
  void serverManagedHistory_runsAsAProgram() throws IOException, InterruptedException {
    answers("Paris", "Madrid", "Spain");
    assertThat(Output.ofProcess("ServerManagedHistory", server.baseUrl(), folder))
        .containsExactly("Paris", "Spain");
    assertThat(server.conversations.ids()).containsExactly("conv_1");
  }

  @Test
  void providerCompaction_putsTheCompactionItemInPlaceOfTheHistory() {
    answers("Two books.", "1 Main Street.");
    output("resp_c", Item.user("Summarize order #8472 in one sentence.").json(), COMPACTION);
    try (MemoryStore store = new MemoryStore()) {
      StoredSession stored = store.session("s");
      CompactionSession session =
          ProviderCompaction.wrap(
              stored, OpenAiModels.builder().baseUrl(server.baseUrl()).compactor());
      CompactionReport report = ProviderCompaction.talk(model, session);

      assertThat(report.itemsBefore()).isEqualTo(4);
      assertThat(stored.getItems())
          .containsExactly(
              Item.user("Summarize order #8472 in one sentence."), Item.parse(COMPACTION));
      assertThat(server.asked()).hasSize(3);
      assertThat(server.asked().get(2).path()).isEqualTo("/v1/responses/compact");
    }
  }

  @Test
  void providerCompaction_compactsByItselfWhenItsHookSaysSo() {
    answers("Two books.");
    output("resp_c", COMPACTION);
    answers("1 Main Street.");
    output("resp_d", COMPACTION);
    try (MemoryStore store = new MemoryStore()) {
      StoredSession stored = store.session("s");
      for (int i = 0; i < 11; i++) {
        stored.addItems(List.of(Item.user("Question " + i), Item.assistant("Answer " + i)));
      }
      CompactionSession session =
          ProviderCompaction.wrap(
              stored, OpenAiModels.builder().baseUrl(server.baseUrl()).compactor());
      ProviderCompaction.talk(model, session);

      assertThat(server.asked())
          .extracting(TestServer.Received::path)
          .containsExactly(
              "/v1/responses", "/v1/responses/compact", "/v1/responses", "/v1/responses/compact");
      assertThat(asked(2)).contains("gAAAA").doesNotContain("Question 3");
    }
  }

  @Test
  void providerCompaction_runsAsAProgram() throws IOException, InterruptedException {
    answers("Two books.", "1 Main Street.");
    output("resp_c", COMPACTION);
    assertThat(Output.ofProcess("ProviderCompaction", server.baseUrl(), folder))
        .containsExactly("4 -> 1 items", "compaction");
  }
}
