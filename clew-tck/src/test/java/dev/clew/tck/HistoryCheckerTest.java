package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.tck.History.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {
  private final History history = new History();

  @Test
  void anEmptyHistory_fitsAnEmptyLog() {
    assertFits();
  }

  @Test
  void appendsInTheOrderOfTheirAcknowledgements_fit() {
    append("x", 2, 0, 10);
    append("y", 1, 20, 30);
    history.read("c", 40, 50, true, List.of("x#0", "x#1", "y#0"));
    history.read("c", 60, 70, false, List.of("x#1", "y#0"));

    assertFits("x#0", "x#1", "y#0");
  }

  @Test
  void concurrentAppends_fitInEitherOrder() {
    append("x", 1, 0, 10);
    append("y", 1, 5, 15);

    assertFits("x#0", "y#0");
    assertFits("y#0", "x#0");
  }

  @Test
  void aLostAppend_isFound() {
    append("x", 1, 0, 10);
    append("y", 1, 20, 30);

    assertFound("batch y of client c is lost", "x#0");
  }

  @Test
  void anAppendThatIsThereTwice_isFound() {
    append("x", 1, 0, 10);

    assertFound("batch x is there twice", "x#0", "x#0");
  }

  @Test
  void halfAnAppend_isFound() {
    append("x", 2, 0, 10);

    assertFound("batch x is torn", "x#0");
  }

  @Test
  void anAppendTornApartByAnother_isFound() {
    append("x", 2, 0, 10);
    append("y", 1, 0, 10);

    assertFound("batch x is torn", "x#0", "y#0", "x#1");
  }

  @Test
  void anAppendInAnotherOrder_isFound() {
    append("x", 2, 0, 10);

    assertFound("batch x is torn", "x#1", "x#0");
  }

  @Test
  void anItemNobodyAppended_isFound() {
    assertFound("appended by nobody", "x#0");
  }

  @Test
  void aRefusedAppendThatIsThere_isFound() {
    history.invoke("c", "x", 1, 0);
    history.end("x", Outcome.FAILED, 10);

    assertFits();
    assertFound("batch x was refused and is there", "x#0");
  }

  @Test
  void anAppendOfUnknownOutcome_mayBeThereOrNotButNotHalf() {
    history.invoke("c", "x", 2, 0);
    history.end("x", Outcome.UNKNOWN, 10);
    history.invoke("c", "y", 1, 20);

    assertFits();
    assertFits("x#0", "x#1");
    assertFits("y#0", "x#0", "x#1");
    assertFound("batch x is torn", "x#0");
  }

  @Test
  void anOrderThatContradictsTheAcknowledgements_isFound() {
    append("x", 1, 0, 10);
    append("y", 1, 20, 30);
    append("z", 1, 5, 40);

    assertFits("z#0", "x#0", "y#0");
    assertFound("batch y stands before x, which was acknowledged before it", "y#0", "z#0", "x#0");
  }

  @Test
  void aReadThatMissesAnAcknowledgedAppend_isFound() {
    append("x", 1, 0, 10);
    history.read("d", 20, 30, true, List.of());

    assertFound("saw 0 items and not batch x", "x#0");
  }

  @Test
  void aReadWhileAnAppendIsInFlight_maySeeItOrNot() {
    append("x", 1, 0, 100);
    history.read("d", 20, 30, true, List.of());
    history.read("d", 40, 50, true, List.of("x#0"));

    assertFits("x#0");
  }

  @Test
  void aReadThatGoesBack_isFound() {
    append("x", 1, 0, 100);
    history.read("d", 20, 30, true, List.of("x#0"));
    history.read("d", 40, 50, true, List.of());

    assertFound("saw 0 items and not what client d had read", "x#0");
  }

  @Test
  void aReadThatGoesBackBehindThatOfAnother_isFound() {
    append("x", 1, 0, 100);
    history.read("d", 20, 30, true, List.of("x#0"));
    history.read("e", 40, 50, true, List.of());

    assertFound("a read of client e saw 0 items and not what client d had read", "x#0");
  }

  @Test
  void aReadOfHalfABatch_isFound() {
    append("x", 2, 0, 100);
    history.read("d", 20, 30, true, List.of("x#0"));

    assertFound("saw a part of a batch", "x#0", "x#1");
  }

  @Test
  void aReadThatIsNotTheBeginningOfTheLog_isFound() {
    append("x", 1, 0, 10);
    append("y", 1, 0, 10);
    history.read("d", 20, 30, true, List.of("y#0"));

    assertFound("not in the log like that", "x#0", "y#0");
  }

  @Test
  void aTailWithAHole_isFound() {
    for (String batch : List.of("x", "y", "z")) {
      append(batch, 1, 0, 10);
    }
    history.read("d", 20, 30, false, List.of("x#0", "z#0"));

    assertFound("not in the log like that", "x#0", "y#0", "z#0");
  }

  @Test
  void aReadOfSomethingLaterInvoked_isFound() {
    append("x", 1, 100, 110);
    history.read("d", 20, 30, true, List.of("x#0"));

    assertFound("saw batch x before it was invoked", "x#0");
  }

  @Test
  void lines_bringAHistoryFromOneProcessToAnother() {
    append("x", 2, 0, 10);
    history.invoke("d", "y", 1, 20);
    history.end("y", Outcome.FAILED, 30);
    history.invoke("d", "z", 3, 40);
    history.read("d", 50, 60, true, List.of("x#0", "x#1"));
    history.read("d", 70, 80, true, List.of());

    History copy = new History();
    history.lines().forEach(copy::accept);
    assertThat(copy.lines()).isEqualTo(history.lines());
    assertThat(copy.appends()).isEqualTo(history.appends());
    assertThat(copy.reads()).isEqualTo(history.reads());
    assertThat(history.lines()).contains("invoke d z 3 40", "ok x 10", "read d 70 80 whole");
  }

  @Test
  void aLineOfAnotherForm_isRefused() {
    for (String line : List.of("", "hello", "ok x", "invoke c x one 5", "read c 1")) {
      assertThatThrownBy(() -> history.accept(line))
          .as(line)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theSameBatchTwice_isRefused() {
    history.invoke("c", "x", 1, 0);

    assertThatThrownBy(() -> history.invoke("c", "x", 1, 5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aHundredThousandOperations_areCheckedInSeconds() {
    List<String> log = new ArrayList<>();
    for (int i = 0; i < 60_000; i++) {
      append("b" + i, 2, i * 10L, i * 10L + 25);
      log.addAll(History.ids(History.batch("b" + i, 2)));
      if (i % 3 > 0) {
        int end = log.size();
        List<String> tail = log.subList(Math.max(0, end - 8), end);
        history.read("d", i * 10L + 26, i * 10L + 27, end <= 8, List.copyOf(tail));
      }
    }

    List<String> findings =
        Assertions.assertTimeoutPreemptively(
            Duration.ofMinutes(2), () -> HistoryChecker.check(history, log));
    assertThat(findings).isEmpty();
  }

  @Test
  void itemsOfABatch_tellTheirIds() {
    assertThat(History.ids(History.batch("b", 3)))
        .isEqualTo(IntStream.range(0, 3).mapToObj(i -> "b#" + i).toList());
  }

  private void append(String batch, int size, long invoked, long returned) {
    history.invoke("c", batch, size, invoked);
    history.end(batch, Outcome.OK, returned);
  }

  private void assertFits(String... log) {
    assertThat(HistoryChecker.check(history, List.of(log))).isEmpty();
  }

  private void assertFound(String what, String... log) {
    assertThat(HistoryChecker.check(history, List.of(log)))
        .isNotEmpty()
        .anyMatch(finding -> finding.contains(what));
  }
}
