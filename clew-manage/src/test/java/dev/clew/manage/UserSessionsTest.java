package dev.clew.manage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions of many users, example by example. */
class UserSessionsTest {
  private final TestClock clock = new TestClock(Instant.parse("2025-01-01T00:00:00Z"));
  private final SessionStore store = MemoryStore.builder().clock(clock).build();
  private final UserSessions users = new UserSessions(store, clock);

  @AfterEach
  void close() {
    users.close();
    store.close();
  }

  private static void say(StoredSession session, String text) {
    session.addItems(List.of(Item.user(text)));
  }

  @Test
  void theExample() {
    StoredSession first = users.getSession("user_001");
    StoredSession second = users.getSession("user_002");
    StoredSession work = users.getSession("user_001", "work");
    StoredSession personal = users.getSession("user_001", "personal");
    say(first, "one");
    say(second, "two");
    say(work, "three");
    say(personal, "four");

    assertThat(first.getItems()).containsExactly(Item.user("one"));
    assertThat(second.getItems()).containsExactly(Item.user("two"));
    assertThat(work.getItems()).containsExactly(Item.user("three"));
    assertThat(personal.getItems()).containsExactly(Item.user("four"));
    assertThat(users.active()).hasSize(4);
    users.closeAll();
    assertThat(users.active()).isEmpty();
  }

  @Test
  void theUserIsTheOwnerAndTheTypeIsTheId() {
    assertThat(users.getSession("user_001", "work").key())
        .isEqualTo(new SessionKey("user_001", "work"));
    assertThat(users.getSession("user_001").id()).isEqualTo("default");
  }

  @Test
  void namesThatLookAlikeWhenJoined_areDifferentSessions() {
    say(users.getSession("a_b", "c"), "one");

    assertThat(users.getSession("a", "b_c").getItems()).isEmpty();
  }

  @Test
  void getSession_returnsTheSameHandleUntilItIsClosed() {
    StoredSession session = users.getSession("ann");
    assertThat(users.getSession("ann")).isSameAs(session);
    say(session, "Hello");

    assertThat(users.close("ann")).isTrue();
    assertThat(users.close("ann")).isFalse();
    assertThat(users.close("ann", "work")).isFalse();
    assertThat(users.getSession("ann")).isNotSameAs(session);
    assertThat(users.getSession("ann").getItems()).hasSize(1);
  }

  @Test
  void cleanup_removesWhatIsOlderThanThirtyDaysOfAllUsers() {
    say(users.getSession("ann"), "old");
    say(users.getSession("bob", "work"), "old");
    clock.advance(Duration.ofDays(20));
    say(users.getSession("ann", "work"), "newer");
    clock.advance(Duration.ofDays(10).plusMillis(1));

    assertThat(users.cleanup()).isEqualTo(2);
    assertThat(users.getSession("ann").getItems()).isEmpty();
    assertThat(users.getSession("ann", "work").getItems()).hasSize(1);
    assertThat(users.cleanup(Duration.ofDays(5))).isEqualTo(1);
  }
}
