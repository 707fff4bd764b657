package dev.clew.examples;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Stores and sessions may be used by many threads, and a SQLite file by many processes. A batch is
 * never torn apart: its items stand next to each other, whoever else writes.
 */
public final class ConcurrentWriters {
  private ConcurrentWriters() {}

  static void write(SessionStore store, String id, int writers, int batches)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int w = 1; w <= writers; w++) {
        String who = "writer " + w;
        for (int b = 1; b <= batches; b++) {
          List<Item> batch = List.of(Item.user(who + ", " + b), Item.assistant(who + ", " + b));
          all.add(threads.submit(() -> store.session(id).addItems(batch)));
        }
      }
      for (Future<?> each : all) {
        each.get(); // acknowledged, so stored
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    try (SessionStore store = Stores.open("sqlite::memory:")) {
      write(store, "shared", 4, 25);
      System.out.println(
          "4 writers stored " + store.session("shared").getItems().size() + " items.");
    }
  }
}
