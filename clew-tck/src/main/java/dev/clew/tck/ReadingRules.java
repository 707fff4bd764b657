package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.Session;
import java.util.ArrayList;
import java.util.List;

/** C1, C2, C9: reading items. */
@Rule(
    "getItems returns the newest items, oldest first, and never makes a session; a "
        + "limit of 0 is nothing, a negative one an IllegalArgumentException (see Session)")
interface ReadingRules extends SessionFixture {

  @EachFlavour
  default void getItems_ofASessionThatDoesNotExist_isEmpty(Flavour flavour) {
    assertThat(flavour.of(newSession()).getItems()).isEmpty();
  }

  @EachFlavour
  default void getItems_withALimit_ofASessionThatDoesNotExist_isEmpty(Flavour flavour) {
    assertThat(flavour.of(newSession()).getItems(10)).isEmpty();
  }

  @EachFlavour
  default void getItems_returnsEverythingOldestFirst(Flavour flavour) {
    Session session = flavour.of(newSession());
    List<Item> items = Items.numbered("item", 150);
    session.addItems(items.subList(0, 1));
    session.addItems(items.subList(1, 149));
    session.addItems(items.subList(149, 150));

    assertThat(session.getItems()).isEqualTo(items);
  }

  @EachFlavour
  default void getItems_withALimit_returnsTheNewestOldestFirst(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one", "two", "three", "four", "five"));

    assertThat(session.getItems(1)).isEqualTo(Items.of("five"));
    assertThat(session.getItems(3)).isEqualTo(Items.of("three", "four", "five"));
  }

  @EachFlavour
  default void getItems_withALimitBeyondTheEnd_returnsEverything(Flavour flavour) {
    Session session = flavour.of(newSession());
    List<Item> items = Items.of("one", "two", "three");
    session.addItems(items);

    assertThat(session.getItems(3)).isEqualTo(items);
    assertThat(session.getItems(4)).isEqualTo(items);
    assertThat(session.getItems(Integer.MAX_VALUE)).isEqualTo(items);
  }

  @EachFlavour
  default void getItems_withLimitZero_isEmpty(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one"));

    assertThat(session.getItems(0)).isEmpty();
  }

  @EachFlavour
  default void getItems_withANegativeLimit_isRefused(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one"));

    assertThatThrownBy(() -> session.getItems(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> session.getItems(Integer.MIN_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @EachFlavour
  default void getItems_changesNothing(Flavour flavour) {
    Session session = flavour.of(newSession());
    List<Item> items = Items.of("one", "two");
    session.addItems(items);

    List<Item> all = session.getItems();
    List<Item> newest = session.getItems(1);

    assertThat(session.getItems()).isEqualTo(items).isEqualTo(all);
    assertThat(session.getItems(1)).isEqualTo(newest);
  }

  @EachFlavour
  default void getItems_returnsAListWhoseChangesDoNotReachTheSession(Flavour flavour) {
    Session session = flavour.of(newSession());
    List<Item> items = Items.of("one", "two");
    session.addItems(items);

    changeIfPossible(session.getItems());
    changeIfPossible(session.getItems(2));

    assertThat(session.getItems()).isEqualTo(items);
    assertThat(session.getItems(2)).isEqualTo(items);
  }

  @EachFlavour
  default void getItems_returnsAListThatLaterWritesDoNotChange(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one", "two"));

    List<Item> before = session.getItems();
    List<Item> copy = new ArrayList<>(before);
    session.popItem();
    session.addItems(Items.of("three", "four"));

    assertThat(before).isEqualTo(copy);
  }

  @EachFlavour
  default void id_isTheSameWheneverAsked(Flavour flavour) {
    Session session = flavour.of(newSession());
    String id = session.id();
    session.addItems(Items.of("one"));
    session.clearSession();

    assertThat(session.id()).isEqualTo(id).isNotEmpty();
  }

  private static void changeIfPossible(List<Item> list) {
    try {
      list.set(0, Item.user("forged"));
      list.remove(1);
    } catch (UnsupportedOperationException e) {
      assertThat(list).doesNotContain(Item.user("forged"));
    }
  }
}
