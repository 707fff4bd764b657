package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.Closed;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a store: what is under way, what comes later, what is left behind. */
class ClosingTest {
  @TempDir Path folder;

  private static void use(SessionStore store) {
    store.session("s").addItems(List.of(Item.user("hello")));
    assertThat(store.session("s").getItems()).contains(Item.user("hello"));
  }

  private static List<Path> list(Path folder) {
    try (var files = Files.list(folder)) {
      return files.toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {":memory:", "store.db"})
  void afterCloseEveryCallSaysSo(String name) {
    SessionStore store =
        SqliteStore.open(name.equals(":memory:") ? name : folder.resolve(name).toString());
    use(store);
    var leases = store.leases();
    var records = store.documents();
    SessionKey key = SessionKey.of("s");
    store.close();
    store.close();

    List<Runnable> calls =
        List.of(
            () -> store.session("s").getItems(),
            () -> store.session("s").getItems(5),
            () -> store.session("s").addItems(List.of(Item.user("late"))),
            () -> store.session("s").popItem(),
            () -> store.session("s").clearSession(),
            () -> store.session(key).entries(Range.latest(1)),
            () -> store.session(key).find("x"),
            () -> store.session(key).forkTo(SessionKey.of("t"), 1),
            () -> store.session(key).info(),
            () -> store.session(key).update(SessionUpdate.none()),
            () -> store.list(SessionQuery.of("")),
            () -> store.owners(Optional.empty(), 10),
            () -> store.search(SearchQuery.of("", "hello")),
            () -> store.session(key).watch(0, event -> {}),
            () -> store.erase("x"),
            () -> store.sweep(10),
            () -> store.check(finding -> {}),
            store::ping,
            () -> leases.tryAcquire(key, "turn", "me", Duration.ofSeconds(1)),
            () -> leases.holder(key, "turn"),
            () -> records.get("", "x"),
            () -> records.put("", "x", "{}", OptionalLong.empty(), Optional.empty()));
    for (Runnable call : calls) {
      assertThatThrownBy(call::run)
          .isInstanceOf(Closed.class)
          .hasMessageContainingAll(name.equals(":memory:") ? "memory" : name, "open it again");
    }
  }

  @Test
  @Timeout(120)
  void callsInFlightWhenItClosesFinishOrSayThatItIsClosed() {
    for (int round = 0; round < Soak.times(8, 300); round++) {
      Path file = folder.resolve("close-" + round + ".db");
      SqliteStore store = SqliteStore.open(file);
      CountDownLatch underWay = new CountDownLatch(20);
      List<Integer> acknowledged =
          Wait.together(
              7,
              number -> {
                if (number == 0) {
                  Wait.open("calls are under way", underWay);
                  store.close();
                  return 0;
                }
                return callUntilClosed(store, number, underWay);
              });
      try (SqliteStore again = SqliteStore.open(file)) {
        for (int number = 1; number < 7; number++) {
          assertThat(again.session("w" + number).getItems())
              .hasSizeBetween(acknowledged.get(number), acknowledged.get(number) + 1);
        }
      }
    }
  }

  private static int callUntilClosed(SqliteStore store, int number, CountDownLatch underWay) {
    int written = 0;
    try {
      while (true) {
        store.session("w" + number).addItems(List.of(Item.user("item " + written)));
        written++;
        underWay.countDown();
        assertThat(store.session("w" + number).getItems(5)).isNotEmpty();
        store.list(SessionQuery.of(""));
        if (number == 1) {
          store.search(SearchQuery.of("", "item").limit(1));
        }
      }
    } catch (Closed e) {
      return written;
    }
  }

  @Test
  void aListenerMayCloseTheStore() {
    SqliteStore store = SqliteStore.open(folder.resolve("listener.db"));
    CountDownLatch closed = new CountDownLatch(1);
    store
        .session("s")
        .watch(
            0,
            event -> {
              store.close();
              closed.countDown();
            });
    store.session("s").commit(Commit.append(List.of(Item.user("hello"))));
    Wait.open("the listener has closed it", closed);
    assertThatThrownBy(store::ping).isInstanceOf(Closed.class);
  }

  @Test
  void closingLeavesNoFileOpen() throws IOException {
    Path file = folder.resolve("handles.db");
    for (int i = 0; i < 5; i++) {
      try (SqliteStore store = SqliteStore.open(file)) {
        use(store);
        store.session("s").getItems(5);
        store.search(SearchQuery.of("", "hello"));
        store.session("s").watch(0, event -> {});
        Wait.together(6, number -> store.session("s").getItems());
        store.erase("nobody");
      }
    }
    assertThat(list(folder)).as("the log is gone with the last connection").containsExactly(file);
    assertThat(openFiles(file)).isEmpty();
  }

  /** Where the system can tell. */
  private static List<Path> openFiles(Path file) throws IOException {
    Path handles = Path.of("/proc/self/fd");
    List<Path> open = new ArrayList<>();
    if (Files.isDirectory(handles)) {
      for (Path handle : list(handles)) {
        try {
          if (Files.isSameFile(handle, file)) {
            open.add(handle);
          }
        } catch (NoSuchFileException e) {
          // Closed meanwhile, or no file at all.
        }
      }
    }
    return open;
  }
}
