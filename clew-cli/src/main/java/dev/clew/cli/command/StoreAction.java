package dev.clew.cli.command;

import dev.clew.Opening;
import dev.clew.SessionStore;

/** A command that works on the chosen store. Used once, by one thread. */
public abstract class StoreAction extends Action {
  private final Opening opening;

  /** One that reads. */
  protected StoreAction() {
    this(Opening.READ);
  }

  /**
   * @param opening what it needs of the store: to read, to write, or to make it if needed
   */
  protected StoreAction(Opening opening) {
    this.opening = opening;
  }

  @Override
  protected final int run() {
    var unused = clew.namedOwner();
    beforeOpening();
    try (SessionStore store = open()) {
      return run(store);
    }
  }

  /** The store this works on. */
  protected SessionStore open() {
    return clew.openStore(opening);
  }

  /** Refuses what can be refused without looking at the store. */
  protected void beforeOpening() {}

  protected abstract int run(SessionStore store);
}
