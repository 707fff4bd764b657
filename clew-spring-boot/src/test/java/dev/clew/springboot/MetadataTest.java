package dev.clew.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/** What an IDE and Spring Boot read from the jar. */
class MetadataTest {
  @Test
  void anIdeCompletesTheProperties() throws IOException {
    String metadata = resource("META-INF/spring-configuration-metadata.json");
    assertThat(metadata)
        .contains("\"name\": \"clew.url\"", "URL of the store, such as sqlite:chat.db")
        .contains("\"name\": \"clew.create\"", "\"defaultValue\": true")
        .contains("\"name\": \"clew.spring-ai.turns\"", "\"defaultValue\": 20")
        .contains("\"name\": \"clew.spring-ai.items\"", "\"name\": \"clew.spring-ai.tokens\"")
        .contains("\"name\": \"clew.spring-ai.turn-lease\"", "java.time.Duration")
        .contains("\"name\": \"management.health.clew.enabled\"")
        .contains("\"value\": \"sqlite:chat.db\"");
  }

  @Test
  void springBootFindsTheConfigurationsAndTheirConditions() throws IOException {
    List<String> found =
        ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()).getCandidates();
    assertThat(found)
        .contains(
            ClewAutoConfiguration.class.getName(),
            ClewHealthAutoConfiguration.class.getName(),
            ClewObservationAutoConfiguration.class.getName(),
            ClewSpringAiAutoConfiguration.class.getName());
    assertThat(resource("META-INF/spring-autoconfigure-metadata.properties"))
        .contains("dev.clew.springboot.ClewHealthAutoConfiguration.ConditionalOnClass");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ClewProperties.class.getResourceAsStream("/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
