package dev.clew.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.testservers.Example;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The applications in {@code examples} call their tool and know its result in the next run. {@code
 * make dist} builds them as a user does, from their own POMs; the one with Spring Boot is tried in
 * its module.
 */
class ExamplesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"langchain4j, '', trip", "adk, ann, guide:trip", "agentscope, '', trip"})
  void anExampleCallsItsTool_andKnowsTheResultInTheNextRun(String name, String owner, String id)
      throws IOException {
    Example example = Example.compile(name, folder);
    assertThat(example.run("Weather in Lisbon")).endsWith("It rains in Lisbon.");
    assertThat(example.run("Do I need an umbrella?")).endsWith("It rains in Lisbon.");
    try (SessionStore store = Stores.open("sqlite:" + folder.resolve("chat.db"))) {
      assertThat(store.session(new SessionKey(owner, id)).getItems()).hasSize(6);
    }
  }
}
