package dev.clew.manage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.kit.MadeTitles;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The session module of a chat bot, example by example. */
class SessionManagerTest {
  private static final String KEY = "feishu:oc_xxx";
  private static final Duration WEEK = Duration.ofDays(7);

  private final TestClock clock = new TestClock(Instant.parse("2025-01-01T00:00:00Z"));
  private final SessionStore store = MemoryStore.builder().clock(clock).build();
  private final SessionManager sessions = manager(store);

  private SessionManager manager(SessionStore over) {
    return new SessionManager(over, SessionKey.DEFAULT_OWNER, 3, clock);
  }

  private List<String> contents(String key, int max) {
    return sessions.getMessages(key, max).stream().map(ChatMessage::content).toList();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theBasicExample() {
    ChatSession session = sessions.getOrCreate(KEY);
    sessions.addMessage(KEY, "user", "Hello");
    Instant first = clock.instant();
    clock.advance(Duration.ofSeconds(1));
    sessions.addMessage(KEY, "assistant", "Hi!");
    sessions.save(session);

    assertThat(sessions.getMessages(KEY, 20))
        .containsExactly(
            new ChatMessage(Role.USER, "Hello", first),
            new ChatMessage(Role.ASSISTANT, "Hi!", first.plusSeconds(1)));
    assertThat(session.key()).isEqualTo(KEY);
    assertThat(session.createdAt()).isEqualTo(first);
    assertThat(session.updatedAt()).isEqualTo(first.plusSeconds(1));
  }

  @Test
  void theAdvancedExample() {
    sessions.addMessage("feishu:old", "user", "long ago");
    clock.advance(WEEK.plusSeconds(1));
    sessions.addMessage(KEY, "user", "Hello");
    sessions.addMessage("slack:C1", "user", "Hello");

    assertThat(sessions.listSessions()).extracting(info -> info.key().id()).contains("feishu:old");
    assertThat(sessions.cleanup(WEEK)).isEqualTo(1);
    assertThat(sessions.listSessions())
        .extracting(info -> info.key().id())
        .containsExactlyInAnyOrder(KEY, "slack:C1");
    sessions.clear(KEY);
    assertThat(sessions.getMessages(KEY)).isEmpty();
    assertThat(sessions.delete(KEY)).isTrue();
    assertThat(sessions.listSessions()).hasSize(1);
  }

  @Test
  void platformsAndChats_haveContextsOfTheirOwn() {
    sessions.addMessage("feishu:oc_1", "user", "group");
    sessions.addMessage("feishu:ou_1", "user", "private");
    sessions.addMessage("slack:oc_1", "user", "elsewhere");

    assertThat(contents("feishu:oc_1", 20)).containsExactly("group");
    assertThat(contents("feishu:ou_1", 20)).containsExactly("private");
    assertThat(contents("slack:oc_1", 20)).containsExactly("elsewhere");
  }

  @Test
  void getMessages_returnsTheNewestTwentyUnlessToldOtherwise() {
    for (int i = 0; i < 50; i++) {
      sessions.addMessage(KEY, i % 2 == 0 ? "user" : "assistant", "message " + i);
    }

    assertThat(sessions.getMessages(KEY)).hasSize(20);
    assertThat(contents(KEY, 3)).containsExactly("message 47", "message 48", "message 49");
    assertThat(contents(KEY, 0)).isEmpty();
    assertThat(contents(KEY, 1000)).hasSize(50).startsWith("message 0");
    assertThatThrownBy(() -> sessions.getMessages(KEY, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void getMessages_leavesOutSystemMessagesAndCountsTheOthersOnly() {
    sessions.addMessage(KEY, "user", "one");
    sessions.addMessage(KEY, "assistant", "two");
    for (int i = 0; i < 600; i++) {
      sessions.addMessage(KEY, "system", "be brief");
      sessions.getOrCreate(KEY).stored().addItems(List.of(Item.functionCall("c", "f", "{}")));
    }

    assertThat(contents(KEY, 2)).containsExactly("one", "two");
    assertThat(sessions.getOrCreate(KEY).messages()).hasSize(602);
  }

  @Test
  void addMessage_knowsItsRoles() {
    assertThatThrownBy(() -> sessions.addMessage(KEY, "robot", "?"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("robot");
    assertThat(store.session(SessionKey.of(KEY)).info()).isEmpty();
  }

  @Test
  void addMessage_isStoredWhenItReturns() {
    sessions.addMessage(KEY, "user", "Hello");

    assertThat(store.session(KEY).getItems()).containsExactly(Item.user("Hello"));
    assertThat(manager(store).getMessages(KEY)).hasSize(1);
  }

  @Test
  void getOrCreate_storesNothingUntilThereIsSomethingToStore() {
    ChatSession session = sessions.getOrCreate(KEY);
    assertThat(sessions.listSessions()).isEmpty();
    assertThat(session.createdAt()).isEqualTo(clock.instant());
    assertThat(session.messages()).isEmpty();

    sessions.save(session);
    assertThat(sessions.listSessions()).hasSize(1);
    long version = store.session(SessionKey.of(KEY)).info().orElseThrow().version();
    sessions.save(session);
    assertThat(store.session(SessionKey.of(KEY)).info().orElseThrow().version()).isEqualTo(version);
  }

  @Test
  void getOrCreate_returnsTheSameSessionWhileItIsAtHand() {
    ChatSession session = sessions.getOrCreate(KEY);

    assertThat(sessions.getOrCreate(KEY)).isSameAs(session);
    assertThat(sessions.getAllSessions()).containsExactly(session);
  }

  @Test
  void unload_losesNothing() {
    ChatSession session = sessions.getOrCreate(KEY);
    sessions.addMessage(KEY, "user", "Hello");
    session.setActiveSkill("travel");
    session.putMetadata("chatType", "group");
    sessions.unload(KEY);

    assertThat(sessions.getAllSessions()).isEmpty();
    ChatSession again = sessions.getOrCreate(KEY);
    assertThat(again).isNotSameAs(session);
    assertThat(again.messages()).hasSize(1);
    assertThat(again.activeSkill()).contains("travel");
    assertThat(again.metadata()).isEqualTo(Map.of("chatType", "group"));
    sessions.addMessage(KEY, "assistant", "Hi!");
    assertThat(session.messages()).hasSize(2);
  }

  @Test
  void sessionsAtHand_areBoundedAndTheLeastRecentlyUsedGoesFirst() {
    for (String key : List.of("a:1", "a:2", "a:3", "a:1", "a:4")) {
      sessions.addMessage(key, "user", "Hello");
    }

    assertThat(sessions.getAllSessions())
        .extracting(ChatSession::key)
        .containsExactlyInAnyOrder("a:1", "a:3", "a:4");
    assertThat(contents("a:2", 20)).containsExactly("Hello");
    assertThat(sessions.listSessions()).hasSize(4);
  }

  @Test
  void clear_keepsTheSessionItsSkillAndItsMetadata() {
    sessions.addMessage(KEY, "user", "Hello");
    sessions.getOrCreate(KEY).setActiveSkill("travel");
    sessions.clear(KEY);
    sessions.clear("nobody:knows");

    assertThat(sessions.getOrCreate(KEY).messages()).isEmpty();
    assertThat(sessions.getOrCreate(KEY).activeSkill()).contains("travel");
    assertThat(sessions.listSessions()).extracting(SessionInfo::itemCount).containsExactly(0L);
    sessions.addMessage(KEY, "user", "again");
    assertThat(contents(KEY, 20)).containsExactly("again");
  }

  @Test
  void clear_removesATitleThatNobodyChose_andKeepsOneThatSomebodyChose() {
    Map<String, Object> metadata =
        Map.of("@clew", Map.of("title", MadeTitles.mark("Where do ravens sleep?"), "model", "m"));
    for (String title : List.of("Where do ravens sleep?", "Birds")) {
      sessions.addMessage(title, "user", "Where do ravens sleep?");
      store
          .session(SessionKey.of(title))
          .update(SessionUpdate.none().title(title).metadata(metadata));
      sessions.clear(title);
    }

    SessionInfo made = store.session("Where do ravens sleep?").info().orElseThrow();
    assertThat(made.title()).isEmpty();
    assertThat(made.metadata()).isEqualTo(Map.of("@clew", Map.of("model", "m")));
    assertThat(store.session("Birds").info().orElseThrow().title()).isEqualTo("Birds");
  }

  @Test
  void delete_removesEverything() {
    sessions.addMessage(KEY, "user", "Hello");

    assertThat(sessions.delete(KEY)).isTrue();
    assertThat(sessions.delete(KEY)).isFalse();
    assertThat(sessions.getAllSessions()).isEmpty();
    assertThat(store.session(SessionKey.of(KEY)).info()).isEmpty();
  }

  @Test
  void theActiveSkillAndMetadata_doNotDisturbEachOther() {
    ChatSession session = sessions.getOrCreate(KEY);
    session.putMetadata("chatId", "oc_xxx");
    session.setActiveSkill("travel");
    session.putMetadata("count", 3);
    session.removeMetadata("chatId");

    assertThat(session.metadata()).isEqualTo(Map.of("count", 3L));
    assertThat(session.activeSkill()).contains("travel");
    session.clearActiveSkill();
    assertThat(session.activeSkill()).isEmpty();
    assertThatThrownBy(() -> session.putMetadata("activeSkill", "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatOthersWriteMeanwhile_isSeenAndKept() {
    ChatSession session = sessions.getOrCreate(KEY);
    sessions.addMessage(KEY, "user", "Hello");
    manager(store).addMessage(KEY, "assistant", "from another process");
    store.session(SessionKey.of(KEY)).update(SessionUpdate.none().metadata(Map.of("theirs", true)));
    session.putMetadata("ours", true);

    assertThat(contents(KEY, 20)).containsExactly("Hello", "from another process");
    assertThat(session.metadata()).containsOnlyKeys("theirs", "ours");
  }

  @Test
  void cleanup_removesWhatIsOlderAndFreesItsSpace() {
    for (int i = 0; i < 1200; i++) {
      sessions.addMessage("a:" + i, "user", "Hello");
    }
    clock.advance(WEEK);
    assertThat(sessions.cleanup(WEEK)).isZero();
    clock.advance(Duration.ofMillis(1));

    assertThat(sessions.cleanup(WEEK)).isEqualTo(1200);
    assertThat(sessions.listSessions()).isEmpty();
    assertThat(sessions.getAllSessions()).isEmpty();
    assertThat(store.sweep(10)).isZero();
    assertThatThrownBy(() -> sessions.cleanup(Duration.ofDays(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void cleanup_leavesASessionThatSomebodyComesBackToAtThatMoment() {
    sessions.addMessage(KEY, "user", "Hello");
    clock.advance(WEEK.plusMillis(1));
    SessionStore interfered =
        BackendStore.decorate(
            store,
            backend ->
                new ForwardingBackend(backend) {
                  @Override
                  public SessionInfo update(SessionKey key, SessionUpdate update) {
                    sessions.addMessage(KEY, "user", "I am back");
                    return super.update(key, update);
                  }
                });

    assertThat(manager(interfered).cleanup(WEEK)).isZero();
    clock.advance(WEEK.plusMillis(1));
    assertThat(contents(KEY, 20)).containsExactly("Hello", "I am back");
    assertThat(store.session(SessionKey.of(KEY)).info().orElseThrow().timeToLive())
        .isEqualTo(Optional.empty());
  }
}
