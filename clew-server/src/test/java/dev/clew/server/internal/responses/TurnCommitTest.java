package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoreTraits;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.server.internal.responses.StoredResponse.Phase;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnCommitTest {
  private static final SessionKey KEY = new SessionKey("ann", "resp_1");
  private static final String NAME = "response/resp_1";

  @TempDir private Path folder;
  private SessionStore sqlite;

  @BeforeEach
  void open() {
    sqlite = SqliteStore.open(folder.resolve("clew.db"));
  }

  @AfterEach
  void close() {
    sqlite.close();
  }

  /** Whose first answer to a commit is lost, be the change made or not. */
  private static final class LosesAnAnswer extends ForwardingBackend {
    private final boolean together;
    private final boolean made;

    LosesAnAnswer(Backend backend, boolean together, boolean made) {
      super(backend);
      this.together = together;
      this.made = made;
    }

    @Override
    public StoreTraits traits() {
      return together ? super.traits() : super.traits().without(Capability.ATOMIC_DOCUMENTS);
    }

    @Override
    public <F> Optional<F> feature(Class<F> feature) {
      return feature == AsyncCommits.class
          ? Optional.of(feature.cast((AsyncCommits) this::commitAsync))
          : super.feature(feature);
    }

    private CompletableFuture<Receipt> commitAsync(SessionKey key, Commit commit) {
      if (made) {
        var unused = delegate().commit(key, commit);
      }
      return CompletableFuture.failedFuture(
          new ClewException.OutcomeUnknown("the answer was lost", null));
    }
  }

  private static StoredResponse response() {
    return StoredResponse.begun(
            "ann", "resp_1", TurnTarget.own(KEY), -1, List.of(Item.user("hello")), false, "{}")
        .response(
            Phase.COMMITTING,
            "{\"output\":[" + Item.assistant("hi").json() + "],\"status\":\"completed\"}");
  }

  private void writeThrough(SessionStore store) {
    new TurnCommit(store, Duration.ofDays(30), model -> model).writeLater(response(), NAME).join();
  }

  private void assertWrittenOnce() {
    assertThat(sqlite.session(KEY).getItems())
        .containsExactly(Item.user("hello"), Item.assistant("hi"));
    assertThat(sqlite.session(KEY).info().orElseThrow().timeToLive()).contains(Duration.ofDays(30));
    assertThat(StoredResponse.parse("ann", "resp_1", 1, record().orElseThrow()).hasTurn()).isTrue();
  }

  private Optional<String> record() {
    return sqlite.documents().get("ann", NAME).map(record -> record.json());
  }

  @Test
  void aTurnIsWrittenWithItsResponse() {
    writeThrough(sqlite);
    assertWrittenOnce();
  }

  @Test
  void aLostAnswer_doesNotWriteTheTurnTwice() {
    writeThrough(BackendStore.decorate(sqlite, backend -> new LosesAnAnswer(backend, true, true)));
    assertWrittenOnce();
  }

  @Test
  void whatWasNotMade_isMadeByTheNextTry() {
    writeThrough(BackendStore.decorate(sqlite, backend -> new LosesAnAnswer(backend, true, false)));
    assertWrittenOnce();
  }

  @Test
  void aStoreThatDoesOneAfterTheOther_hasTheOperationIdForThat() {
    writeThrough(BackendStore.decorate(sqlite, backend -> new LosesAnAnswer(backend, false, true)));
    assertWrittenOnce();
  }

  @Test
  void theSameResponseOnceMore_isRefusedAndWritesNothing() {
    writeThrough(sqlite);
    assertThatThrownBy(() -> writeThrough(sqlite))
        .hasCauseInstanceOf(ClewException.VersionConflict.class);
    assertWrittenOnce();
  }
}
