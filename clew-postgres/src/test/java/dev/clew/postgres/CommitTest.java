package dev.clew.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.testservers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A commit with a document and a time to live is one transaction. */
class CommitTest {
  private final SessionStore store =
      PostgresStore.open(PostgresServer.shared().url(PostgresServer.newSchema()));
  private final StoredSession session = store.session("s");

  @AfterEach
  void close() {
    store.close();
  }

  private static Commit with(Commit change, String json) {
    return change
        .timeToLive(Duration.ofDays(1))
        .document(
            new Commit.DocumentPut("note", OptionalLong.of(0), Optional.empty(), receipt -> json));
  }

  @Test
  void aConflictOnTheDocument_leavesTheSessionAsItWas() {
    store.documents().put("", "note", "{}");
    Commit append = with(Commit.append(List.of(Item.user("one"))), "1");
    assertThatThrownBy(() -> session.commit(append))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(session.info()).isEmpty();

    session.addItems(List.of(Item.user("one")));
    long version = session.info().orElseThrow().version();
    assertThatThrownBy(() -> session.commit(with(Commit.removeItem(version), "1")))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(session.info().orElseThrow().version()).isEqualTo(version);
    assertThat(session.info().orElseThrow().timeToLive()).isEmpty();
    assertThat(store.documents().get("", "note").orElseThrow().json()).isEqualTo("{}");
  }

  @Test
  void aTextThatIsNotJson_isRefusedWithTheChange() {
    Commit append = with(Commit.append(List.of(Item.user("one"))), "{broken");
    assertThatThrownBy(() -> session.commit(append)).isInstanceOf(IllegalArgumentException.class);
    assertThat(session.info()).isEmpty();
    assertThat(store.documents().get("", "note")).isEmpty();
  }

  @Test
  void itsReceipt_hasTheVersionAfterAllOfIt() {
    Receipt receipt = session.commit(with(Commit.append(List.of(Item.user("one"))), "1"));
    session.commit(Commit.append(List.of(Item.user("two"))).expectVersion(receipt.version()));
    assertThat(session.getItems()).hasSize(2);
  }
}
