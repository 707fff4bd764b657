package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;

/** C3, C4: adding items. */
@Rule(
    "addItems writes all items in their order or nothing, and refuses a bad item before "
        + "it writes (see Session.addItems and ItemLimits)")
interface AppendingRules extends SessionFixture {

  @EachFlavour
  default void addItems_keepsTheOrderOfTheCaller(Flavour flavour) {
    Session session = flavour.of(newSession());
    List<Item> items = Items.of("c", "a", "b", "a", "c");
    session.addItems(items);

    assertThat(session.getItems()).isEqualTo(items);
  }

  @EachFlavour
  default void addItems_addsBehindWhatIsThere(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("one", "two"));
    session.addItems(Items.of("three"));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two", "three"));
  }

  @EachFlavour
  default void addItems_keepsEqualItemsApart(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("same", "same"));
    session.addItems(Items.of("same"));

    assertThat(session.getItems()).isEqualTo(Items.of("same", "same", "same"));
  }

  @EachFlavour
  default void addItems_ofNothing_doesNothing(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(List.of());
    assertThat(session.getItems()).isEmpty();

    session.addItems(Items.of("one"));
    session.addItems(List.of());
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @EachFlavour
  default void addItems_takesABatchOfAThousand(Flavour flavour) {
    Session session = flavour.of(newSession());
    List<Item> items = Items.numbered("item", 1000);
    session.addItems(items);

    assertThat(session.getItems()).isEqualTo(items);
    assertThat(session.getItems(2)).isEqualTo(items.subList(998, 1000));
  }

  @EachFlavour
  default void addItems_withANullInTheBatch_namesItsIndexAndWritesNothing(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("before"));
    List<Item> batch = Arrays.asList(Item.user("good"), Item.user("good too"), null);

    assertRefused(session, batch, 2);

    assertThat(session.getItems()).isEqualTo(Items.of("before"));
  }

  @EachFlavour
  default void addItems_withAnItemThatIsTooLarge_namesItsIndexAndWritesNothing(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(Items.of("before"));
    List<Item> batch = List.of(Item.user("good"), Items.ofSize(ItemLimits.STORE.maxBytes()));

    assertRefused(session, batch, 1);

    assertThat(session.getItems()).isEqualTo(Items.of("before"));
  }

  @EachFlavour
  default void addItems_withAnItemThatIsTooDeep_namesItsIndexAndWritesNothing(Flavour flavour) {
    Session session = flavour.of(newSession());
    ItemLimits lenient = ItemLimits.STORE.maxDepth(1000);
    Item deep = Item.parse(HostileItems.nested(ItemLimits.STORE.maxDepth() + 1), lenient);

    assertRefused(session, List.of(deep, Item.user("good")), 0);

    assertThat(session.getItems()).isEmpty();
  }

  @EachFlavour
  default void addItems_worksAsBeforeAfterARefusedBatch(Flavour flavour) {
    Session session = flavour.of(newSession());
    assertRefused(session, Arrays.asList(Item.user("good"), null), 1);
    session.addItems(Items.of("one"));

    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @EachFlavour
  default void addItems_doesNotHoldOnToTheListOfTheCaller(Flavour flavour) {
    Session session = flavour.of(newSession());
    List<Item> batch = new ArrayList<>(Items.of("one", "two"));
    session.addItems(batch);
    batch.set(0, Item.user("forged"));
    batch.add(Item.user("late"));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  private static void assertRefused(Session session, List<Item> batch, int index) {
    assertThatThrownBy(() -> session.addItems(batch))
        .asInstanceOf(InstanceOfAssertFactories.type(ClewException.InvalidItem.class))
        .as("the index of the refused item")
        .extracting(ClewException.InvalidItem::index)
        .isEqualTo(index);
  }
}
