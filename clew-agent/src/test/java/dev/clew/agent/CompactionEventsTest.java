package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What somebody who watches a run sees of the compaction behind it. */
class CompactionEventsTest {
  private final Script model = new Script();
  private final Summarised compactor = new Summarised();

  static Stream<Session> sessions() {
    return Stream.of(new MemoryStore().session("s"), new MemorySession());
  }

  /** The events of one more turn that are of a compaction, or of what was stored. */
  private List<RunEvent> turn(Session session) {
    model.says("answer");
    List<RunEvent> events = new ArrayList<>();
    try (RunStream stream =
        Runner.with(model).runStreamed(Agent.builder().name("a").build(), "question", session)) {
      for (RunEvent event : stream) {
        if (event instanceof RunEvent.StepStored
            || event instanceof RunEvent.CompactionStarted
            || event instanceof RunEvent.CompactionFinished) {
          events.add(event instanceof RunEvent.StepStored step ? stored(step.items()) : event);
        }
      }
      assertThat(stream.result().finalOutput()).isEqualTo("answer");
    }
    return events;
  }

  private static RunEvent stored(Item item) {
    return stored(List.of(item));
  }

  private static RunEvent stored(List<Item> items) {
    return new RunEvent.StepStored(items.stream().map(Draft::of).toList());
  }

  private static final RunEvent ASKED = stored(Item.user("question"));
  private static final RunEvent ANSWERED = stored(Item.assistant("answer"));

  @ParameterizedTest
  @MethodSource("sessions")
  void aCompactionIsShownBehindTheAnswerWithItsCounts(Session below) {
    Session session =
        CompactionSession.builder(below, compactor).trigger(CompactionTrigger.turns(2)).build();

    assertThat(turn(session)).containsExactly(ASKED, ANSWERED);
    assertThat(turn(session))
        .containsExactly(
            ASKED,
            ANSWERED,
            new RunEvent.CompactionStarted(4),
            new RunEvent.CompactionFinished(
                new CompactionReport(true, "the trigger wanted it", 4, 1, Summarised.COST)));
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void oneThatFailsIsShownToo_andNothingWhileItRests(Session below) {
    Session session =
        CompactionSession.builder(below, compactor.fails()).trigger(context -> true).build();

    for (int items : List.of(2, 4)) {
      assertThat(turn(session))
          .containsExactly(
              ASKED,
              ANSWERED,
              new RunEvent.CompactionStarted(items),
              new RunEvent.CompactionFinished(
                  CompactionReport.not("it failed", items, Usage.NONE)));
    }
    assertThat(turn(session)).containsExactly(ASKED, ANSWERED);
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void inTheBackgroundItIsNotShown(Session below) {
    CompactionSession session =
        CompactionSession.builder(below, compactor)
            .trigger(context -> true)
            .inBackground(Runnable::run)
            .build();

    assertThat(turn(session)).containsExactly(ASKED, ANSWERED);
    assertThat(compactor.requests).hasSize(1);
  }
}
