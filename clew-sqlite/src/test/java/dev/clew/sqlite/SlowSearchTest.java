package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.StoredSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches that take long: nobody else waits for them, and each of them ends. */
@Tag("hostile")
class SlowSearchTest {
  private static final int SEARCHES = 30;

  @TempDir Path folder;

  @Test
  void whileSearchesAreStuck_othersListReadAndLookUpRecords() {
    CountDownLatch stuck = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool(Wait::daemon);
    try (SqliteStore store =
        SqliteStore.builder(folder.resolve("slow.db").toString())
            .driver(real -> stuck(real, stuck, goOn))
            .open()) {
      StoredSession ann = store.session(new SessionKey("ann", "1"));
      ann.addItems(List.of(Item.user("hello")));
      store.documents().put("@tokens", "ann", "{}");
      store.session(new SessionKey("bob", "1")).addItems(List.of(Item.user("a needle")));
      List<Future<SearchResult>> searches =
          IntStream.range(0, SEARCHES)
              .mapToObj(i -> threads.submit(() -> store.search(SearchQuery.of("bob", "needle"))))
              .toList();
      Wait.open("as many searches are stuck as there may be at once", stuck);

      Future<Boolean> others =
          threads.submit(
              () -> {
                assertThat(store.list(SessionQuery.of("ann")).sessions()).hasSize(1);
                assertThat(store.documents().get("@tokens", "ann")).isPresent();
                assertThat(ann.entries(dev.clew.Range.first(10)).entries()).hasSize(1);
                store.ping();
                return true;
              });
      assertThat(Wait.value(others)).isTrue();

      goOn.countDown();
      for (Future<SearchResult> search : searches) {
        assertThat(Wait.value(search).hits()).hasSize(1);
      }
    } finally {
      goOn.countDown();
      threads.shutdown();
    }
  }

  /** A driver whose searches wait. */
  private static Connection stuck(Connection real, CountDownLatch stuck, CountDownLatch goOn) {
    return proxy(
        Connection.class,
        real,
        (method, args, result) ->
            method.equals("prepareStatement") && String.valueOf(args[0]).contains("MATCH")
                ? proxy(
                    PreparedStatement.class,
                    (PreparedStatement) result,
                    (inner, values, rows) -> {
                      if (inner.equals("executeQuery")) {
                        stuck.countDown();
                        Wait.open("the searches go on", goOn);
                      }
                      return rows;
                    })
                : result);
  }

  private interface After {
    Object call(String method, Object[] args, Object result);
  }

  private static <T> T proxy(Class<T> type, T real, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              try {
                return after.call(method.getName(), args, method.invoke(real, args));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Test
  void aSearchThroughMoreThanItMayLookAt_saysThatItIsPartial() {
    try (SqliteStore store = SqliteStore.open(folder.resolve("large.db"))) {
      StoredSession session = store.session(new SessionKey("bob", "1"));
      Item large = Item.user("needle" + " ".repeat(2 << 20));
      for (int i = 0; i < 10; i++) {
        session.addItems(Collections.nCopies(4, large));
      }
      SearchResult found = store.search(SearchQuery.of("bob", "needle").limit(1000));
      assertThat(found.partial()).isTrue();
      assertThat(found.hits()).isNotEmpty().hasSizeLessThan(40);
      assertThat(store.search(SearchQuery.of("bob", "nowhere")).hits()).isEmpty();
    }
  }
}
