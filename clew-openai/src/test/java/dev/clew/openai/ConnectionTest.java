package dev.clew.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.Model;
import dev.clew.agent.ModelRequest;
import dev.clew.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the environment says, and what it does not. */
class ConnectionTest {
  private final TestServer server = new TestServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private TestServer.Received ask(Model model) {
    server.then(TestServer.json(200, "{\"status\":\"completed\",\"output\":[]}"));
    model.respond(ModelRequest.of("", List.of(Item.user("?"))));
    return server.last();
  }

  @Test
  void theEnvironmentSaysEverything() {
    TestServer.Received received =
        ask(
            OpenAiModels.builder(
                    Map.of(
                        "OPENAI_API_KEY", "env-key",
                        "OPENAI_BASE_URL", server.baseUrl(),
                        "OPENAI_ORG_ID", "org_e",
                        "OPENAI_PROJECT_ID", "proj_e",
                        "OPENAI_DEFAULT_MODEL", "env-model"))
                .responses());

    assertThat(received.headers().getFirst("Authorization")).isEqualTo("Bearer env-key");
    assertThat(received.headers().getFirst("OpenAI-Organization")).isEqualTo("org_e");
    assertThat(received.headers().getFirst("OpenAI-Project")).isEqualTo("proj_e");
    assertThat(Json.fields(received.body())).containsEntry("model", "\"env-model\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:11434/v1",
        "nonsense",
        "http://",
        "http://a b/v1",
        "ftp://127.0.0.1/x",
        "http://127.0.0.1:99999/v1"
      })
  void anAddressThatIsNoneIsRefusedByTheNameOfItsVariable(String url) {
    Map<String, String> environment = Map.of("OPENAI_API_KEY", "k", "OPENAI_BASE_URL", url);
    assertThatThrownBy(() -> OpenAiModels.builder(environment).responses())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("OPENAI_BASE_URL is '" + url + "'")
        .hasMessageContaining("http://localhost:11434/v1");
  }

  @Test
  void theKeyOfTheEnvironmentGoesToNoOtherPlace() {
    TestServer.Received received =
        ask(
            OpenAiModels.builder(Map.of("OPENAI_API_KEY", "env-key", "OPENAI_ORG_ID", "org_e"))
                .baseUrl(server.baseUrl())
                .responses());

    assertThat(received.headers().getFirst("Authorization")).isEqualTo("Bearer none");
    assertThat(received.headers().containsKey("OpenAI-Organization")).isFalse();
  }

  @Test
  void withoutAKeyItIsSaidWhichVariableIsMissing() {
    assertThatThrownBy(() -> OpenAiModels.builder(Map.of("OPENAI_API_KEY", " ")).responses())
        .isInstanceOf(ClewException.Unauthorized.class)
        .hasMessageContaining("OPENAI_API_KEY");
    assertThatThrownBy(() -> OpenAiModels.builder(Map.of()).conversation())
        .isInstanceOf(ClewException.Unauthorized.class);
  }

  @Test
  void retriesAreNotNegative() {
    assertThatThrownBy(() -> OpenAiModels.builder(Map.of()).maxRetries(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
