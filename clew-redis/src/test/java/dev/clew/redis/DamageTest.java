package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.testservers.RedisServer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is damaged in a session's list, its head first of all. */
class DamageTest {
  private static final SessionKey KEY = new SessionKey("ann", "s");
  private static final List<Item> TWO = List.of(Item.user("one"), Item.user("two"));
  private static final Duration HOUR = Duration.ofHours(1);

  private final String prefix = RedisServer.newPrefix();
  private final String list = Wire.text(new Keys(prefix).of(KEY).items);

  private SessionStore open() {
    return RedisStore.open(RedisServer.shared().url(prefix));
  }

  private String member(int index) {
    return RedisServer.shared().ask(redis -> redis.lindex(list, index));
  }

  private void put(int index, String member) {
    RedisServer.shared().ask(redis -> redis.lset(list, index, member));
  }

  @Test
  void aDamagedHead_hidesNothingIsReportedAndHealsWithTheNextWrite() {
    try (SessionStore store = open()) {
      StoredSession session = store.session(KEY);
      session.addItems(TWO);
      String head = member(0);
      for (int i = 0; i < head.length(); i++) {
        put(0, head.substring(0, i) + '!' + head.substring(i + 1));
        assertThat(session.getItems(1)).as("byte %d", i).isEqualTo(TWO.subList(1, 2));
        assertThat(session.getItems()).as("byte %d", i).isEqualTo(TWO);
      }
      List<Finding> findings = new ArrayList<>();
      store.check(findings::add);
      assertThat(findings).extracting(Finding::kind).containsExactly(Finding.Kind.DAMAGED);

      session.addItems(TWO);
      assertThat(member(0)).startsWith("head ");
      assertThat(session.getItems()).hasSize(4);
      findings.clear();
      store.check(findings::add);
      assertThat(findings).isEmpty();
    }
  }

  @Test
  void aHeadThatWasTakenAway_isReportedAndCostsNoItem() {
    try (SessionStore store = open()) {
      StoredSession session = store.session(KEY);
      session.addItems(TWO);
      RedisServer.shared().ask(redis -> redis.lpop(list));
      List<Finding> findings = new ArrayList<>();
      store.check(findings::add);
      assertThat(findings).extracting(Finding::kind).contains(Finding.Kind.DAMAGED);

      session.addItems(TWO);
      assertThat(member(0)).startsWith("head ");
      assertThat(session.getItems()).hasSize(4);
    }
  }

  @Test
  void aSessionThatHasEnded_isNotReadableWhateverItsHeadSays() {
    try (SessionStore store = open();
        SessionStore later =
            RedisStore.builder(RedisServer.shared().url(prefix))
                .clock(Clock.fixed(Instant.now().plus(HOUR.multipliedBy(2)), ZoneOffset.UTC))
                .open()) {
      store.session(KEY).addItems(TWO);
      assertThat(later.session(KEY).getItems()).isEqualTo(TWO);
      store.session(KEY).update(SessionUpdate.none().timeToLive(HOUR));
      assertThat(later.session(KEY).getItems()).as("its life was shortened").isEmpty();
      put(0, "something else");
      assertThat(later.session(KEY).getItems()).isEmpty();
      assertThat(store.session(KEY).getItems()).isEqualTo(TWO);
      store.session(KEY).update(SessionUpdate.none().timeToLive(Duration.ZERO));
      assertThat(later.session(KEY).getItems()).as("it lives for ever again").isEqualTo(TWO);
    }
  }

  @Test
  void aMemberWithAnyByteChanged_isSkippedOrWhole() {
    try (SessionStore store = open()) {
      store.session(KEY).addItems(TWO);
      String newest = member(1);
      for (int i = 0; i < newest.length(); i++) {
        put(1, newest.substring(0, i) + '~' + newest.substring(i + 1));
        List<Item> items = store.session(KEY).getItems();
        assertThat(items).as("byte %d", i).isSubsetOf(TWO).contains(TWO.get(0));
        assertThat(store.session(KEY).entries(Range.latest(10)).items())
            .as("byte %d", i)
            .isEqualTo(items);
      }
    }
  }
}
