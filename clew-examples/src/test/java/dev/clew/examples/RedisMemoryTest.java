package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.testservers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of Redis, on a real server. */
class RedisMemoryTest {
  private final RedisServer server = RedisServer.shared();

  @Test
  void redisMemory_remembersLikeAnyOther() {
    try (SessionStore store = Stores.open(server.newUrl())) {
      store.session("user_123").addItems(List.of(Item.user("of the last time")));
      assertThat(RedisMemory.talk(store))
          .containsExactly("Nice to meet you, Ada.", "Your name is Ada.");
      assertThat(store.session("user_123").getItems()).hasSize(4);
    }
  }

  @Test
  void redisMemory_runsAsAProgram() throws ReflectiveOperationException {
    assertThat(Output.of("RedisMemory", server.url()))
        .containsExactly(
            "Nice to meet you, Ada.", "Your name is Ada.", "Another host sees 4 items.");
  }
}
