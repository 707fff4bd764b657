package dev.clew.server.internal.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.memory.MemoryStore;
import dev.clew.tck.FaultyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Logs of runs in the store, as a reader at another server sees them. */
class EventLogsTest {
  private static final RunKey RUN = new RunKey("ann", "trip", "turn_1");
  private final MemoryStore memory = MemoryStore.builder().build();
  private final FaultyStore store = new FaultyStore(memory);
  private final EventLogs here = new EventLogs(store.documents());
  private final EventLogs there = new EventLogs(memory.documents());

  @AfterEach
  void stop() {
    here.close();
    there.close();
    memory.close();
  }

  /** Takes down what it is told. */
  private static final class Notes implements EventLogs.Outlet {
    final List<Long> numbers = new ArrayList<>();
    final CountDownLatch ended = new CountDownLatch(1);
    final CountDownLatch begun = new CountDownLatch(1);

    @Override
    public boolean hasRoom() {
      return true;
    }

    @Override
    public void send(EventLog.Event event) {
      numbers.add(event.number());
      begun.countDown();
    }

    @Override
    public void end() {
      ended.countDown();
    }
  }

  @Test
  void aReaderElsewhereMissesNothing_whenItIsUnknownWhetherAChunkWasWritten() throws Exception {
    EventLog log = here.begin(RUN);
    Notes notes = new Notes();
    store.failAfter(FaultyStore.nth("records.put", 1));
    log.add("delta", number -> "{}");
    there.follow(RUN, -1, notes, last -> Optional.empty());
    assertThat(notes.begun.await(20, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 10; i++) {
      log.add("delta", number -> "{}");
    }
    here.end(log);
    assertThat(notes.ended.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(notes.numbers).containsExactlyElementsOf(LongStream.range(0, 11).boxed().toList());
  }

  @Test
  void aRunThatIsTooShortForATickIsKnownElsewhereWhenItIsAnnounced() {
    EventLog log = here.begin(RUN);
    log.add("delta", number -> "{}");
    here.announce(log);
    assertThat(there.exists(RUN)).isTrue();
  }

  @Test
  void whatARunSaidGoesWithWhatItBelongsTo() {
    for (int i = 0; i < 150; i++) {
      EventLog log = here.begin(new RunKey("ann", "trip", "turn_" + i));
      log.add("delta", number -> "{}");
      here.end(log);
    }
    EventLog other = here.begin(RunKey.alone("ann", "resp_1"));
    other.add("delta", number -> "{}");
    here.end(other);
    there.deleteAll("ann", "trip");
    assertThat(memory.documents().list("ann", "log/", Optional.empty(), 1000)).hasSize(1);
    assertThat(there.exists(RunKey.alone("ann", "resp_1"))).isTrue();
  }
}
