package dev.clew.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionEvent;
import dev.clew.kit.ChangeEvents.Change;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeEventsTest {
  private static final ChangeEvents.History<RuntimeException> NOTHING =
      new ChangeEvents.History<>() {
        @Override
        public Optional<Entry> at(long position) {
          return Optional.empty();
        }

        @Override
        public List<Entry> upTo(long position) {
          return List.of();
        }
      };

  private static Entry entry(long position) {
    return new Entry(position, Item.user("m" + position), Instant.EPOCH, Map.of(), false);
  }

  @Test
  void aFullPageWithADamagedRow_endsTheEventsAtItsLastEntry() {
    List<Optional<Entry>> page =
        List.of(Optional.of(entry(1)), Optional.empty(), Optional.of(entry(3)));

    // 4 was appended too, but is on the next page: the removal after it has to wait.
    List<SessionEvent> events =
        ChangeEvents.merge(List.of(new Change(5, ChangeEvents.REMOVED, 1)), page, 3, NOTHING);

    assertThat(events).containsExactly(new SessionEvent.Appended(3, List.of(entry(1), entry(3))));
  }

  @Test
  void aPageThatIsNotFull_letsAllChangesThrough() {
    List<SessionEvent> events =
        ChangeEvents.merge(
            List.of(new Change(5, ChangeEvents.REMOVED, 1)),
            List.of(Optional.of(entry(1)), Optional.empty()),
            3,
            NOTHING);

    assertThat(events)
        .containsExactly(
            new SessionEvent.Appended(1, List.of(entry(1))),
            new SessionEvent.Removed(5, List.of(1L)));
  }
}
