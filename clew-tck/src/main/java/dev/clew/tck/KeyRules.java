package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Documents.Document;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ids and owners: every pair is a session of its own. */
@Rule(
    "owner and id together are the key: compare both as they are, by code point and "
        + "with their case, and give neither a meaning (see SessionKey)")
interface KeyRules extends StoreFixture {

  /** Ids that are taken for patterns, paths, code, or each other. */
  List<String> STRANGE =
      List.of(
          "%",
          "_",
          "user%",
          "user_123",
          "user:123",
          "a/b",
          "..",
          "../a",
          ".",
          "C:\\x",
          "O'Brien",
          "a\"b",
          "--",
          "; DROP TABLE agent_sessions",
          "😀",
          "👨‍👩‍👧",
          "中文",
          "a b",
          " a",
          "a ",
          "a",
          "A",
          "é",
          "e\u0301",
          "ß",
          "ss",
          "clew:",
          "clew::",
          "clew:ann:1",
          "clew:%3Aann:1",
          "feishu:oc_xxx",
          "0",
          "00",
          "1e0",
          "null",
          "x".repeat(512),
          "😀".repeat(512));

  @Test
  default void everyStrangeId_isASessionOfItsOwn() {
    for (String id : STRANGE) {
      store().session(id).addItems(Items.of("item of " + id));
    }

    for (String id : STRANGE) {
      assertThat(store().session(id).getItems()).as(id).isEqualTo(Items.of("item of " + id));
      assertThat(store().session(SessionKey.of(id)).info().map(SessionInfo::key))
          .contains(SessionKey.of(id));
    }
    assertThat(keys("")).hasSameSizeAs(STRANGE);
  }

  @Test
  default void everyStrangeOwner_isAnOwnerOfItsOwn() {
    for (String owner : STRANGE) {
      store().session(new SessionKey(owner, "1")).addItems(Items.of("item of " + owner));
    }

    for (String owner : STRANGE) {
      SessionKey key = new SessionKey(owner, "1");
      assertThat(store().session(key).getItems()).as(owner).isEqualTo(Items.of("item of " + owner));
      assertThat(keys(owner)).as(owner).containsExactly(key);
    }
    assertThat(keys("")).isEmpty();
  }

  @Test
  default void deletingOneStrangeId_deletesNoOther() {
    for (String id : STRANGE) {
      store().session(id).addItems(Items.of("item of " + id));
    }
    Set<String> left = new LinkedHashSet<>(STRANGE);
    for (String id : STRANGE) {
      store().session(id).clearSession();
      left.remove(id);
      assertThat(keys("")).as("after deleting %s", id).hasSize(left.size());
    }
  }

  @Test
  default void ownerAndId_thatLookAlikeWhenJoined_areDifferentSessions() {
    List<SessionKey> keys = new ArrayList<>();
    for (String separator : List.of(":", "/", "_", "-", "|", "%", "\\", " ", ".", "::")) {
      keys.add(new SessionKey("a" + separator + "b", "c"));
      keys.add(new SessionKey("a", "b" + separator + "c"));
      keys.add(new SessionKey("", "a" + separator + "b" + separator + "c"));
      keys.add(new SessionKey("", "clew:a" + separator + "b:c"));
      keys.add(new SessionKey("clew:a", "b" + separator + "c"));
    }
    for (SessionKey key : keys) {
      store().session(key).addItems(Items.of(key.toString()));
    }

    for (SessionKey key : new LinkedHashSet<>(keys)) {
      assertThat(Items.texts(store().session(key).getItems()))
          .as(key.toString())
          .containsOnly(key.toString());
    }
  }

  @Test
  default void theSameId_isAnotherSessionForAnotherOwner() {
    StoredSession ann = store().session(new SessionKey("ann", "shared"));
    StoredSession bob = store().session(new SessionKey("bob", "shared"));
    StoredSession nobody = store().session("shared");
    ann.addItems(List.of(Items.withId("msg_1", "secret of ann")));
    ann.update(SessionUpdate.none().title("title of ann"));

    assertThat(bob.getItems()).isEmpty();
    assertThat(bob.info()).isEmpty();
    assertThat(bob.find("msg_1")).isEmpty();
    assertThat(bob.popItem()).isEmpty();
    assertThat(nobody.getItems()).isEmpty();
    bob.addItems(Items.of("of bob"));
    bob.clearSession();
    assertThat(ann.getItems()).hasSize(1);
    assertThat(ann.info().orElseThrow().title()).isEqualTo("title of ann");
  }

