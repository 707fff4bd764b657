package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.SessionSettings;
import dev.clew.StoredSession;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** C1, C4, C8: settings and limits that a store was opened with. */
@Rule(
    "honour StoreOptions: settings().limit() bounds getItems() without a limit, "
        + "limits() is checked for what is written and never for what is read")
interface DefaultLimitRules extends StoreFixture {

  @Test
  default void getItems_readsAtMostTheDefaultLimitOfTheStore() {
    openWith(options().with(SessionSettings.limit(2)));
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two", "three"));

    assertThat(session.getItems()).isEqualTo(Items.of("two", "three"));
  }

  @Test
  default void anExplicitLimit_overridesTheDefaultLimit() {
    openWith(options().with(SessionSettings.limit(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two", "three"));

    assertThat(session.getItems(2)).isEqualTo(Items.of("two", "three"));
    assertThat(session.getItems(10)).isEqualTo(Items.of("one", "two", "three"));
  }

  @Test
  default void theSettingsOfAHandle_overrideThoseOfTheStore() {
    openWith(options().with(SessionSettings.limit(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two", "three"));

    assertThat(store().session(session.key()).with(SessionSettings.limit(2)).getItems())
        .isEqualTo(Items.of("two", "three"));
    assertThat(store().session(session.key()).with(SessionSettings.DEFAULT).getItems()).hasSize(3);
  }

  @Test
  default void aDefaultLimitOfZero_readsNothing() {
    openWith(options().with(SessionSettings.limit(0)));
    StoredSession session = newSession();
    session.addItems(Items.of("one"));

    assertThat(session.getItems()).isEmpty();
    assertThat(session.popItem()).contains(Item.user("one"));
  }

  @Test
  default void theSizeLimitOfTheStore_refusesABatchAsAWhole() {
    openWith(options().with(ItemLimits.STORE.maxBytes(500)));
    StoredSession session = newSession();
    List<Item> batch = List.of(Item.user("good"), Items.ofSize(600), Items.ofSize(700));

    assertRefused(() -> session.addItems(batch), 1);
    assertThat(session.info()).isEmpty();
  }

  @Test
  default void theSizeLimit_countsBytesNotCharacters() {
    openWith(options().with(ItemLimits.STORE.maxBytes(500)));
    StoredSession session = newSession();

    assertRefused(() -> session.addItems(List.of(Item.user("中".repeat(200)))), 0);
    session.addItems(List.of(Item.user("x".repeat(200))));
    assertThat(session.getItems()).hasSize(1);
  }

  @Test
  default void theDepthLimitOfTheStore_refusesABatchAsAWhole() {
    openWith(options().with(ItemLimits.STORE.maxDepth(10)));
    StoredSession session = newSession();
    List<Item> batch = List.of(Item.user("good"), Item.parse(HostileItems.nested(11)));

    assertRefused(() -> session.addItems(batch), 1);
    assertThat(session.info()).isEmpty();

    session.addItems(List.of(Item.parse(HostileItems.nested(10))));
    assertThat(session.getItems()).hasSize(1);
  }

  @Test
  default void theLimits_holdForEveryWayOfWriting() {
    openWith(options().with(ItemLimits.STORE.maxBytes(500)));
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    long first = Items.position(session, 0);
    List<Item> large = List.of(Items.ofSize(600));

    assertRefused(() -> session.commit(Commit.replacePrefix(first, large)), 0);
    assertRefused(() -> session.commit(Commit.replaceSuffix(Items.of("two"), large)), 0);
    assertRefused(() -> session.commit(Commit.replaceItem(first, Draft.of(large.get(0)))), 0);
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void limits_applyWhenWritingNotWhenReading() {
    StoredSession session = newSession();
    List<Item> items = List.of(Items.ofSize(5000), Item.parse(HostileItems.nested(50)));
    session.addItems(items);

    boolean durable = restart(options().with(new ItemLimits(100, 5)));

    assertThat(store().session(session.key()).getItems()).isEqualTo(durable ? items : List.of());
  }

  private static void assertRefused(ThrowingCallable call, int index) {
    assertThatThrownBy(call)
        .asInstanceOf(InstanceOfAssertFactories.type(ClewException.InvalidItem.class))
        .as("the index of the refused item")
        .extracting(ClewException.InvalidItem::index)
        .isEqualTo(index);
  }
}
