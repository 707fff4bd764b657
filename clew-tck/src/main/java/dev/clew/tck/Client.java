package dev.clew.tck;

import dev.clew.Item;
import dev.clew.Session;
import java.util.List;

/** Appends to a session and reads it, and writes down what happened. One thread each. */
final class Client {
  private static final int TAIL = 8;

  private final String name;
  private final Session session;
  private final History history;
  private int batches;

  Client(String name, Session session, History history) {
    this.name = name;
    this.session = session;
    this.history = history;
  }

  /** Reads a tail each third time, everything now and then, and appends else. */
  void appendOrRead(int turn) {
    if (turn % 60 == 0) {
      read(Integer.MAX_VALUE);
    } else if (turn % 3 == 0) {
      read(TAIL);
    } else {
      append(1 + turn % 4);
    }
  }

  void append(int size) {
    String batch = name + "-" + ++batches;
    List<Item> items = History.batch(batch, size);
    history.invoke(name, batch, size, System.nanoTime());
    session.addItems(items);
    history.end(batch, History.Outcome.OK, System.nanoTime());
  }

  void read(int limit) {
    long from = System.nanoTime();
    List<Item> items = session.getItems(limit);
    long to = System.nanoTime();
    history.read(name, from, to, items.size() < limit, History.ids(items));
  }
}