  @Test
  default void list_showsOneOwnersSessionsOnly() {
    store().session(new SessionKey("ann", "a1")).addItems(Items.of("x"));
    store().session(new SessionKey("bob", "b1")).addItems(Items.of("x"));
    store().session(new SessionKey("a%", "w1")).addItems(Items.of("x"));
    store().session("d1").addItems(Items.of("x"));

    assertThat(keys("ann")).containsExactly(new SessionKey("ann", "a1"));
    assertThat(keys("bob")).containsExactly(new SessionKey("bob", "b1"));
    assertThat(keys("a%")).containsExactly(new SessionKey("a%", "w1"));
    assertThat(keys("")).containsExactly(SessionKey.of("d1"));
    assertThat(keys("a")).isEmpty();
    assertThat(keys("ANN")).isEmpty();
  }

  @Test
  default void records_ofOneOwnerAreNotSeenByAnother() {
    store().documents().put("ann", "token", "{}", OptionalLong.empty(), Optional.empty());
    store().documents().put("a%", "t2", "{}", OptionalLong.empty(), Optional.empty());

    assertThat(store().documents().get("bob", "token")).isEmpty();
    assertThat(store().documents().get("", "token")).isEmpty();
    assertThat(store().documents().delete("bob", "token")).isFalse();
    assertThat(store().documents().list("bob", "", Optional.empty(), 10)).isEmpty();
    assertThat(store().documents().list("ann", "", Optional.empty(), 10))
        .extracting(Document::name)
        .containsExactly("token");
    assertThat(store().documents().list("a%", "", Optional.empty(), 10))
        .extracting(Document::name)
        .containsExactly("t2");
  }

  @Test
  default void owners_areThoseWithSessionsOrRecordsByName() {
    store().session(new SessionKey("carl", "1")).addItems(Items.of("x"));
    store().session(new SessionKey("carl", "2")).addItems(Items.of("x"));
    store().session(new SessionKey("ann", "1")).update(SessionUpdate.none());
    store().documents().put("bob", "r", "{}", OptionalLong.empty(), Optional.empty());
    store().documents().put("carl", "r", "{}", OptionalLong.empty(), Optional.empty());

    assertThat(store().owners(Optional.empty(), 10)).containsExactly("ann", "bob", "carl");
    store().session("mine").addItems(Items.of("x"));
    assertThat(store().owners(Optional.empty(), 10)).containsExactly("", "ann", "bob", "carl");
  }

  @Test
  default void owners_arePagedByName() {
    for (String owner : List.of("d", "a", "c", "b", "e")) {
      store().session(new SessionKey(owner, "1")).addItems(Items.of("x"));
    }

    assertThat(store().owners(Optional.empty(), 2)).containsExactly("a", "b");
    assertThat(store().owners(Optional.of("b"), 2)).containsExactly("c", "d");
    assertThat(store().owners(Optional.of("bb"), 9)).containsExactly("c", "d", "e");
    assertThat(store().owners(Optional.of("e"), 9)).isEmpty();
  }

  @Test
  default void handlesOnOneKey_areTheSameSession() {
    SessionKey key = newKey();
    store().session(key).addItems(Items.of("one"));
    store().session(new SessionKey(key.owner(), key.id())).addItems(Items.of("two"));
    Item popped = store().session(key.id()).popItem().orElseThrow();

    assertThat(popped).isEqualTo(Item.user("two"));
    assertThat(store().session(key).commit(Commit.append(Items.of("three"))).version())
        .isEqualTo(store().session(key).info().orElseThrow().version());
    assertThat(store().session(key).id()).isEqualTo(key.id());
    assertThat(store().session(key).key()).isEqualTo(key);
  }

  private List<SessionKey> keys(String owner) {
    return store().list(SessionQuery.of(owner).limit(1000)).sessions().stream()
        .map(SessionInfo::key)
        .toList();
  }
}
