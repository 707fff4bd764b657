package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** C14: replacing the beginning of a history, which is what compaction does. */
@Rule(
    "replacePrefix puts new entries below all that stay, in one commit, and moves what "
        + "it replaced to the archive; dropPrefix keeps neither that nor the archive (see "
        + "Commit.ReplacePrefix)")
interface PrefixRules extends StoreFixture {

  @Test
  default void replacePrefix_putsOthersInThePlaceOfEverythingUpToThePosition() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c", "d"));
    session.commit(Commit.replacePrefix(Items.position(session, 2), Items.of("s1", "s2")));

    assertThat(session.getItems()).isEqualTo(Items.of("s1", "s2", "d"));
    assertThat(session.getItems(2)).isEqualTo(Items.of("s2", "d"));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(3);
  }

  @Test
  default void replacePrefix_keepsWhatWasAppendedSince() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    long seen = Items.position(session, 1);
    session.addItems(Items.of("meanwhile 1", "meanwhile 2"));
    List<Entry> kept = Items.entries(session).subList(2, 4);
    session.commit(Commit.replacePrefix(seen, Items.of("sum")));

    assertThat(session.getItems()).isEqualTo(Items.of("sum", "meanwhile 1", "meanwhile 2"));
    assertThat(Items.entries(session).subList(1, 3)).isEqualTo(kept);
  }

  @Test
  default void replaceHistory_putsTheItemsInThePlaceOfAllAndKeepsTheTitle() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    session.update(SessionUpdate.none().title("kept"));
    session.replaceHistory(Items.of("anew"));
    session.addItems(Items.of("c"));

    assertThat(session.getItems()).isEqualTo(Items.of("anew", "c"));
    assertThat(session.info().orElseThrow().title()).isEqualTo("kept");
    assertThat(session.entries(Range.first(10).withCompacted()).items())
        .isEqualTo(Items.of("anew", "c"));

    session.replaceHistory(List.of());
    assertThat(session.getItems()).isEmpty();
    assertThat(session.info().orElseThrow().title()).isEqualTo("kept");
  }

  @Test
  default void replaceHistory_startsAHistoryThatIsEmptyOrDoesNotExist() {
    StoredSession session = newSession();
    session.replaceHistory(List.of());
    assertThat(session.info()).isEmpty();
    session.replaceHistory(Items.of("a"));
    session.popItem();
    session.replaceHistory(Items.of("b", "c"));

    assertThat(session.getItems()).isEqualTo(Items.of("b", "c"));
  }

  @Test
  default void replacePrefix_byMoreItemsThanThereWere() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    List<Item> many = Items.numbered("s", 30);
    session.commit(Commit.replacePrefix(Items.position(session, 0), many));
    session.addItems(Items.of("c"));

    assertThat(session.getItems()).isEqualTo(Items.join(many, Items.of("b", "c")));
  }

  @Test
  default void replacePrefix_twice_replacesTheReplacement() {
    StoredSession session = compactedTwice();

    assertThat(session.getItems()).isEqualTo(Items.of("sum 2", "d", "e"));
  }

  @Test
  default void positionsAfterAReplacement_stillAscendAndAreUnique() {
    StoredSession session = compactedTwice();
    session.addItems(Items.of("f"));

    assertThat(Items.positions(session)).isSorted().doesNotHaveDuplicates();
    List<Long> everything =
        everything(session, Range.first(100)).stream().map(Entry::position).toList();
    assertThat(new HashSet<>(everything)).hasSameSizeAs(everything);
  }

  @Test
  @Rule(
      "the entries that replace a prefix get new positions in a row, below every position that was"
          + " ever used in the session; these may be 0 or negative. What stays keeps its positions")
  default void positionsOfAReplacement_areNewConsecutiveAndBelowAllOthers() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    Set<Long> used = new HashSet<>();
    for (int round = 0; round < 3; round++) {
      everything(session, Range.first(100)).forEach(entry -> used.add(entry.position()));
      long kept = Items.position(session, round == 0 ? 2 : 3);
      long upTo = Items.position(session, round == 0 ? 1 : 2);
      session.commit(Commit.replacePrefix(upTo, Items.of("s1", "s2", "s3")));

      List<Long> positions = Items.positions(session);
      assertThat(positions).hasSize(4).last().isEqualTo(kept);
      assertThat(positions.get(1)).isEqualTo(positions.get(0) + 1);
      assertThat(positions.get(2))
          .isEqualTo(positions.get(0) + 2)
          .isLessThan(Collections.min(used));
    }
  }

  @Test
  default void receiptOfAReplacement_tellsThePositionsOfWhatItWrote() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    Receipt receipt =
        session.commit(Commit.replacePrefix(Items.position(session, 1), Items.of("s1", "s2")));

    assertThat(receipt.firstPosition()).hasValue(Items.position(session, 0));
    assertThat(receipt.lastPosition()).hasValue(Items.position(session, 1));
  }

  @Test
  default void replacingEverythingByNothing_keepsTheSessionAndItsDescription() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    session.update(SessionUpdate.none().title("kept").metadata(Map.of("k", "v")));
    session.commit(Commit.replacePrefix(Items.position(session, 1), List.of()));

    SessionInfo info = session.info().orElseThrow();
    assertThat(session.getItems()).isEmpty();
    assertThat(info.itemCount()).isZero();
    assertThat(info.title()).isEqualTo("kept");
    assertThat(info.metadata()).isEqualTo(Map.of("k", "v"));
    session.addItems(Items.of("c"));
    assertThat(session.getItems()).isEqualTo(Items.of("c"));
  }

  @Test
  default void replacePrefix_withNothingAtOrBeforeThePosition_isRefused() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    long gone = Items.position(session, 0);
    session.commit(Commit.removeItem(gone));

    assertConflict(session, Commit.replacePrefix(gone, Items.of("sum")));
    assertConflict(session, Commit.dropPrefix(gone, Items.of("sum")));
    assertConflict(session, Commit.replacePrefix(Long.MIN_VALUE, Items.of("sum")));
    assertThat(session.getItems()).isEqualTo(Items.of("b", "c"));
  }

  @Test
  default void replacePrefix_ofASessionThatDoesNotExist_isRefused() {
    StoredSession session = newSession();
    assertConflict(session, Commit.replacePrefix(1, Items.of("sum")));

    assertThat(session.info()).isEmpty();
  }

  @Test
  default void theReplacedItems_areShownOnRequestInTheirOldPlace() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    List<Entry> before = Items.entries(session);
    session.commit(Commit.replacePrefix(before.get(1).position(), Items.of("sum")));

    List<Entry> all = everything(session, Range.first(10));
    assertThat(all.stream().map(Entry::item).toList()).isEqualTo(Items.of("a", "b", "sum", "c"));
    assertThat(all.stream().map(Entry::compacted).toList())
        .containsExactly(true, true, false, false);
    assertThat(all.get(0).position()).isEqualTo(before.get(0).position());
    assertThat(all.get(1).addedAt()).isEqualTo(before.get(1).addedAt());
  }

  @Test
  default void theArchive_isInTheOrderOfTheReplacements() {
    StoredSession session = compactedTwice();

    assertThat(session.entries(Range.first(100).withCompacted()).items())
        .isEqualTo(Items.of("a", "b", "sum 1", "c", "sum 2", "d", "e"));
  }

  @Test
  default void theArchive_canBePagedInBothDirections() {
    StoredSession session = compactedTwice();
    List<Entry> all = everything(session, Range.first(100));

    for (int size = 1; size <= all.size(); size++) {
      assertThat(pageForward(session, size)).as("forward by %d", size).isEqualTo(all);
      assertThat(pageBackward(session, size)).as("backward by %d", size).isEqualTo(all);
    }
  }

  @Test
  default void theReplacedItems_areNotSeenOtherwise() {
    StoredSession session = newSession();
    session.addItems(List.of(Items.withId("msg_1", "one"), Items.withId("msg_2", "two")));
    session.commit(Commit.replacePrefix(Items.position(session, 0), List.of()));

    assertThat(session.find("msg_1")).isEmpty();
    assertThat(session.entries(Range.first(10)).items()).hasSize(1);
    assertThat(session.entries(Range.first(1)).hasMore()).isFalse();
    assertThat(session.popItem()).isPresent();
    assertThat(session.popItem()).isEmpty();
    assertThat(session.entries(Range.latest(10).withCompacted()).entries()).hasSize(1);
  }

  @Test
  default void dropPrefix_keepsNothingOfWhatItReplaced() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    session.commit(Commit.dropPrefix(Items.position(session, 1), Items.of("sum")));

    assertThat(session.getItems()).isEqualTo(Items.of("sum", "c"));
    assertThat(session.entries(Range.first(10).withCompacted()).items())
        .isEqualTo(Items.of("sum", "c"));
  }

  @Test
  default void dropPrefix_dropsWhatEarlierReplacementsKept() {
    StoredSession session = compactedTwice();
    session.commit(Commit.dropPrefix(Items.position(session, 1), Items.of("sum 3")));

    assertThat(session.entries(Range.first(10).withCompacted()).items())
        .isEqualTo(Items.of("sum 3", "e"));
    if (store().traits().capabilities().contains(Capability.SEARCH)) {
      assertThat(store().search(SearchQuery.of("", "sum")).hits()).hasSize(1);
    }
  }

  @Test
  default void replaceHistory_dropsTheArchiveOfAnEmptyHistory() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    session.update(SessionUpdate.none().title("kept"));
    session.commit(Commit.replacePrefix(Items.position(session, 1), List.of()));
    assertThat(session.entries(Range.first(10).withCompacted()).entries()).hasSize(2);
    session.replaceHistory(List.of());

    assertThat(session.entries(Range.first(10).withCompacted()).entries()).isEmpty();
    assertThat(session.info().orElseThrow().title()).isEqualTo("kept");
  }

  @Test
  default void clearSession_removesTheArchiveToo() {
    StoredSession session = compactedTwice();
    session.clearSession();

    assertThat(session.entries(Range.first(10).withCompacted())).isEqualTo(EntryPage.EMPTY);
  }

  @Test
  default void readers_seeTheOldOrTheNewHistoryNeverAMixture() {
    StoredSession session = newSession();
    List<Item> history = Items.numbered("item", 40);
    session.addItems(history);
    List<Item> compacted = new ArrayList<>(Items.of("sum"));
    compacted.addAll(history.subList(39, 40));

    List<List<List<Item>>> seen =
        Crowd.of(
            4,
            thread -> {
              List<List<Item>> reads = new ArrayList<>();
              if (thread == 0) {
                long upTo = Items.position(session, 38);
                session.commit(Commit.replacePrefix(upTo, Items.of("sum")));
              } else {
                while (reads.isEmpty() || reads.get(reads.size() - 1).size() > 2) {
                  reads.add(session.getItems());
                }
              }
              return reads;
            });

    for (List<List<Item>> reads : seen) {
      assertThat(reads).allMatch(read -> read.equals(history) || read.equals(compacted));
    }
  }

  @Test
  default void nothingAppendedDuringReplacements_isLost() {
    StoredSession session = newSession();
    session.addItems(Items.of("start"));
    List<List<Item>> added =
        Crowd.of(
            4,
            thread -> {
              List<Item> mine = Items.numbered("by " + thread, thread == 0 ? 0 : 40);
              mine.forEach(item -> session.addItems(List.of(item)));
              for (int i = 0; thread == 0 && i < 25; i++) {
                session.commit(
                    Commit.replacePrefix(Items.position(session, 0), Items.of("sum " + i)));
              }
              return mine;
            });

    List<Item> everything = session.entries(Range.first(1000).withCompacted()).items();
    for (List<Item> mine : added.subList(1, added.size())) {
      assertThat(Items.texts(everything)).containsSubsequence(Items.texts(mine));
    }
    assertThat(everything).hasSize(1 + 25 + 120);
    assertThat(session.getItems()).hasSize(1 + 120);
  }

  private StoredSession compactedTwice() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    session.commit(Commit.replacePrefix(Items.position(session, 1), Items.of("sum 1")));
    session.addItems(Items.of("d", "e"));
    session.commit(Commit.replacePrefix(Items.position(session, 1), Items.of("sum 2")));
    return session;
  }

  private static List<Entry> everything(StoredSession session, Range range) {
    return session.entries(range.withCompacted()).entries();
  }

  private static List<Entry> pageForward(StoredSession session, int size) {
    EntryPage page = session.entries(Range.first(size).withCompacted());
    List<Entry> all = new ArrayList<>(page.entries());
    while (page.hasMore() && !page.entries().isEmpty()) {
      long last = all.get(all.size() - 1).position();
      page = session.entries(Range.after(last, size).withCompacted());
      all.addAll(page.entries());
    }
    return all;
  }

  private static List<Entry> pageBackward(StoredSession session, int size) {
    EntryPage page = session.entries(Range.latest(size).withCompacted());
    List<Entry> all = new ArrayList<>(page.entries());
    while (page.hasMore() && !page.entries().isEmpty()) {
      page = session.entries(Range.before(all.get(0).position(), size).withCompacted());
      all.addAll(0, page.entries());
    }
    return all;
  }

  private static void assertConflict(StoredSession session, Commit transaction) {
    assertThatThrownBy(() -> session.commit(transaction))
        .isInstanceOf(ClewException.VersionConflict.class);
  }
}
