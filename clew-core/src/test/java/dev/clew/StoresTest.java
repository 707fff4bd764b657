package dev.clew;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoresTest {

  @ParameterizedTest
  @CsvSource({
    "postgrez://ann:secret@host/db, postgrez://host/db",
    "redis://:secret@host:6379?timeout=3s, redis://host:6379",
    "rediz:host?password=secret, rediz:host",
    "postgrez://ann:se//cr@et@host/db, postgrez://host/db",
    "chat.db, chat.db",
  })
  void open_ofAnUnknownSchemeNamesTheStoreWithoutItsPassword(String url, String shown) {
    assertThatThrownBy(() -> Stores.open(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no store for '" + shown + "'; ")
        .hasMessageNotContaining("secret");
  }
}
