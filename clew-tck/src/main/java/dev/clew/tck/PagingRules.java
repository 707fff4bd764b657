package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.StoredSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** C11: positions, and reading by them. */
@Rule(
    "positions ascend, are never used twice, and Range reads by them in both directions "
        + "with an exact hasMore (see Range, EntryPage)")
interface PagingRules extends StoreFixture {

  @Test
  default void positions_growWithinABatchAndFromBatchToBatch() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    session.addItems(Items.of("three"));
    session.addItems(Items.of("four", "five"));

    assertAscending(Items.positions(session));
    assertThat(Items.positions(session)).hasSize(5);
  }

  @Test
  default void positions_doNotChangeWhenOthersComeAndGo() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two", "three"));
    List<Long> before = Items.positions(session);
    session.popItem();
    session.addItems(Items.of("four"));

    assertThat(Items.positions(session)).startsWith(before.get(0), before.get(1));
  }

  @Test
  default void positions_areNotReusedAfterAPop() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    long popped = Items.position(session, 1);
    session.popItem();
    session.addItems(Items.of("three"));

    assertThat(Items.position(session, 1)).isGreaterThan(popped);
  }

  @Test
  default void positions_areNotReusedAfterAClear() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two", "three"));
    List<Long> before = Items.positions(session);
    session.clearSession();
    session.addItems(Items.of("four"));

    assertThat(Items.position(session, 0)).isGreaterThan(before.get(2));
  }

  @Test
  default void order_comesFromPositionsNotFromTheClock() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    clock().advance(Duration.ofHours(-1));
    session.addItems(Items.of("two"));
    clock().advance(Duration.ofDays(1));
    session.addItems(Items.of("three"));
    clock().advance(Duration.ofDays(-30));
    session.addItems(Items.of("four"));

    List<Item> items = Items.of("one", "two", "three", "four");
    assertThat(session.getItems()).isEqualTo(items);
    assertThat(session.getItems(2)).isEqualTo(items.subList(2, 4));
    assertThat(session.popItem()).contains(Item.user("four"));
    assertAscending(Items.positions(session));
  }

  @Test
  default void receipt_tellsTheFirstAndTheLastPosition() {
    StoredSession session = newSession();
    session.addItems(Items.of("zero"));
    Receipt receipt = session.commit(Commit.append(Items.of("one", "two", "three")));

    assertThat(receipt.firstPosition()).hasValue(Items.position(session, 1));
    assertThat(receipt.lastPosition()).hasValue(Items.position(session, 3));
    assertThat(receipt.repeated()).isFalse();
    assertThat(receipt.version()).isEqualTo(session.info().orElseThrow().version());
  }

  @Test
  default void entries_tellWhenAnItemWasAddedAndTheNotesBesideIt() {
    StoredSession session = newSession();
    Map<String, Object> notes = Map.of("model", "m-1", "usage", Map.of("tokens", List.of(1, 2)));
    Draft draft = new Draft(Item.user("with notes"), notes);
    Instant first = clock().instant();
    session.commit(Commit.appendDrafts(List.of(draft)));
    clock().advance(Duration.ofMinutes(5));
    session.addItems(Items.of("without"));

    List<Entry> entries = Items.entries(session);
    assertThat(entries.get(0).notes()).isEqualTo(draft.notes());
    assertThat(entries.get(0).item()).isEqualTo(draft.item());
    assertThat(entries.get(0).addedAt()).isEqualTo(first);
    assertThat(entries.get(0).compacted()).isFalse();
    assertThat(entries.get(1).notes()).isEmpty();
    assertThat(entries.get(1).addedAt()).isEqualTo(first.plus(Duration.ofMinutes(5)));
  }

  @Test
  default void latest_readsTheNewestOldestFirst() {
    StoredSession session = fiveItems();

    EntryPage page = session.entries(Range.latest(2));
    assertThat(page.items()).isEqualTo(Items.of("d", "e"));
    assertThat(page.hasMore()).isTrue();
  }

  @Test
  default void before_readsWhatStandsJustBeforeAPosition() {
    StoredSession session = fiveItems();

    EntryPage page = session.entries(Range.before(Items.position(session, 3), 2));
    assertThat(page.items()).isEqualTo(Items.of("b", "c"));
    assertThat(page.hasMore()).isTrue();
  }

  @Test
  default void first_readsTheOldest() {
    StoredSession session = fiveItems();

    EntryPage page = session.entries(Range.first(2));
    assertThat(page.items()).isEqualTo(Items.of("a", "b"));
    assertThat(page.hasMore()).isTrue();
  }

  @Test
  default void after_readsWhatStandsJustAfterAPosition() {
    StoredSession session = fiveItems();

    EntryPage page = session.entries(Range.after(Items.position(session, 1), 2));
    assertThat(page.items()).isEqualTo(Items.of("c", "d"));
    assertThat(page.hasMore()).isTrue();
  }

  @Test
  default void hasMore_isExactInBothDirections() {
    StoredSession session = fiveItems();
    List<Long> at = Items.positions(session);

    assertThat(session.entries(Range.latest(4)).hasMore()).isTrue();
    assertThat(session.entries(Range.latest(5)).hasMore()).isFalse();
    assertThat(session.entries(Range.latest(6)).hasMore()).isFalse();
    assertThat(session.entries(Range.first(4)).hasMore()).isTrue();
    assertThat(session.entries(Range.first(5)).hasMore()).isFalse();
    assertThat(session.entries(Range.before(at.get(3), 2)).hasMore()).isTrue();
    assertThat(session.entries(Range.before(at.get(3), 3)).hasMore()).isFalse();
    assertThat(session.entries(Range.after(at.get(2), 1)).hasMore()).isTrue();
    assertThat(session.entries(Range.after(at.get(2), 2)).hasMore()).isFalse();
  }

  @Test
  default void beyondTheEnds_thereIsNothingAndNoMore() {
    StoredSession session = fiveItems();
    List<Long> at = Items.positions(session);

    assertThat(session.entries(Range.after(at.get(4), 3))).isEqualTo(EntryPage.EMPTY);
    assertThat(session.entries(Range.before(at.get(0), 3))).isEqualTo(EntryPage.EMPTY);
    assertThat(session.entries(Range.after(Long.MAX_VALUE, 3))).isEqualTo(EntryPage.EMPTY);
    assertThat(session.entries(Range.before(Long.MIN_VALUE, 3))).isEqualTo(EntryPage.EMPTY);
    assertThat(session.entries(Range.before(Long.MAX_VALUE, 9)).items()).hasSize(5);
    assertThat(session.entries(Range.after(Long.MIN_VALUE, 9)).items()).hasSize(5);
  }

  @Test
  default void pagesOfAnySize_cutTheHistoryWithoutGapOrOverlap() {
    StoredSession session = newSession();
    List<Item> items = Items.numbered("item", 23);
    session.addItems(items);

    for (int size : Arrays.asList(1, 2, 7, 22, 23, 24)) {
      assertThat(readForward(session, size)).isEqualTo(items);
      assertThat(readBackward(session, size)).isEqualTo(items);
    }
  }

  @Test
  default void aCursorOnAnItemThatIsGone_stillWorks() {
    StoredSession session = fiveItems();
    long gone = Items.position(session, 2);
    session.commit(Commit.removeItem(gone));

    assertThat(session.entries(Range.after(gone, 9)).items()).isEqualTo(Items.of("d", "e"));
    assertThat(session.entries(Range.before(gone, 9)).items()).isEqualTo(Items.of("a", "b"));
  }

  @Test
  default void aLimitOfZero_readsNothing() {
    StoredSession session = fiveItems();

    assertThat(session.entries(Range.latest(0)).entries()).isEmpty();
    assertThat(session.entries(Range.first(0)).entries()).isEmpty();
  }

  @Test
  default void find_findsTheEntryByTheIdOfItsItem() {
    StoredSession session = newSession();
    Item wanted = Items.withId("msg_2", "two");
    session.addItems(List.of(Items.withId("msg_1", "one"), wanted, Item.user("no id")));

    Entry found = session.find("msg_2").orElseThrow();
    assertThat(found.item()).isEqualTo(wanted);
    assertThat(found.position()).isEqualTo(Items.position(session, 1));
    assertThat(session.find("msg_3")).isEmpty();
    assertThat(session.find("msg_")).isEmpty();
    assertThat(session.find("MSG_2")).isEmpty();
  }

  @Test
  default void find_doesNotSeeWhatWasRemovedNorOtherSessions() {
    StoredSession session = newSession();
    session.addItems(List.of(Items.withId("msg_1", "one")));
    assertThat(newSession().find("msg_1")).isEmpty();

    session.popItem();
    assertThat(session.find("msg_1")).isEmpty();
  }

  private StoredSession fiveItems() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    session.addItems(Items.of("c", "d", "e"));
    return session;
  }

  private static List<Item> readForward(StoredSession session, int size) {
    List<Item> items = new ArrayList<>();
    EntryPage page = session.entries(Range.first(size));
    items.addAll(page.items());
    while (page.hasMore()) {
      page = session.entries(Range.after(lastPosition(page), size));
      assertThat(page.entries()).as("a page that was announced").isNotEmpty();
      items.addAll(page.items());
    }
    return items;
  }

  private static List<Item> readBackward(StoredSession session, int size) {
    List<Item> items = new ArrayList<>();
    EntryPage page = session.entries(Range.latest(size));
    items.addAll(0, page.items());
    while (page.hasMore()) {
      page = session.entries(Range.before(page.entries().get(0).position(), size));
      assertThat(page.entries()).as("a page that was announced").isNotEmpty();
      items.addAll(0, page.items());
    }
    return items;
  }

  private static long lastPosition(EntryPage page) {
    return page.entries().get(page.entries().size() - 1).position();
  }

  private static void assertAscending(List<Long> positions) {
    assertThat(positions).isSorted().doesNotHaveDuplicates();
  }
}
