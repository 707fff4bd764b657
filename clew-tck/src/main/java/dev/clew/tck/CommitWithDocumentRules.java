package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents.Document;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** C3, C17, C24: a commit with a time to live and a document. */
@Rule(
    "a commit with a document makes the change, sets the time to live and writes the document, "
        + "all at once with ATOMIC_DOCUMENTS (see Commit.document)")
interface CommitWithDocumentRules extends StoreFixture {

  private static Commit with(Commit change, Optional<Duration> life, OptionalLong version) {
    Commit commit =
        change.document(
            new Commit.DocumentPut(
                "note",
                version,
                Optional.of(Duration.ofDays(2)),
                receipt -> "{\"last\":" + receipt.lastPosition().orElse(-1) + "}"));
    return life.isPresent() ? commit.timeToLive(life.get()) : commit;
  }

  private Optional<Document> note(StoredSession session) {
    return store().documents().get(session.key().owner(), "note");
  }

  @Test
  default void aCommitWithADocument_writesHistoryTimeToLiveAndDocument() {
    StoredSession session = newSession();
    Receipt receipt =
        session.commit(
            with(
                Commit.append(Items.of("one", "two")),
                Optional.of(Duration.ofDays(1)),
                OptionalLong.of(0)));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofDays(1));
    assertThat(note(session).orElseThrow().json())
        .isEqualTo("{\"last\":" + receipt.lastPosition().orElseThrow() + "}");
    assertThat(note(session).orElseThrow().expiresAt()).isPresent();
  }

  @Test
  default void anAsyncCommitWithADocument_writesAllOfItToo_orSaysWhyNot() {
    StoredSession session = newSession();
    Commit append =
        with(Commit.append(Items.of("one")), Optional.of(Duration.ofDays(1)), OptionalLong.of(0));
    Receipt receipt = session.commitAsync(append).join();

    assertThat(session.getItems()).isEqualTo(Items.of("one"));
    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofDays(1));
    assertThat(note(session).orElseThrow().json())
        .isEqualTo("{\"last\":" + receipt.lastPosition().orElseThrow() + "}");
    assertThatThrownBy(() -> session.commitAsync(append).join())
        .hasCauseInstanceOf(ClewException.VersionConflict.class);
  }

  @Test
  default void aCommitWithoutATimeToLive_leavesThatOfTheSession() {
    StoredSession session = newSession();
    session.update(SessionUpdate.none().timeToLive(Duration.ofDays(3)));
    session.commit(with(Commit.append(Items.of("one")), Optional.empty(), OptionalLong.empty()));

    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofDays(3));
    assertThat(note(session)).isPresent();
  }

  @Test
  default void aCommitWithATimeToLive_setsThatOfASessionThatIsThere() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.commit(
        with(
            Commit.append(Items.of("two")), Optional.of(Duration.ofDays(1)), OptionalLong.empty()));

    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofDays(1));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  @Rule("the receipt of a commit has the version that the session has after all of it")
  default void aCommitWithATimeToLive_returnsTheVersionOfTheSession() {
    StoredSession session = newSession();
    Commit first = Commit.append(Items.of("one")).timeToLive(Duration.ofDays(1));
    Commit second = Commit.append(Items.of("two")).timeToLive(Duration.ofDays(2));
    long version = session.commit(first).version();
    assertThat(session.info().orElseThrow().version()).isEqualTo(version);

    version = session.commit(second.expectVersion(version)).version();
    assertThat(session.info().orElseThrow().version()).isEqualTo(version);
  }

  @Test
  default void aCommitThatIsRefused_writesNoDocument() {
    StoredSession session = newSession();
    assertThatThrownBy(
            () ->
                session.commit(
                    with(
                        Commit.append(Items.of("one")).expectExisting(),
                        Optional.of(Duration.ofDays(1)),
                        OptionalLong.empty())))
        .isInstanceOf(ClewException.VersionConflict.class);

    assertThat(session.info()).isEmpty();
    assertThat(note(session)).isEmpty();
  }

  @Test
  default void aDocumentOfAnotherVersion_isNotReplaced() {
    StoredSession session = newSession();
    store().documents().put(session.key().owner(), "note", "{}");
    assertThatThrownBy(
            () ->
                session.commit(
                    with(Commit.append(Items.of("one")), Optional.empty(), OptionalLong.of(0))))
        .isInstanceOf(ClewException.VersionConflict.class);

    assertThat(note(session).orElseThrow().json()).isEqualTo("{}");
  }

  @Test
  default void aRepeatedCommitWithADocument_isMadeOnce_andItsDocumentWrittenAgain() {
    StoredSession session = newSession();
    Commit once =
        with(
            Commit.append(Items.of("one")).operationId("once"),
            Optional.of(Duration.ofDays(1)),
            OptionalLong.empty());
    Receipt first = session.commit(once);
    store().documents().delete(session.key().owner(), "note");
    Receipt second = session.commit(once);

    assertThat(second.repeated()).isTrue();
    assertThat(second.lastPosition()).isEqualTo(first.lastPosition());
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
    assertThat(note(session)).isPresent();
  }

  @Test
  default void theSessionGoesOnAfterACommitWithADocument() {
    StoredSession session = newSession();
    session.commit(
        with(
            Commit.append(Items.of("one")), Optional.of(Duration.ofDays(1)), OptionalLong.empty()));
    session.addItems(Items.of("two"));
    session.commit(Commit.append(Items.of("three")).expectExisting());

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two", "three"));
    assertThat(session.getItems(2)).isEqualTo(Items.of("two", "three"));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(3);
  }

  @Test
  @Rule("an empty append changes nothing of the session; its document is written")
  default void anEmptyAppendWithATimeToLive_makesNoSession() {
    StoredSession session = newSession();
    Receipt receipt = session.commit(nothingFor(Duration.ofDays(1)));
    session.commit(Commit.dropPrefix(Long.MAX_VALUE, List.of()).timeToLive(Duration.ofDays(1)));

    assertThat(receipt.version()).isZero();
    assertThat(session.info()).isEmpty();
    assertThat(note(session)).isPresent();
  }

  @Test
  @Rule("an empty append changes nothing of the session; its document is written")
  default void anEmptyAppendWithATimeToLive_leavesTheSessionAsItIs() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.update(SessionUpdate.none().timeToLive(Duration.ofDays(3)));
    Optional<SessionInfo> before = session.info();
    session.commit(nothingFor(Duration.ofDays(1)));

    assertThat(session.info()).isEqualTo(before);
    assertThat(note(session)).isPresent();
    clock().advance(Duration.ofDays(2));
    session.addItems(Items.of("two"));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  @Rule("an expired session does not exist, so an empty append does not bring it back")
  default void anEmptyAppendWithATimeToLive_doesNotReviveAnExpiredSession() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.update(SessionUpdate.none().timeToLive(Duration.ofHours(1)));
    clock().advance(Duration.ofHours(2));
    session.commit(nothingFor(Duration.ofDays(1)));

    assertThat(session.info()).isEmpty();
    assertThat(session.getItems()).isEmpty();
    assertThat(note(session)).isPresent();
    session.addItems(Items.of("two"));
    assertThat(session.getItems()).isEqualTo(Items.of("two"));
  }

  private static Commit nothingFor(Duration life) {
    return with(Commit.append(List.of()), Optional.of(life), OptionalLong.empty());
  }

  @Test
  @Rule("a commit with a time to live or a document that is refused writes nothing")
  default void aCommitWithATimeToLiveThatIsRefused_writesNothing() {
    StoredSession session = newSession();
    Commit append = Commit.append(Items.of("one"));
    Optional<Duration> none = Optional.empty();
    List<Commit> refused =
        List.of(
            append.timeToLive(Duration.ofDays(-1)),
            append.timeToLive(Duration.ofNanos(1)),
            append.document(put("", none)),
            append.document(put("note", Optional.of(Duration.ZERO))),
            append.document(put("note", Optional.of(Duration.ofDays(-1)))));
    for (Commit commit : refused) {
      assertThatThrownBy(() -> session.commit(commit)).isInstanceOf(IllegalArgumentException.class);
    }

    assertThat(session.info()).isEmpty();
    assertThat(note(session)).isEmpty();
  }

  private static Commit.DocumentPut put(String name, Optional<Duration> life) {
    return new Commit.DocumentPut(name, OptionalLong.empty(), life, receipt -> "{}");
  }
}
