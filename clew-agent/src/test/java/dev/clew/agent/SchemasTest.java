package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The schemas that models get, where they are strict about them. */
class SchemasTest {
  record Times(
      LocalDateTime local, Optional<LocalTime> time, LocalDate day, Optional<Instant> moment) {}

  private final JsonNode properties = Schemas.schema(Times.class).get("properties");

  @Test
  void aLocalTimeHasAPatternWithoutAnOffset_otherTimesTheirFormat() {
    JsonNode local = properties.get("local");
    assertThat(local.has("format")).isFalse();
    assertThat("2026-03-11T14:00").matches(local.get("pattern").asText());
    assertThat("2026-03-11T14:00:05").matches(local.get("pattern").asText());
    assertThat("2026-03-11T14:00:00Z").doesNotMatch(local.get("pattern").asText());
    assertThat(properties.get("time").has("format")).isFalse();
    assertThat("14:00").matches(properties.get("time").get("pattern").asText());
    assertThat(properties.get("day").get("format").asText()).isEqualTo("date");
    assertThat(properties.get("moment").get("format").asText()).isEqualTo("date-time");
  }

  @Test
  void whatFitsTheSchemaCanBeRead() throws Exception {
    JsonNode json =
        Schemas.tree("{\"local\":\"2026-03-11T14:00\",\"time\":null,\"day\":\"2026-03-11\"}");
    assertThat(Schemas.value(json, Times.class))
        .isEqualTo(
            new Times(
                LocalDateTime.of(2026, 3, 11, 14, 0),
                Optional.empty(),
                LocalDate.of(2026, 3, 11),
                Optional.empty()));
    assertThatThrownBy(
            () ->
                Schemas.value(
                    Schemas.tree("{\"local\":\"2026-03-11T14:00+08:00\",\"day\":\"2026-03-11\"}"),
                    Times.class))
        .hasMessageContaining("local");
  }
}
