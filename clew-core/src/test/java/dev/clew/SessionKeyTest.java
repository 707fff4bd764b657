package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionKeyTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "user_123",
        "feishu:oc_xxx",
        "..",
        "../../etc/passwd",
        "a/b",
        "%",
        "'; DROP TABLE x;--",
        " ",
        "会话",
        "😀",
        "\u202e",
        "a\u0301",
        "clew:x:y"
      })
  void idsThatApplicationsChooseAreTaken(String id) {
    assertThat(SessionKey.of(id)).isEqualTo(new SessionKey("", id));
    assertThat(new SessionKey(id, id).owner()).isEqualTo(id);
  }

  @Test
  void theLimitIs512CodePointsNotChars() {
    assertThatCode(() -> SessionKey.of("😀".repeat(512))).doesNotThrowAnyException();
    assertThatThrownBy(() -> SessionKey.of("x".repeat(513)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("session id has 513 characters");
    assertThatThrownBy(() -> new SessionKey("😀".repeat(513), "s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("owner has 513 characters");
  }

  @Test
  void anIdIsNeverEmptyAndAnOwnerMayBe() {
    assertThatThrownBy(() -> SessionKey.of(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("session id has 0 characters");
    assertThat(new SessionKey("", "s").owner()).isEqualTo(SessionKey.DEFAULT_OWNER);
  }

  @ParameterizedTest
  @CsvSource({"0,U+0000", "7,U+0007", "10,U+000A", "127,U+007F", "133,U+0085", "159,U+009F"})
  void controlCharactersAreRefusedWithTheirPlace(int c, String name) {
    assertThatThrownBy(() -> SessionKey.of("ab" + (char) c))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("index 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\ud800", "a\udc00b", "a\udc00\ud800", "\ud83d\ude00\ud83d"})
  void textThatIsNotUnicodeIsRefused(String id) {
    assertThatThrownBy(() -> SessionKey.of(id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unpaired surrogate");
  }

  @Test
  void keysAreCaseSensitiveAndOwnersSeparateThem() {
    assertThat(SessionKey.of("a")).isNotEqualTo(SessionKey.of("A"));
    assertThat(new SessionKey("x", "s")).isNotEqualTo(new SessionKey("y", "s"));
    assertThat(new SessionKey("a:b", "c")).isNotEqualTo(new SessionKey("a", "b:c"));
  }

  @Test
  void aRandomKeyIsAUuidOfTheDefaultOwner() {
    SessionKey key = SessionKey.random();

    assertThat(key.owner()).isEmpty();
    assertThat(UUID.fromString(key.id()).version()).isEqualTo(4);
    assertThat(SessionKey.random()).isNotEqualTo(key);
  }
}
