package dev.clew.server.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoggedPathTest {
  @ParameterizedTest
  @CsvSource({
    "/, /",
    "/v1/chat/completions, /v1/chat/completions",
    "/api/chats, /api/chats",
    "/api/sessions/trip/forks, /api/sessions/…/forks",
    "/sessions/trip, /sessions/…",
    "/nowhere/My-Secret/42, /nowhere/…/…",
    "/a/b/c/d/e/f, /a/b/c/d/…",
    "//, //",
    "/ünicode, /…"
  })
  void itShowsWordsAndNothingThatNamesASession(String path, String shown) {
    assertThat(LoggedPath.of(path)).isEqualTo(shown);
  }

  @Test
  void whateverIsSentItIsOneShortLine() {
    String shown = LoggedPath.of("/a\nb\u001b[31m\u2028/" + "x".repeat(10_000) + "/y".repeat(99));
    assertThat(shown).isEqualTo("/…/…/y/y/…");
  }
}
