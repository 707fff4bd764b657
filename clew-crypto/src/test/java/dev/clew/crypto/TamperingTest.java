package dev.clew.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an encrypted store makes of rows that somebody without a key has changed. */
class TamperingTest {
  private static final SessionKey ANN = new SessionKey("ann", "one");
  private static final SessionKey ANN_TWO = new SessionKey("ann", "two");
  private static final SessionKey BOB = new SessionKey("bob", "one");

  @TempDir Path folder;
  private SessionStore store;
  private StoredSession session;
  private SqliteFile file;

  @BeforeEach
  void open() {
    Path path = folder.resolve("store.db");
    store = EncryptedStore.over(SqliteFile.open(path), TestKeys.MASTER);
    session = store.session(ANN);
    for (SessionKey key : List.of(ANN, ANN_TWO, BOB)) {
      store
          .session(key)
          .commit(
              Commit.appendDrafts(
                  List.of(
                      Draft.of(Item.user("first")),
                      new Draft(Item.parse("{\"id\":\"m2\",\"a\":1}"), Map.of("model", "m")),
                      Draft.of(Item.user("last")))));
      store.session(key).update(SessionUpdate.none().title("t").tags(Set.of("x")));
      store.documents().put(key.owner(), "r-" + key.id(), "{\"a\":1}");
    }
    file = new SqliteFile(path);
  }

  @AfterEach
  void close() {
    file.close();
    store.close();
  }

  private long position(SessionKey key, int index) {
    return store.session(key).entries(Range.first(100)).entries().get(index).position();
  }

  /** Every way to the newest item fails, says where it is, and leaves everything as it was. */
  private void assertNewestIsRefused() {
    long rows = file.number("SELECT count(*) FROM agent_messages");
    assertThatThrownBy(() -> session.getItems(1)).isInstanceOf(CorruptRecord.class);
    assertThatThrownBy(() -> session.getItems())
        .isInstanceOf(CorruptRecord.class)
        .hasMessageContaining("one")
        .hasMessageContaining("position")
        .hasMessageNotContainingAny("first", "last");
    assertThatThrownBy(() -> session.entries(Range.latest(1))).isInstanceOf(CorruptRecord.class);
    assertThatThrownBy(() -> session.popItem()).isInstanceOf(CorruptRecord.class);
    assertThatThrownBy(() -> session.undoTurn()).isInstanceOf(CorruptRecord.class);
    assertThat(file.number("SELECT count(*) FROM agent_messages")).isEqualTo(rows);
    assertThat(file.number("SELECT count(*) FROM clew_quarantine")).isZero();
  }

  @Test
  void everyFlippedByteOfARow_isRefused() {
    long position = position(ANN, 2);
    byte[] row = file.message(position);
    for (int i = 0; i < row.length; i++) {
      byte[] changed = row.clone();
      changed[i] ^= 1;
      file.setMessage(position, changed);
      assertThatThrownBy(() -> session.getItems(1))
          .as("byte %d of %s", i, new String(row, java.nio.charset.StandardCharsets.UTF_8))
          .isInstanceOf(CorruptRecord.class);
    }
    file.setMessage(position, row);
    assertThat(session.getItems(1)).containsExactly(Item.user("last"));
  }

  @Test
  void everyFlippedByteOfARowWithAnId_isRefused() {
    session.popItem();
    long position = position(ANN, 1);
    byte[] row = file.message(position);
    for (int i = 0; i < row.length; i++) {
      byte[] changed = row.clone();
      changed[i] ^= 1;
      file.setMessage(position, changed);
      assertThatThrownBy(() -> session.getItems(1))
          .as("byte " + i)
          .isInstanceOf(CorruptRecord.class);
    }
  }

  @Test
  void aRowThatItsChecksumDoesNotFit_isRefusedAndNotPassedOver() {
    long position = position(ANN, 2);
    file.run("UPDATE agent_messages SET clew_crc = clew_crc + 1 WHERE id = ?", position);
    assertNewestIsRefused();
    assertThatThrownBy(() -> session.fork("fork", position)).isInstanceOf(CorruptRecord.class);
    assertThat(store.session(new SessionKey("ann", "fork")).info()).isEmpty();
  }

  @Test
  void swappedRows_areRefused() {
    long first = position(ANN, 0);
    long last = position(ANN, 2);
    byte[] text = file.message(first);
    file.setMessage(first, file.message(last));
    file.setMessage(last, text);
    assertNewestIsRefused();
  }

  @Test
  void aRowOfAnotherSession_isRefused() {
    file.setMessage(position(ANN, 2), file.message(position(ANN_TWO, 2)));
    assertNewestIsRefused();
  }

  @Test
  void aRowOfAnotherOwner_isRefused() {
    file.setMessage(position(ANN, 2), file.message(position(BOB, 2)));
    assertNewestIsRefused();
  }

  @Test
  void swappedSessions_areRefused() {
    file.run("UPDATE agent_messages SET session_id = 'x' WHERE session_id = 'clew:ann:one'");
    file.run(
        "UPDATE agent_messages SET session_id = 'clew:ann:one' WHERE session_id = 'clew:bob:one'");
    assertNewestIsRefused();
  }

  @Test
  void aRowMovedToAnotherPosition_isRefused() {
    file.run("UPDATE agent_messages SET id = id + 1000 WHERE id = ?", position(ANN, 2));
    assertNewestIsRefused();
  }

  @Test
  void aRowRepeatedAtTheEnd_isRefused() {
    file.run(
        "INSERT INTO agent_messages (id, session_id, message_data, created_at, clew_crc, clew_added)"
            + " SELECT 5000, session_id, message_data, created_at, clew_crc, clew_added"
            + " FROM agent_messages WHERE id = ?",
        position(ANN, 0));
    assertNewestIsRefused();
  }

