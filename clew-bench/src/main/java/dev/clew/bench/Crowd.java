package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SessionStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * Blocks of appends by several threads at once; each numbers its own turns, so that what was lost
 * or mixed up can be told afterwards. Used by one thread.
 */
final class Crowd implements Race.Block, AutoCloseable {
  private static final int NUMBERS = 500_000;

  private final Appender appender;
  private final int size;
  private final int turns;
  private final IntFunction<String> sessions;
  private final ExecutorService threads;
  private int next;

  /**
   * @param size how many threads
   * @param turns how many each thread appends in a block
   * @param sessions the session of each thread
   */
  Crowd(Appender appender, int size, int turns, IntFunction<String> sessions) {
    this.appender = appender;
    this.size = size;
    this.turns = turns;
    this.sessions = sessions;
    this.threads = Executors.newFixedThreadPool(size);
  }

  @Override
  public long run() throws Exception {
    CountDownLatch ready = new CountDownLatch(size);
    CountDownLatch go = new CountDownLatch(1);
    List<Future<?>> running = new ArrayList<>();
    for (int k = 0; k < size; k++) {
      int thread = k;
      running.add(threads.submit(() -> append(thread, ready, go)));
    }
    ready.await();
    long start = System.nanoTime();
    go.countDown();
    for (Future<?> each : running) {
      each.get();
    }
    long nanos = System.nanoTime() - start;
    next += turns;
    return nanos;
  }

  private Boolean append(int thread, CountDownLatch ready, CountDownLatch go) throws Exception {
    List<Turn> block = new ArrayList<>(turns);
    for (int i = 0; i < turns; i++) {
      block.add(Turn.of(thread * NUMBERS + next + i));
    }
    String session = sessions.apply(thread);
    ready.countDown();
    go.await();
    for (Turn turn : block) {
      appender.append(session, turn);
    }
    return true;
  }

  /** Fails unless every turn is there, whole, and those of a thread are in order. */
  void verify(SessionStore store) {
    Map<Integer, Integer> seen = new HashMap<>();
    for (String session : sessionNames()) {
      List<Item> items = store.session(session).getItems();
      for (int at = 0; at < items.size(); at += Turn.ITEMS) {
        verifyTurn(seen, session, items.subList(at, Math.min(at + Turn.ITEMS, items.size())));
      }
    }
    for (int thread = 0; thread < size; thread++) {
      if (seen.getOrDefault(thread, 0) != next) {
        throw new IllegalStateException(
            "thread " + thread + " appended " + next + " turns, found are " + seen.get(thread));
      }
    }
  }

  private List<String> sessionNames() {
    List<String> names = new ArrayList<>();
    for (int thread = 0; thread < size; thread++) {
      String name = sessions.apply(thread);
      if (!names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private static void verifyTurn(Map<Integer, Integer> seen, String session, List<Item> items) {
    String text = items.get(0).json();
    int mark = text.indexOf("turn ") + "turn ".length();
    int number = Integer.parseInt(text.substring(mark, mark + 7));
    int thread = number / NUMBERS;
    int expected = seen.getOrDefault(thread, 0);
    if (number % NUMBERS != expected || !items.equals(Turn.of(number).items())) {
      throw new IllegalStateException(
          "session "
              + session
              + ": turn "
              + number
              + " is not whole or not where turn "
              + expected
              + " of its thread should be");
    }
    seen.put(thread, expected + 1);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
