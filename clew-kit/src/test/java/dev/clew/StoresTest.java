package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoresTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "memory", "nosql:x", ":", "conversations.db"})
  void anUnknownSchemeNamesTheKnownOnesAndAnExample(String url) {
    assertThatThrownBy(() -> Stores.open(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + url + "'")
        .hasMessageContaining("memory:")
        .hasMessageContaining("sqlite:conversations.db");
  }

  @Test
  void aSchemeMayBeWrittenInCapitals() {
    try (SessionStore store = Stores.open("MEMORY:?limit=1")) {
      assertThat(store.session("s").settings().limit()).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jsonl", "sqlite", "postgres", "redis"})
  void aStoreWhoseModuleIsMissingNamesThatModule(String scheme) {
    assertThatThrownBy(() -> Stores.open(scheme + ":x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("add the module dev.clew:clew-" + scheme);
  }

  @Test
  void eachOpeningOfMemoryIsAStoreOfItsOwn() {
    try (SessionStore one = Stores.open("memory:");
        SessionStore two = Stores.open("memory:")) {
      one.session("s").addItems(List.of(Item.user("a")));

      assertThat(two.session("s").getItems()).isEmpty();
      assertThat(one.traits().durability()).isEqualTo(Durability.VOLATILE);
      assertThat(one.traits().capabilities())
          .containsExactlyInAnyOrder(Capability.SEARCH, Capability.SEALED_ITEMS);
    }
  }
}
