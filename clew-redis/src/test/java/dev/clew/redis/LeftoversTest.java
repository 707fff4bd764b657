package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.spi.Inspection;
import dev.clew.testservers.RedisCluster;
import dev.clew.testservers.RedisServer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is looked for among the keys after an erasure. */
class LeftoversTest {
  private final String prefix = RedisServer.newPrefix();

  private RedisStore open(boolean cluster) {
    return RedisStore.open(cluster ? RedisCluster.url(prefix) : RedisServer.shared().url(prefix));
  }

  private static void fill(RedisStore store) {
    for (int i = 0; i < 20; i++) {
      store.session(new SessionKey("ann", "s" + i)).addItems(List.of(Item.user("x")));
    }
    store.session(new SessionKey("bob", "b")).addItems(List.of(Item.user("of Bob")));
    store.documents().put("ann", "r", "{}");
  }

  private static List<String> left(RedisStore store, Optional<String> id) {
    Inspection.Report inspection = store.feature(Inspection.class).orElseThrow().inspect("ann", id);
    assertThat(inspection.places()).isPositive();
    return inspection.leftovers();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsThereIsFoundOnEveryNode_andNothingOfItAfterAnErasure(boolean cluster) {
    try (RedisStore store = open(cluster)) {
      fill(store);
      assertThat(left(store, Optional.empty())).filteredOn(line -> line.endsWith(":i")).hasSize(20);
      assertThat(left(store, Optional.empty())).contains("key " + prefix + ":owners has the owner");
      store.erase("ann");
      assertThat(left(store, Optional.empty())).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsThereOfASessionIsFound_andNothingOfItAfterItsRemoval(boolean cluster) {
    try (RedisStore store = open(cluster)) {
      fill(store);
      assertThat(left(store, Optional.of("s1")))
          .anyMatch(line -> line.endsWith(":i"))
          .anyMatch(line -> line.endsWith(":s"));
      store.session(new SessionKey("ann", "s1")).delete();
      assertThat(left(store, Optional.of("s1"))).isEmpty();
    }
  }

  @Test
  void aKeyThatNoListKnows_isFound_thoughTheStoreSeesItNoMore() {
    try (RedisStore store = open(false)) {
      fill(store);
      store.erase("ann");
      String stray = prefix + ":{" + Keys.ownerHash("ann") + ".3}:forgotten:i";
      RedisServer.shared().ask(redis -> redis.rpush(stray, "what Ann said"));
      assertThat(left(store, Optional.empty())).containsExactly("key " + stray);
    }
  }
}
