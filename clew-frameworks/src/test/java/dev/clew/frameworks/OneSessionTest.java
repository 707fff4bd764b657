package dev.clew.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.ToolCallPairing;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Runner;
import dev.clew.openai.OpenAiModels;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One conversation, continued by every framework, by clew, and by clients of OpenAI. */
class OneSessionTest {
  /** As ADK names the session {@code trip} of the app {@code guide}. */
  private static final SessionKey TRIP = new SessionKey("ann", "guide:trip");

  @TempDir Path folder;

  private final List<List<Item>> sent = new CopyOnWriteArrayList<>();
  private SessionStore provided;
  private ClewServer provider;
  private SessionStore store;
  private ClewServer server;

  /** A server as the provider of a model: what arrives there has gone over OpenAI's wire. */
  @BeforeEach
  void start() throws IOException {
    provided = Stores.open("memory:");
    Model answers =
        request -> {
          sent.add(request.input());
          return said("It was answer " + sent.size());
        };
    provider =
        ClewServer.start(ServerSettings.of(provided).at("127.0.0.1", 0).model(answers, "tiny"));
    store = Stores.open(url());
    server = ClewServer.start(ServerSettings.of(store).at("127.0.0.1", 0).model(model(), "tiny"));
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
    provider.close();
    provided.close();
  }

  private String url() {
    return "sqlite:" + folder.resolve("chat.db");
  }

  private static ModelResponse said(String text) {
    return ModelResponse.of(Item.assistant(text));
  }

  private static String token(ClewServer of) {
    return of.tokens().create("ann", "test", Scope.OWN, Optional.empty()).secret();
  }

  private Model model() {
    return OpenAiModels.builder()
        .baseUrl(provider.url() + "/v1")
        .apiKey(token(provider))
        .modelName("tiny")
        .responses();
  }

  private String get(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("Authorization", "Bearer " + token(server))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** {@code clew chat}, in a process of its own. */
  private String chat(String line) throws Exception {
    Path in = Files.writeString(folder.resolve("in"), line + "\n");
    ProcessBuilder clew =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.clew.cli.Main",
                "chat",
                TRIP.id(),
                "--owner",
                TRIP.owner(),
                "--store",
                url(),
                "--model",
                "openai:tiny")
            .redirectInput(in.toFile())
            .redirectErrorStream(true);
    clew.environment()
        .putAll(
            Map.of("OPENAI_BASE_URL", provider.url() + "/v1", "OPENAI_API_KEY", token(provider)));
    Process process = clew.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(out).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    return out;
  }

  private Response respond(String question) throws Exception {
    // Ids with signs that URLs need have another form in OpenAI's API.
    Matcher conversation =
        Pattern.compile("\"id\":\"(conv_x[^\"]+)\"").matcher(get("/v1/conversations"));
    assertThat(conversation.find()).isTrue();
    OpenAIClient client =
        OpenAIOkHttpClient.builder()
            .baseUrl(server.url() + "/v1")
            .apiKey(token(server))
            .maxRetries(0)
            .build();
    try {
      return client
          .responses()
          .create(
              ResponseCreateParams.builder()
                  .model("tiny")
                  .conversation(conversation.group(1))
                  .input(question)
                  .build());
    } finally {
      client.close();
    }
  }

  /** What a provider of models would refuse is not in the newest request. */
  private void lastRequestIsAccepted() {
    List<Item> input = sent.get(sent.size() - 1);
    ToolCallPairing pairs = new ToolCallPairing();
    for (int i = 0; i < input.size(); i++) {
      pairs.add(i, input.get(i));
      assertThat(input.get(i).type())
          .doesNotStartWith("springai_")
          .doesNotStartWith("langchain4j_")
          .doesNotStartWith("adk_")
          .doesNotStartWith("agentscope_");
      assertThat(input.get(i).json()).doesNotContain("c2VhbGVk", "only mine");
      if (input.get(i).view() instanceof View.Reasoning reasoning) {
        assertThat(reasoning.encryptedContent()).isEmpty();
      }
    }
    assertThat(pairs.unpaired()).isEmpty();
    assertThat(input.toString())
        .contains("weather?", "umbrella?", "coat?", "gloves?", "\"call_1\"", "rain");
  }

  @Test
  void everybodyContinuesTheConversation() throws Exception {
    assertThat(Turns.springAi(store, TRIP, "weather?", "It rains.")).contains("weather?");
    assertThat(Turns.langChain4j(store, TRIP, "umbrella?", "Take one.").toString())
        .contains("weather?", "call_1", "rain", "It rains.", "umbrella?");
    assertThat(Turns.adk(store, "ann", "guide", "trip", "coat?", "Yes, a coat.").toString())
        .contains("weather?", "call_1", "rain", "It rains.", "umbrella?", "Take one.", "coat?");
    assertThat(Turns.agentScope(store, TRIP, "gloves?", "No gloves.").toString())
        .contains("umbrella?", "coat?", "Yes, a coat.", "gloves?");
    assertThat(store.session(TRIP).getItems().toString()).contains("c2VhbGVk");
    // What each has no item for: events and messages without words.
    store
        .session(TRIP)
        .addItems(
            List.of(
                Item.parse("{\"type\":\"adk_message\",\"message\":{}}"),
                Item.parse("{\"type\":\"langchain4j_custom\",\"attributes\":{}}")));

    // The page, search and export.
    String id = "guide%3Atrip";
    assertThat(get("/api/sessions")).contains("\"guide:trip\"");
    assertThat(get("/api/sessions/" + id + "/items?limit=50"))
        .contains("weather?", "\"call_1\"", "Take one.", "Yes, a coat.", "No gloves.");
    assertThat(get("/api/search?q=umbrella")).contains("guide:trip");
    assertThat(store.search(SearchQuery.of("ann", "gloves")).hits()).hasSize(2);
    assertThat(get("/api/sessions/" + id + "/export?format=md"))
        .contains("weather?", "It rains.", "Yes, a coat.", "No gloves.");

    // Runs of clew and of clients of OpenAI.
    Runner.with(model()).run(Agent.builder().name("guide").build(), "scarf?", store.session(TRIP));
    lastRequestIsAccepted();
    assertThat(chat("hat?")).contains("It was answer 2");
    lastRequestIsAccepted();
    assertThat(respond("boots?").output()).isNotEmpty();
    lastRequestIsAccepted();
    assertThat(sent).hasSize(3);

    // And back: the frameworks see what clew and OpenAI's clients said.
    assertThat(Turns.langChain4j(store, TRIP, "all?", "All.").toString())
        .contains("scarf?", "hat?", "boots?", "It was answer 3");
    assertThat(Turns.agentScope(store, TRIP, "all?", "All.").toString())
        .contains("scarf?", "hat?", "boots?", "It was answer 3");
    assertThat(Turns.adk(store, "ann", "guide", "trip", "all?", "All.").toString())
        .contains("scarf?", "hat?", "boots?", "It was answer 3");
    assertThat(Turns.springAi(store, TRIP, "all?", "All."))
        .contains("scarf?", "hat?", "boots?", "It was answer 3");
  }
}
