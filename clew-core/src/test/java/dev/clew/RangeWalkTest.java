package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RangeWalkTest {
  private final List<Range> asked = new ArrayList<>();

  /** Reads from a history with the positions 1 to 5. */
  private EntryPage read(Range range) {
    asked.add(range);
    long cursor = range.cursor().orElse(range.backward() ? 6 : 0);
    long first = range.backward() ? Math.max(1, cursor - range.limit()) : cursor + 1;
    long end = range.backward() ? cursor : Math.min(6, first + range.limit());
    List<Entry> entries = LongStream.range(first, end).mapToObj(RangeWalkTest::entry).toList();
    return new EntryPage(entries, range.backward() ? first > 1 : end < 6);
  }

  private static Entry entry(long position) {
    return new Entry(position, Item.user("item " + position), Instant.EPOCH, Map.of(), false);
  }

  private static List<Long> positions(Iterable<Entry> entries) {
    List<Long> positions = new ArrayList<>();
    entries.forEach(entry -> positions.add(entry.position()));
    return positions;
  }

  @Test
  void readsForwardToTheEnd() {
    assertThat(positions(Range.first(2).walk(this::read))).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(asked).containsExactly(Range.first(2), Range.after(2, 2), Range.after(4, 2));
  }

  @Test
  void readsBackwardNewestFirst() {
    assertThat(positions(Range.before(5, 3).walk(this::read))).containsExactly(4L, 3L, 2L, 1L);
    assertThat(asked).containsExactly(Range.before(5, 3), Range.before(2, 3));
  }

  @Test
  void keepsWhetherCompactedEntriesAreIncluded() {
    positions(Range.first(3).withCompacted().walk(this::read));
    assertThat(asked).allMatch(Range::includeCompacted).hasSize(2);
  }

  @Test
  void readsAPageOnlyWhenItIsNeeded() {
    assertThat(Range.latest(2).walk(this::read).iterator().next().position()).isEqualTo(5);
    assertThat(asked).containsExactly(Range.latest(2));
  }

  @Test
  void endsAtAPageWithoutEntries() {
    assertThat(positions(Range.first(2).walk(range -> new EntryPage(List.of(), true)))).isEmpty();
  }
}
