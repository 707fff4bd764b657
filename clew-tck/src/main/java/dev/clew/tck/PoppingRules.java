package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** C5: taking the newest item off. */
@Rule(
    "popItem removes the newest readable item and returns it, once, whoever asks at the "
        + "same time (see Session.popItem)")
interface PoppingRules extends SessionFixture {

  @EachFlavour
  default void popItem_ofASessionThatDoesNotExist_isNothing(Flavour flavour) {
    assertThat(flavour.of(newSession()).popItem()).isEmpty();
  }

  @EachFlavour
  default void popItem_removesAndReturnsTheNewest(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one", "two", "three"));

    assertThat(session.popItem()).contains(Item.user("three"));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @EachFlavour
  default void popItem_untilEmpty_returnsTheHistoryBackwards(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one", "two"));
    session.addItems(Items.of("three"));

    List<Item> popped = new ArrayList<>();
    for (Optional<Item> item = session.popItem(); item.isPresent(); item = session.popItem()) {
      popped.add(item.get());
    }

    assertThat(popped).isEqualTo(Items.of("three", "two", "one"));
    assertThat(session.getItems()).isEmpty();
  }

  @EachFlavour
  default void popItem_ofOneOfTwoEqualItems_leavesTheOther(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("same", "same"));

    assertThat(session.popItem()).contains(Item.user("same"));
    assertThat(session.getItems()).isEqualTo(Items.of("same"));
  }

  @EachFlavour
  default void addItems_afterPopItem_takesThePlaceOfWhatWasPopped(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one", "wrong"));
    session.popItem();
    session.addItems(Items.of("right"));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "right"));
    assertThat(session.getItems(1)).isEqualTo(Items.of("right"));
  }

  @EachFlavour
  default void popItem_byManyThreads_givesEachItemToOneOfThem(Flavour flavour) {
    Session session = newSession();
    List<Item> items = Items.numbered("item", 120);
    session.addItems(items);

    List<Item> popped =
        Crowd.of(6, thread -> popAll(flavour.of(session))).stream().flatMap(List::stream).toList();

    assertThat(popped).hasSize(items.size());
    assertThat(new HashSet<>(popped)).isEqualTo(new HashSet<>(items));
    assertThat(session.getItems()).isEmpty();
  }

  private static List<Item> popAll(Session session) {
    return Stream.generate(session::popItem)
        .takeWhile(Optional::isPresent)
        .map(Optional::get)
        .toList();
  }
}
