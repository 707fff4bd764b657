package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Session;

/** C6: removing a session. */
@Rule(
    "clearSession removes everything of a session, may be repeated, and leaves the "
        + "handle usable (see Session.clearSession)")
interface ClearingRules extends SessionFixture {

  @EachFlavour
  default void clearSession_removesEveryItem(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one", "two"));
    session.clearSession();

    assertThat(session.getItems()).isEmpty();
    assertThat(session.getItems(5)).isEmpty();
    assertThat(session.popItem()).isEmpty();
  }

  @EachFlavour
  default void clearSession_ofASessionThatDoesNotExist_doesNothing(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.clearSession();

    assertThat(session.getItems()).isEmpty();
  }

  @EachFlavour
  default void clearSession_twice_isTheSameAsOnce(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one"));
    session.clearSession();
    session.clearSession();

    assertThat(session.getItems()).isEmpty();
  }

  @EachFlavour
  default void clearSession_leavesTheSessionUsable(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("old"));
    session.clearSession();
    session.addItems(Items.of("new", "newer"));

    assertThat(session.getItems()).isEqualTo(Items.of("new", "newer"));
    assertThat(session.popItem()).contains(Item.user("newer"));
  }

  @EachFlavour
  default void clearSession_leavesOtherSessionsAlone(Flavour flavour) {
    Session session = flavour.of(newSession());
    Session other = flavour.of(newSession());
    session.addItems(Items.of("mine"));
    other.addItems(Items.of("theirs"));
    session.clearSession();

    assertThat(other.getItems()).isEqualTo(Items.of("theirs"));
  }
}
