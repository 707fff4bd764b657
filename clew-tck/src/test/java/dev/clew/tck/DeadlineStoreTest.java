package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.decorate.DeadlineStore;
import dev.clew.decorate.RetryPolicy;
import dev.clew.decorate.RetryingStore;
import dev.clew.memory.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that hang are given up in time, with an error that says what is known of them. */
class DeadlineStoreTest {
  private final FaultyStore faulty = new FaultyStore(new MemoryStore());
  private final SessionStore store = new DeadlineStore(faulty, Duration.ofMillis(20));

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aReadThatHangs_isUnavailable() {
    FaultyStore.Hold hold = faulty.hold(FaultyStore.every("read"));

    assertThatThrownBy(() -> store.session("s").getItems(5))
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContaining("PT0.02S");
    hold.release();
  }

  @Test
  void aPingThatHangs_isUnavailable() {
    FaultyStore.Hold hold = faulty.hold(FaultyStore.every("ping"));

    assertThatThrownBy(store::ping).isInstanceOf(ClewException.StoreUnavailable.class);
    hold.release();
  }

  @Test
  void aWriteThatHangs_hasAnUnknownOutcomeAndMayStillTakeEffect() {
    FaultyStore.Hold hold = faulty.hold(FaultyStore.nth("apply", 1));

    assertThatThrownBy(() -> store.session("s").addItems(Items.of("one")))
        .isInstanceOf(ClewException.OutcomeUnknown.class);
    hold.release();
    Await.until(() -> "the write", () -> faulty.session("s").getItems().equals(Items.of("one")));
  }

  @Test
  void aWriteThatHangsAndIsRepeated_isWrittenOnce() {
    FaultyStore.Hold hold = faulty.hold(FaultyStore.nth("apply", 1));
    // What does not hang must be done in time on a busy machine too.
    SessionStore patient = new DeadlineStore(faulty, Duration.ofSeconds(1));
    SessionStore retrying =
        new RetryingStore(patient, RetryPolicy.DEFAULT, pause -> {}, System::nanoTime);
    retrying.session("s").addItems(Items.of("one"));
    hold.release();
    retrying.session("s").addItems(Items.of("two"));

    assertThat(faulty.session("s").getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  void whenTooManyCallsHang_othersAreRefusedAtOnceUntilThoseComeBack() {
    FaultyStore.Hold hold = faulty.hold(FaultyStore.every("info"));
    for (int i = 0; i < 64; i++) {
      assertThatThrownBy(() -> store.session("s").info())
          .isInstanceOf(ClewException.StoreUnavailable.class)
          .hasMessageContaining("was not answered");
    }

    assertThatThrownBy(store::ping)
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContaining("was not begun");
    assertThat(faulty.calls("ping")).isZero();
    hold.release();
    Await.until(() -> "calls go through again", this::pings);
  }

  private boolean pings() {
    try {
      store.ping();
      return true;
    } catch (ClewException.StoreUnavailable e) {
      return false;
    }
  }

  @Test
  void anInterruptOfTheCaller_staysAndDoesNotEndTheCall() {
    Thread.currentThread().interrupt();
    SessionStore patient = new DeadlineStore(faulty, Await.DEADLINE);
    patient.session("s").addItems(Items.of("one"));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(faulty.session("s").getItems()).hasSize(1);
  }
}
