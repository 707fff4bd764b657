package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.testservers.RedisCluster;
import dev.clew.testservers.RedisServer;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Where keys are, and what is left of a process that dies between two slots. */
class SlotsTest {
  private final String prefix = RedisServer.newPrefix();
  private final Keys keys = new Keys(prefix);

  @Test
  void allKeysOfASession_areInOneSlot() {
    for (SessionKey key :
        List.of(
            SessionKey.of("user_123"),
            new SessionKey("ann", "}{"),
            new SessionKey("{}", "{x}"),
            new SessionKey("a b", "é😀:*?[]"))) {
      Set<Integer> slots = new TreeSet<>();
      for (byte[] name : keys.of(key).all) {
        slots.add(SlotHash.getSlot(name));
      }
      slots.add(SlotHash.getSlot(keys.fences(keys.of(key))));
      assertThat(slots).as("slots of %s", key).hasSize(1);
    }
  }

  @Test
  void sessionsOfOneOwner_areSpreadOverTheCluster() {
    Set<Integer> slots = new TreeSet<>();
    for (int i = 0; i < 500; i++) {
      slots.add(SlotHash.getSlot(keys.of(SessionKey.of("s" + i)).session));
    }
    assertThat(slots).hasSize(Keys.BUCKETS);
  }

  @Test
  void aSessionOnAnySlot_isListedAsSoonAsItExists() {
    try (SessionStore store = RedisStore.open(RedisCluster.url(prefix));
        SessionStore other = RedisStore.open(RedisCluster.url(prefix))) {
      for (int i = 0; i < 40; i++) {
        String id = "s" + i;
        store.session(new SessionKey("ann", id)).addItems(List.of(Item.user("x")));
        assertThat(ids(other)).contains(id).hasSize(i + 1);
      }
      assertThat(other.owners(Optional.empty(), 10)).containsExactly("ann");
    }
  }

  @Test
  void aProcessThatDiedBeforeItMadeASession_leavesNothingToBeSeen() {
    try (SessionStore store = RedisStore.open(RedisCluster.url(prefix))) {
      // What is registered before the script that makes the session.
      RedisContract.askCluster(
          redis -> {
            redis.zadd(prefix + ":owners", 0, "ann");
            redis.zadd(prefix + ":due", 1, keys.of(new SessionKey("ann", "never made")).place);
          });
      assertThat(store.owners(Optional.empty(), 10)).isEmpty();
      assertThat(ids(store)).isEmpty();
      assertThat(store.sweep(100)).isZero();
      List<Long> left = new ArrayList<>();
      RedisContract.askCluster(redis -> left.add(redis.zcard(prefix + ":due")));
      assertThat(left).containsExactly(0L);
    }
  }

  @Test
  void anOwnerWhoseNameWasRemovedMeanwhile_isListedAfterTheNextSession() {
    try (SessionStore store = RedisStore.open(RedisCluster.url(prefix))) {
      store.session(new SessionKey("ann", "1")).addItems(List.of(Item.user("x")));
      RedisContract.askCluster(redis -> redis.del(prefix + ":owners"));
      store.session(new SessionKey("ann", "1")).delete();
      store.session(new SessionKey("ann", "1")).addItems(List.of(Item.user("x")));
      assertThat(store.owners(Optional.empty(), 10)).containsExactly("ann");
    }
  }

  @Test
  void aListEntryWithoutASession_isTidiedUp() {
    try (SessionStore store = RedisStore.open(RedisCluster.url(prefix))) {
      SessionKey key = new SessionKey("ann", "ghost");
      String list = Wire.text(keys.of(key).all[9]);
      RedisContract.askCluster(redis -> redis.zadd(list, -1, "ghost"));
      assertThat(ids(store)).isEmpty();
      List<Long> left = new ArrayList<>();
      RedisContract.askCluster(redis -> left.add(redis.exists(list)));
      assertThat(left).containsExactly(0L);
    }
  }

  @Test
  void aMarkWithoutASession_isTidiedUp() {
    SessionKey key = new SessionKey("ann", "ghost");
    String marks = marks(key);
    try (SessionStore store = RedisStore.open(RedisServer.shared().url(prefix))) {
      RedisServer.shared().ask(redis -> redis.zadd(marks, 0, "p\nghost"));
      assertThat(store.list(SessionQuery.of("ann").pinned(true)).sessions()).isEmpty();
      Long left = RedisServer.shared().ask(redis -> redis.exists(marks));
      assertThat(left).isZero();
    }
  }

  @Test
  void sessionsOfTheLayoutBefore_areMarkedWhenTheStoreIsOpened() {
    SessionKey key = new SessionKey("ann", "s");
    try (SessionStore store = RedisStore.open(RedisServer.shared().url(prefix))) {
      store.session(key).update(SessionUpdate.none().pinned(true).tags(Set.of("t")));
      store.session(new SessionKey("bob", "b")).update(SessionUpdate.none().archived(true));
      store.session(new SessionKey("bob", "c")).addItems(List.of(Item.user("x")));
    }
    RedisServer.shared().ask(redis -> redis.del(marks(key), marks(new SessionKey("bob", "b"))));
    RedisServer.shared().ask(redis -> redis.set(prefix + ":layout", "2"));

    try (SessionStore store = RedisStore.open(RedisServer.shared().url(prefix))) {
      SessionQuery ann = SessionQuery.of("ann");
      assertThat(store.list(ann.pinned(true)).sessions()).hasSize(1);
      assertThat(store.list(ann.tag("t")).sessions()).hasSize(1);
      assertThat(store.list(SessionQuery.of("bob").archived(true)).sessions()).hasSize(1);
    }
    String layout = RedisServer.shared().ask(redis -> redis.get(prefix + ":layout"));
    assertThat(layout).isEqualTo("3");
  }

  private String marks(SessionKey key) {
    return Wire.text(keys.of(key).all[13]);
  }

  @Test
  void afterAnErasure_noKeySaysWhoItWas() {
    SessionKey key = new SessionKey("ann.canary", "canary");
    try (SessionStore store = RedisStore.open(RedisServer.shared().url(prefix))) {
      store.session(key).addItems(List.of(Item.user("canary"), Item.user("more")));
      store.session(key).popItem();
      store.session(key).commit(Commit.append(List.of(Item.user("canary"))).operationId("canary"));
      store.leases().tryAcquire(key, "canary", "canary", Duration.ofMinutes(1));
      store
          .documents()
          .put("ann.canary", "canary", "\"canary\"", OptionalLong.empty(), Optional.empty());
      store.erase("ann.canary");
    }
    List<String> left =
        RedisServer.shared()
            .ask(
                redis -> {
                  List<String> all = new ArrayList<>();
                  for (String name : redis.keys(prefix + "*")) {
                    byte[] dump = redis.dump(name);
                    all.add(
                        name
                            + " "
                            + new String(dump, java.nio.charset.StandardCharsets.ISO_8859_1));
                  }
                  return all;
                });
    assertThat(left).allMatch(text -> !text.contains("canary"));
  }

  private static List<String> ids(SessionStore store) {
    return store.list(SessionQuery.of("ann")).sessions().stream()
        .map(SessionInfo::key)
        .map(SessionKey::id)
        .toList();
  }
}
