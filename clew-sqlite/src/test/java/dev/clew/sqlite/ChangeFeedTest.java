package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.Watch;
import dev.clew.spi.Backend;
import dev.clew.spi.Changes;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;

/** What those who watch a session get when it goes, or when it cannot be read. */
class ChangeFeedTest {
  private static final SessionKey KEY = new SessionKey("ann", "s");

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("feed.db");
  }

  private static void add(SqliteStore store, SessionKey key) {
    store.session(key).addItems(List.of(Item.user("hello")));
  }

  @Test
  void anErasedSessionIsReportedOnceHoweverMuchIsWrittenLater() throws Exception {
    try (SqliteStore reader = SqliteStore.open(file());
        SqliteStore writer = SqliteStore.open(file())) {
      SessionKey other = new SessionKey("bob", "s");
      Queue<SessionEvent> events = new ConcurrentLinkedQueue<>();
      Queue<SessionEvent> others = new ConcurrentLinkedQueue<>();
      try (Watch watch = reader.session(KEY).watch(0, events::add);
          Watch otherWatch = reader.session(other).watch(0, others::add)) {
        assertThat(List.of(watch, otherWatch)).doesNotContainNull();
        add(writer, KEY);
        Wait.until("the append arrives", () -> events.size() == 1);
        writer.erase(KEY.owner());
        Wait.until("the erasure arrives", () -> events.size() == 2);
        for (int i = 1; i <= 3; i++) { // each time both sessions are looked at
          int written = i;
          add(writer, other);
          Wait.until("what is written elsewhere arrives", () -> others.size() == written);
        }
        add(writer, KEY);
        Wait.until("the new session arrives", () -> events.size() >= 3);
      }
      assertThat(events)
          .extracting(event -> event.getClass().getSimpleName())
          .containsExactly("Appended", "Cleared", "Appended");
    }
  }

  @Test
  void aChangeThatCouldNotBeReadIsReadLater() throws Exception {
    FailingDriver driver = new FailingDriver();
    try (SqliteStore reader = SqliteStore.builder(file().toString()).driver(driver).open();
        SqliteStore writer = SqliteStore.open(file())) {
      Queue<SessionEvent> events = new ConcurrentLinkedQueue<>();
      try (Watch watch = reader.session(KEY).watch(0, events::add)) {
        assertThat(watch).isNotNull();
        add(writer, KEY);
        Wait.until("the append arrives", () -> events.size() == 1);
        driver.failWith(SQLiteErrorCode.SQLITE_IOERR_READ);
        add(writer, KEY);
        Wait.until("it could not be read", () -> driver.failures.get() > 0);
        driver.failWith(SQLiteErrorCode.SQLITE_OK);
        Wait.until("it arrives without another change", () -> events.size() == 2);
      }
    }
  }

  @Test
  void aKnownDeletionIsNotReportedAgainAfterARestart() {
    Changes deletion;
    try (SqliteStore store = SqliteStore.open(file())) {
      add(store, KEY);
      Changes first = Backend.of(store).changes(KEY, 0);
      store.session(KEY).delete();
      deletion = Backend.of(store).changes(KEY, first.version());
      assertThat(deletion.events()).containsExactly(new SessionEvent.Cleared(deletion.version()));
    }
    try (SqliteStore store = SqliteStore.open(file())) {
      add(store, new SessionKey("bob", "s"));
      assertThat(Backend.of(store).changes(KEY, deletion.version()).events()).isEmpty();
    }
  }
}