  @Test
  void aRowInClear_isRefused() {
    file.run(
        "INSERT INTO agent_messages (session_id, message_data) VALUES ('clew:ann:one', ?)",
        Item.user("believe me").json());
    assertNewestIsRefused();
  }

  @Test
  void notesInClear_areRefused() {
    file.run("UPDATE agent_messages SET clew_notes = '{\"a\":1}' WHERE id = ?", position(ANN, 2));
    assertThatThrownBy(() -> session.entries(Range.latest(1))).isInstanceOf(CorruptRecord.class);
  }

  @Test
  void anOldItemPutBackAfterAnEditElsewhere_isRefused() {
    byte[] before = file.message(position(ANN, 0));
    session.commit(Commit.replaceItem(position(ANN, 0), Draft.of(Item.user("edited"))));
    file.setMessage(position(ANN, 2), before);
    assertNewestIsRefused();
  }

  @Test
  void descriptionsOfOtherSessionsAndInClear_areRefused() {
    String of = "SELECT clew_metadata FROM agent_sessions WHERE session_id = ?";
    String put = "UPDATE agent_sessions SET clew_metadata = ? WHERE session_id = 'clew:ann:one'";
    String own = file.texts(of, "clew:ann:one").get(0);
    List<String> wrong = new ArrayList<>();
    wrong.add(file.texts(of, "clew:ann:two").get(0));
    wrong.add(file.texts(of, "clew:bob:one").get(0));
    wrong.add("{\"title\":\"in clear\"}");
    for (int i = own.indexOf(':') + 2; i < own.length() - 2; i += 7) {
      char other = own.charAt(i) == 'A' ? 'B' : 'A';
      wrong.add(own.substring(0, i) + other + own.substring(i + 1));
    }
    for (String metadata : wrong) {
      file.run(put, metadata);
      assertThatThrownBy(() -> session.info()).as(metadata).isInstanceOf(CorruptRecord.class);
      for (SessionQuery query :
          List.of(SessionQuery.of("ann"), SessionQuery.of("ann").order(SessionQuery.Order.TITLE))) {
        assertThat(store.list(query).sessions())
            .extracting(SessionInfo::key, SessionInfo::damaged, SessionInfo::title)
            .containsExactlyInAnyOrder(tuple(ANN, true, ""), tuple(ANN_TWO, false, "t"));
      }
    }
    file.run(put, own);
    file.run("UPDATE agent_sessions SET clew_title = 'x' WHERE session_id = 'clew:ann:one'");
    assertThatThrownBy(() -> session.info()).isInstanceOf(CorruptRecord.class);
    file.run("UPDATE agent_sessions SET clew_title = '', clew_tags = NULL");
    assertThatThrownBy(() -> session.info()).isInstanceOf(CorruptRecord.class);
  }

  @Test
  void recordsOfOtherNamesAndOwnersAndInClear_areRefused() {
    String of = "SELECT json FROM clew_records WHERE owner = ? AND name = ?";
    String put = "UPDATE clew_records SET json = ? WHERE owner = 'ann' AND name = 'r-one'";
    String own = file.texts(of, "ann", "r-one").get(0);
    List<String> wrong = new ArrayList<>();
    wrong.add(file.texts(of, "ann", "r-two").get(0));
    wrong.add(file.texts(of, "bob", "r-one").get(0));
    wrong.add("{\"a\":1}");
    for (int i = 0; i < own.length(); i++) {
      char other = own.charAt(i) == 'A' ? 'B' : 'A';
      wrong.add(own.substring(0, i) + other + own.substring(i + 1));
    }
    for (String json : wrong) {
      file.run(put, json);
      assertThatThrownBy(() -> store.documents().get("ann", "r-one"))
          .as(json)
          .isInstanceOf(CorruptRecord.class);
    }
    file.run(put, own);
    assertThat(store.documents().get("ann", "r-one").orElseThrow().json()).isEqualTo("{\"a\":1}");
  }

  @Test
  void theKeyOfAnotherOwner_isRefused() {
    String json = file.texts("SELECT json FROM clew_records WHERE json LIKE '%\"bob\"%'").get(0);
    file.run("UPDATE clew_records SET json = ? WHERE owner LIKE '@clew.keys/%'", json);
    try (SessionStore again =
        EncryptedStore.over(SqliteFile.open(folder.resolve("store.db")), TestKeys.MASTER)) {
      assertThatThrownBy(() -> again.session(ANN).getItems()).isInstanceOf(CorruptRecord.class);
      assertThat(again.session(BOB).getItems()).hasSize(3);
    }
  }

  @Test
  void check_tellsWhatCannotBeOpened() {
    long position = position(ANN, 1);
    file.setMessage(position, file.message(position(BOB, 1)));
    List<Finding> found = new ArrayList<>();
    store.check(found::add);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).kind()).isEqualTo(Finding.Kind.DAMAGED);
    assertThat(found.get(0).key()).contains(ANN);
    assertThat(found.get(0).position()).hasValue(position);
  }

  @Test
  void otherSessions_areReadAndWrittenAllTheSame() {
    file.setMessage(position(ANN, 2), file.message(position(BOB, 2)));
    assertThat(store.session(ANN_TWO).getItems()).hasSize(3);
    assertThat(store.session(BOB).popItem()).contains(Item.user("last"));
    session.addItems(List.of(Item.user("next")));
    assertThat(session.getItems(1)).containsExactly(Item.user("next"));
    assertThatThrownBy(() -> session.getItems(2)).isInstanceOf(CorruptRecord.class);
  }
}
