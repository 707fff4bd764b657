package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that append turns to sessions until told to stop, repeating with the same operation id
 * what fails. Two of them share a session. Thread-safe.
 *
 * <p>For tests of what a store does while its server is stopped, started and cut off:
 *
 * <pre>{@code
 * Writers writers = new Writers(store, "kill", 8);
 * server.stop();
 * server.start();
 * int before = writers.acknowledged();
 * Await.until(() -> "writing goes on", () -> writers.acknowledged() > before);
 * writers.stop();
 * writers.check();
 * }</pre>
 */
public final class Writers {
  private final SessionStore store;
  private final String name;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger troubled = new AtomicInteger();
  private final List<List<String>> written = new ArrayList<>();
  private volatile boolean stop;
  private volatile @Nullable Throwable failure;

  /** Starts so many writers on sessions of the default owner, whose ids begin with the name. */
  public Writers(SessionStore store, String name, int count) {
    this.store = store;
    this.name = name;
    for (int i = 0; i < count; i++) {
      int number = i;
      List<String> turns = new ArrayList<>();
      written.add(turns);
      Thread thread = new Thread(() -> write(number, turns), "writer-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private SessionKey key(int writer) {
    return SessionKey.of(name + "-" + writer / 2);
  }

  private void write(int number, List<String> turns) {
    try {
      for (int turn = 0; !stop; turn++) {
        String text = number + ":" + turn;
        Commit transaction =
            Commit.append(List.of(Item.user(text), Item.assistant(text))).operationId(text);
        append(key(number), transaction);
        turns.add(text);
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  private void append(SessionKey key, Commit transaction) {
    while (true) {
      try {
        store.session(key).commit(transaction);
        acknowledged.incrementAndGet();
        return;
      } catch (ClewException e) {
        if (!e.retryable()) {
          throw e;
        }
        troubled.incrementAndGet();
      }
    }
  }

  /** How many turns have been written. */
  public int acknowledged() {
    return acknowledged.get();
  }

  /** How often writing failed and was repeated. */
  public int troubled() {
    return troubled.get();
  }

  /** Waits until all writers have written what they were at; fails if one has failed. */
  public void stop() throws InterruptedException {
    stop = true;
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure != null) {
      throw new AssertionError("a writer failed", failure);
    }
  }

  /** Every acknowledged turn is there once, whole, and in the order of its writer. */
  public void check() {
    Map<SessionKey, List<String>> expected = new HashMap<>();
    for (int i = 0; i < written.size(); i++) {
      expected.computeIfAbsent(key(i), key -> new ArrayList<>()).addAll(written.get(i));
    }
    expected.forEach(
        (key, turns) -> {
          List<Item> items = store.session(key).getItems();
          List<String> found = new ArrayList<>();
          for (int i = 0; i < items.size(); i += 2) {
            String text = text(items.get(i));
            assertThat(text(items.get(i + 1))).as("a turn is whole").isEqualTo(text);
            found.add(text);
          }
          assertThat(found)
              .as("nothing lost, nothing twice")
              .containsExactlyInAnyOrderElementsOf(turns);
          for (int writer = 0; writer < written.size(); writer++) {
            String prefix = writer + ":";
            if (key(writer).equals(key)) {
              assertThat(found.stream().filter(text -> text.startsWith(prefix)).toList())
                  .isEqualTo(written.get(writer));
            }
          }
        });
  }

  private static String text(Item item) {
    return ((View.Message) item.view()).text();
  }
}
