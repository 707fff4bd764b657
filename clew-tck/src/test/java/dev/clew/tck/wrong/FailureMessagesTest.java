package dev.clew.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.tck.StoreOptions;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A rule that fails says what it asks for, before what the assertion saw. */
class FailureMessagesTest {

  private static Throwable failure(String rule, UnaryOperator<SessionStore> wrong) {
    BiFunction<SessionStore, StoreOptions, SessionStore> spoil = (store, any) -> wrong.apply(store);
    return SubjectContract.run(rule, spoil).getFailures().get(0).getException();
  }

  @Test
  void aRuleAboutTimes_saysWhereTheTimesComeFrom() {
    Throwable failure =
        failure(
            "itemsFromElsewhere_keepTheirTimesAndMakeTheSessionAsOldAsTheyAre",
            right ->
                BackendStore.decorate(
                    right,
                    backend ->
                        new Passing(backend) {
                          @Override
                          public Receipt commit(SessionKey key, Commit transaction) {
                            return super.commit(
                                key,
                                Commit.appendDrafts(
                                    transaction.step().drafts().stream()
                                        .map(draft -> new Draft(draft.item(), draft.notes()))
                                        .toList()));
                          }
                        }));

    assertThat(failure)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rule: TimeRules: items from elsewhere keep their times")
        .hasMessageContaining("Commit.times")
        .hasMessageContaining("2021-03-04");
    assertThat(failure.getStackTrace())
        .as("the line of the rule")
        .anyMatch(frame -> frame.getClassName().endsWith("TimeRules"));
  }

  @Test
  void theNameOfARule_isReadAsWords() {
    assertThat(
            failure(
                "positionsOfAReplacement_areNewConsecutiveAndBelowAllOthers",
                WrongWrites::leavesAGap))
        .hasMessageContaining("rule: PrefixRules: positions of a replacement are new");
  }

  @Test
  void aLeaseThatAnErasureLeft_isNamed() {
    Throwable failure =
        failure(
            "fences_doNotStartAnewAfterAnErasure",
            right ->
                BackendStore.decorate(
                    right,
                    backend ->
                        new Passing(backend) {
                          @Override
                          public void erase(String owner) {}
                        }));

    assertThat(failure).hasMessageContaining("erase frees the leases of the owner");
  }

  @Test
  void whatCheckDidNotReport_isDescribed() {
    Throwable failure =
        failure(
            "check_reportsAnOutputWithoutItsCallAndACallWithoutItsOutput",
            right ->
                BackendStore.decorate(
                    right,
                    backend ->
                        new Passing(backend) {
                          @Override
                          public void check(Consumer<Finding> findings) {}
                        }));

    assertThat(failure)
        .hasMessageContaining("rule: DamageRules: check reports an output without its call")
        .hasMessageContaining("UNPAIRED");
  }

  @Test
  void aStoreThatFallsOver_isToldTheRuleTooAndFailsAsBefore() {
    Throwable failure =
        failure(
            "popItem_removesAndReturnsTheNewest",
            right ->
                BackendStore.decorate(
                    right,
                    backend ->
                        new Passing(backend) {
                          @Override
                          public Optional<Entry> removeLast(SessionKey key) {
                            throw new UnsupportedOperationException("not yet");
                          }
                        }));

    assertThat(failure)
        .isNotInstanceOf(AssertionError.class)
        .hasMessageContaining("rule: PoppingRules: popItem removes and returns the newest")
        .hasMessageContaining("not yet")
        .hasCauseInstanceOf(UnsupportedOperationException.class);
  }
}
