package dev.clew.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.testservers.Example;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application in {@code examples/spring-ai}; {@code make dist} builds it from its own POM. */
class ExampleTest {
  @TempDir Path folder;

  @Test
  void itCallsItsTool_andKnowsTheResultInTheNextRun() throws IOException {
    Example example = Example.compile("spring-ai", folder);
    assertThat(example.run("Weather in Lisbon")).endsWith("It rains in Lisbon.");
    assertThat(example.run("Do I need an umbrella?")).endsWith("It rains in Lisbon.");
    try (SessionStore store = Stores.open("sqlite:" + folder.resolve("chat.db"))) {
      assertThat(store.session("trip").getItems()).hasSize(6);
    }
  }
}
