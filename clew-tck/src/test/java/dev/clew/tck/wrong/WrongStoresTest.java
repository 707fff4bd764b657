package dev.clew.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The contract notices what it is there to notice: each wrong store fails a case by name. */
class WrongStoresTest {
  private static final String ORACLE = "randomOperations_leaveWhatASimpleModelHas";

  /** What random operations alone have to find, without a case that was made for it. */
  private static final Set<String> FOR_THE_ORACLE =
      Set.of(
          "pops the oldest",
          "forgets operation ids",
          "ignores the expected version",
          "shares later appends with a fork",
          "keeps the title of a cleared session",
          "keeps nothing of what was compacted",
          "replaces everything when compacting",
          "numbers its items anew each time",
          "returns the oldest N",
          "lists another owner's sessions",
          "loses the last batch",
          "moves updatedAt with the title",
          "always has more");

  static List<WrongStore> wrongStores() {
    return Stream.of(WrongReads.all(), WrongWrites.all(), WrongRest.all())
        .flatMap(List::stream)
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongStores")
  void aWrongStore_failsTheCaseThatNamesIt(WrongStore wrong) {
    TestExecutionSummary summary = SubjectContract.run(wrong.failingCase(), wrong.spoil());

    assertThat(summary.getTestsFoundCount()).as("cases of that name").isPositive();
    assertThat(summary.getTestsFailedCount()).as("failures").isPositive();
    assertThat(summary.getFailures())
        .as("failed by an assertion, not because the wrong store fell over")
        .anyMatch(failure -> failure.getException() instanceof AssertionError);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongStores")
  void theSameStoreWithNothingWrong_passesThatCase(WrongStore wrong) {
    TestExecutionSummary summary = SubjectContract.runRight(wrong.failingCase());

    assertThat(summary.getTestsFoundCount()).isPositive();
    assertThat(summary.getTestsSucceededCount()).isEqualTo(summary.getTestsFoundCount());
  }

  static List<WrongStore> wrongForTheOracle() {
    return wrongStores().stream().filter(wrong -> FOR_THE_ORACLE.contains(wrong.what())).toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongForTheOracle")
  void randomOperations_findAWrongStoreAndTellTheSeed(WrongStore wrong) {
    TestExecutionSummary summary = SubjectContract.run(ORACLE, wrong.spoil());

    assertThat(summary.getFailures())
        .singleElement()
        .satisfies(
            failure -> assertThat(failure.getException()).hasMessageContaining("-Dclew.tck.seed="));
  }

  @Test
  void thereAreAtLeastTwentyWrongStores() {
    assertThat(wrongStores()).extracting(WrongStore::what).hasSizeGreaterThanOrEqualTo(20);
    assertThat(wrongStores()).extracting(WrongStore::what).doesNotHaveDuplicates();
    assertThat(wrongForTheOracle()).hasSameSizeAs(FOR_THE_ORACLE);
  }
}
