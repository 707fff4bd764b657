package dev.clew.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final long MIB = 1 << 20;
  private final Budget budget = new Budget(64 * MIB, 10 * MIB); // 48 for the large, 24 of one

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    Budget.Share share = budget.share("ann");
    assertThat(share.resize(20 * MIB)).isTrue();
    assertThat(budget.used()).isEqualTo(20 * MIB);
    assertThat(share.resize(MIB)).isTrue();
    share.close();
    assertThat(budget.used()).isZero();
    assertThat(share.resize(1)).as("it is over").isFalse();
  }

  @Test
  void theLargeLeaveRoomToTheSmall_andOneCallerToOthers() {
    assertThat(budget.share("ann").resize(20 * MIB)).isTrue();
    assertThat(budget.share("ann").resize(5 * MIB)).as("half is for others").isFalse();
    assertThat(budget.share("bob").resize(20 * MIB)).isTrue();
    assertThat(budget.share("eve").resize(9 * MIB)).as("nothing is left").isFalse();
    assertThat(budget.share("eve").resize(Budget.SMALL)).isTrue();
  }

  @Test
  void oneCallerWithManySmallOnes_leavesRoomToOthers() {
    int taken = 0;
    while (budget.share("ann").resize(Budget.SMALL)) {
      taken++;
    }
    assertThat(taken).as("half of the small part").isEqualTo(8 * MIB / Budget.SMALL);
    assertThat(budget.share("bob").resize(Budget.SMALL)).isTrue();
  }

  @Test
  void thereIsAlwaysRoomForOneOfTheLargest() {
    Budget tiny = new Budget(1, 10 * MIB);
    assertThat(tiny.share("ann").resize(10 * MIB)).isTrue();
    assertThat(tiny.share("bob").resize(10 * MIB)).isFalse();
  }

  @Test
  void whoWaitsGetsItsTurn_andWhoLeftIsPassedOver() {
    Budget.Share first = budget.share("ann");
    assertThat(first.resize(24 * MIB)).isTrue();
    Budget.Share left = budget.share("ann");
    CompletableFuture<Boolean> never = left.grow(10 * MIB);
    CompletableFuture<Boolean> second = budget.share("ann").grow(20 * MIB);
    left.close();
    assertThat(second).isNotDone();
    first.close();
    assertThat(second).isCompletedWithValue(true);
    assertThat(never).isNotDone();
    assertThat(budget.used()).isEqualTo(20 * MIB);
  }

  @Test
  void nobodyWaitsBehindThoseForWhomThereIsNotEnough() {
    assertThat(budget.share("ann").resize(24 * MIB)).isTrue();
    CompletableFuture<Boolean> waits = budget.share("ann").grow(20 * MIB);
    assertThat(budget.share("bob").grow(1000)).isCompletedWithValue(true);
    assertThat(budget.share("bob").grow(MIB)).isCompletedWithValue(true);
    assertThat(waits).isNotDone();
  }

  @Test
  void whoWaitsTooLongIsTold_andTakesNothing() {
    Budget.Share first = budget.share("ann");
    assertThat(first.resize(24 * MIB)).isTrue();
    CompletableFuture<Boolean> late = budget.share("ann").grow(10 * MIB);
    budget.expire(System.nanoTime());
    assertThat(late).isNotDone();
    budget.expire(System.nanoTime() + Budget.PATIENCE.toNanos() + 1_000_000_000L);
    assertThat(late).isCompletedWithValue(false);
    assertThat(budget.share("ann").growNow(10 * MIB, Duration.ofMillis(1))).isFalse();
    first.close();
    assertThat(budget.used()).isZero();
  }
}
