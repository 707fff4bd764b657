package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Company;
import dev.clew.HistoryTransaction;
import dev.clew.Receipt;
import dev.clew.Records.StoredRecord;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** C3, C17, C24: a change of a session with what is written beside it. */
@Rule(
    "apply with a company makes the change, then sets the time to live and writes the "
        + "record, all in one commit if the store can (see Company)")
interface CompanyRules extends StoreFixture {

  private static Company company(Optional<Duration> life, OptionalLong recordVersion) {
    return new Company(
        life,
        "note",
        recordVersion,
        Optional.of(Duration.ofDays(2)),
        receipt -> "{\"last\":" + receipt.lastPosition().orElse(-1) + "}");
  }

  private Optional<StoredRecord> note(StoredSession session) {
    return store().records().get(session.key().owner(), "note");
  }

  @Test
  default void aChangeWithCompany_writesHistoryAndLifeAndRecord() {
    StoredSession session = newSession();
    Receipt receipt =
        store()
            .apply(
                session.key(),
                HistoryTransaction.append(Items.of("one", "two")),
                company(Optional.of(Duration.ofDays(1)), OptionalLong.of(0)));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofDays(1));
    assertThat(note(session).orElseThrow().json())
        .isEqualTo("{\"last\":" + receipt.lastPosition().orElseThrow() + "}");
    assertThat(note(session).orElseThrow().expiresAt()).isPresent();
  }

  @Test
  default void aLaterChangeWithCompany_writesAllOfItToo_orSaysWhyNot() {
    StoredSession session = newSession();
    HistoryTransaction append = HistoryTransaction.append(Items.of("one"));
    Company first = company(Optional.of(Duration.ofDays(1)), OptionalLong.of(0));
    Receipt receipt = store().applyLater(session.key(), append, first).join();

    assertThat(session.getItems()).isEqualTo(Items.of("one"));
    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofDays(1));
    assertThat(note(session).orElseThrow().json())
        .isEqualTo("{\"last\":" + receipt.lastPosition().orElseThrow() + "}");
    assertThatThrownBy(() -> store().applyLater(session.key(), append, first).join())
        .hasCauseInstanceOf(ClewException.VersionConflict.class);
  }

  @Test
  default void companyWithoutALife_leavesThatOfTheSession() {
    StoredSession session = newSession();
    session.update(SessionUpdate.none().timeToLive(Duration.ofDays(3)));
    store()
        .apply(
            session.key(),
            HistoryTransaction.append(Items.of("one")),
            company(Optional.empty(), OptionalLong.empty()));

    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofDays(3));
    assertThat(note(session)).isPresent();
  }

  @Test
  default void companyWithALife_setsThatOfASessionThatIsThere() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    store()
        .apply(
            session.key(),
            HistoryTransaction.append(Items.of("two")),
            company(Optional.of(Duration.ofDays(1)), OptionalLong.empty()));

    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofDays(1));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void aChangeThatIsRefused_leavesNoCompany() {
    StoredSession session = newSession();
    assertThatThrownBy(
            () ->
                store()
                    .apply(
                        session.key(),
                        HistoryTransaction.append(Items.of("one")).expectExisting(),
                        company(Optional.of(Duration.ofDays(1)), OptionalLong.empty())))
        .isInstanceOf(ClewException.VersionConflict.class);

    assertThat(session.info()).isEmpty();
    assertThat(note(session)).isEmpty();
  }

  @Test
  default void aRecordOfAnotherVersion_isNotReplaced() {
    StoredSession session = newSession();
    store().records().put(session.key().owner(), "note", "{}");
    assertThatThrownBy(
            () ->
                store()
                    .apply(
                        session.key(),
                        HistoryTransaction.append(Items.of("one")),
                        company(Optional.empty(), OptionalLong.of(0))))
        .isInstanceOf(ClewException.VersionConflict.class);

    assertThat(note(session).orElseThrow().json()).isEqualTo("{}");
  }

  @Test
  default void aRepeatedChangeWithCompany_isWrittenOnceAndNotedAgain() {
    StoredSession session = newSession();
    HistoryTransaction once = HistoryTransaction.append(Items.of("one")).operationId("once");
    Company company = company(Optional.of(Duration.ofDays(1)), OptionalLong.empty());
    Receipt first = store().apply(session.key(), once, company);
    store().records().delete(session.key().owner(), "note");
    Receipt second = store().apply(session.key(), once, company);

    assertThat(second.repeated()).isTrue();
    assertThat(second.lastPosition()).isEqualTo(first.lastPosition());
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
    assertThat(note(session)).isPresent();
  }

  @Test
  default void theSessionGoesOnBehindAChangeWithCompany() {
    StoredSession session = newSession();
    store()
        .apply(
            session.key(),
            HistoryTransaction.append(Items.of("one")),
            company(Optional.of(Duration.ofDays(1)), OptionalLong.empty()));
    session.addItems(Items.of("two"));
    session.apply(HistoryTransaction.append(Items.of("three")).expectExisting());

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two", "three"));
    assertThat(session.getItems(2)).isEqualTo(Items.of("two", "three"));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(3);
  }
}
