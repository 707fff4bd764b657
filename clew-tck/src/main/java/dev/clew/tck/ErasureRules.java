package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Capability;
import dev.clew.Commit;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** C21: removing everything of an owner. */
@Rule(
    "erase removes every session, record, archive, index entry, operation id and lease "
        + "of one owner and nothing of any other (see SessionStore.erase)")
interface ErasureRules extends StoreFixture {

  @Test
  default void erase_removesEverySessionOfTheOwner() {
    for (int i = 0; i < 25; i++) {
      StoredSession session = store().session(new SessionKey("ann", "s" + i));
      session.addItems(Items.of("a", "b"));
      session.commit(Commit.replacePrefix(Items.position(session, 0), List.of()));
    }
    store().session(new SessionKey("ann", "only described")).update(SessionUpdate.none());
    store().erase("ann");

    assertThat(store().list(SessionQuery.of("ann")).sessions()).isEmpty();
    assertThat(store().session(new SessionKey("ann", "s3")).info()).isEmpty();
    assertThat(
            store()
                .session(new SessionKey("ann", "s3"))
                .entries(Range.first(10).withCompacted())
                .entries())
        .isEmpty();
    assertThat(store().owners(Optional.empty(), 10)).doesNotContain("ann");
  }

  @Test
  default void erase_removesEveryRecordOfTheOwner() {
    for (int i = 0; i < 25; i++) {
      store().documents().put("ann", "r" + i, "{}", OptionalLong.empty(), Optional.empty());
    }
    store().erase("ann");

    assertThat(store().documents().list("ann", "", Optional.empty(), 100)).isEmpty();
    assertThat(store().documents().get("ann", "r3")).isEmpty();
    assertThat(store().owners(Optional.empty(), 10)).doesNotContain("ann");
  }

  @Test
  default void erase_forgetsOperationIds() {
    SessionKey key = new SessionKey("ann", "1");
    Commit turn = Commit.append(Items.of("one")).operationId("turn-1");
    store().session(key).commit(turn);
    store().erase("ann");

    assertThat(store().session(key).commit(turn).repeated()).isFalse();
    assertThat(store().session(key).getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  default void erase_removesTheWordsFromTheIndex() {
    SessionKey key = new SessionKey("ann", "1");
    store().session(key).addItems(Items.of("a zanzibarian canary"));
    boolean search = store().traits().capabilities().contains(Capability.SEARCH);
    if (search) {
      assertThat(store().search(SearchQuery.of("ann", "zanzibarian")).hits()).hasSize(1);
    }
    store().erase("ann");
    store().session(key).addItems(Items.of("something else"));

    assertThat(store().session(key).getItems()).isEqualTo(Items.of("something else"));
    if (search) {
      assertThat(store().search(SearchQuery.of("ann", "zanzibarian")).hits()).isEmpty();
    }
  }

  @Test
  default void erase_leavesOtherOwnersAlone() {
    List<String> others = List.of("", "an", "anna", "ANN", "ann:1", "a%", "%", "_nn", "clew:ann");
    for (String owner : others) {
      store().session(new SessionKey(owner, "1")).addItems(Items.of("of " + owner));
      store().documents().put(owner, "r", "{}", OptionalLong.empty(), Optional.empty());
    }
    store().session(new SessionKey("ann", "1")).addItems(Items.of("secret"));
    store().erase("ann");

    for (String owner : others) {
      assertThat(store().session(new SessionKey(owner, "1")).getItems())
          .as("owner '%s'", owner)
          .isEqualTo(Items.of("of " + owner));
      assertThat(store().documents().get(owner, "r")).as("owner '%s'", owner).isPresent();
    }
  }

  @Test
  default void erase_ofAnOwnerWithWildcardsInTheName_erasesThatOwnerOnly() {
    List<String> owners = List.of("%", "_", "a", "ab");
    for (String owner : owners) {
      store().session(new SessionKey(owner, "1")).addItems(Items.of("x"));
    }
    store().erase("%");
    store().erase("_");

    assertThat(store().owners(Optional.empty(), 10)).containsExactly("a", "ab");
  }

  @Test
  default void erase_ofTheDefaultOwner_leavesTheOthers() {
    store().session("mine").addItems(Items.of("x"));
    store().session(new SessionKey("ann", "1")).addItems(Items.of("y"));
    store().erase("");

    assertThat(store().session("mine").getItems()).isEmpty();
    assertThat(store().session(new SessionKey("ann", "1")).getItems()).hasSize(1);
  }

  @Test
  default void erase_mayBeRepeatedAndTheOwnerMayComeBack() {
    SessionKey key = new SessionKey("ann", "1");
    store().erase("ann");
    store().session(key).addItems(Items.of("one"));
    store().erase("ann");
    store().erase("ann");
    store().session(key).addItems(Items.of("back"));

    assertThat(store().session(key).getItems()).isEqualTo(Items.of("back"));
    assertThat(store().owners(Optional.empty(), 10)).containsExactly("ann");
  }

  @Test
  default void delete_leavesTheOtherSessionsAndTheRecordsOfTheOwner() {
    store().session(new SessionKey("ann", "1")).addItems(Items.of("x"));
    store().session(new SessionKey("ann", "2")).addItems(Items.of("y"));
    store().documents().put("ann", "r", "{}", OptionalLong.empty(), Optional.empty());
    store().session(new SessionKey("ann", "1")).delete();

    assertThat(store().session(new SessionKey("ann", "2")).getItems()).isEqualTo(Items.of("y"));
    assertThat(store().documents().get("ann", "r")).isPresent();
  }
}
